// SPDX-License-Identifier: Apache-2.0
// Prints how an answer was fitted, as text or JSON: what is shown or not, and what each part costs.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/answer/view/explanation.h"

namespace enfold::cli {

using answer::FitExplanation;

void print_text(const FitExplanation& explanation, Terminal& terminal);
void print_json(const FitExplanation& explanation, Terminal& terminal);

}  // namespace enfold::cli

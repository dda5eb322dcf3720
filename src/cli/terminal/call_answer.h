// SPDX-License-Identifier: Apache-2.0
// A tool's answer for people: text as text, what an envelope carries indented, warnings and
// failures on standard error.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/client/tools.h"

namespace enfold::cli {

void print_answer(const client::ToolAnswer& answer, Terminal& terminal);

}  // namespace enfold::cli

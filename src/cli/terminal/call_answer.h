// SPDX-License-Identifier: Apache-2.0
// Prints the answer of a tool for a user: text as text, the payload of an envelope indented,
// warnings and failures on standard error.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/client/tools.h"

namespace enfold::cli {

void print_answer(const client::ToolAnswer& answer, Terminal& terminal);

}  // namespace enfold::cli

// SPDX-License-Identifier: Apache-2.0
// The report of `enfold check` as text.
#pragma once

#include "cli/terminal/terminal.h"
#include "enfold/check/report.h"

namespace enfold::cli {

/// Findings by tool, then advice for each rule that has findings, then the totals.
void print_report(const check::Report& report, Terminal& terminal);

}  // namespace enfold::cli

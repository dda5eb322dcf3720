// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/check_report.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

Style style_of(check::Severity severity) {
  switch (severity) {
    case check::Severity::error: return Style::red;
    case check::Severity::warning: return Style::yellow;
    case check::Severity::note: return Style::dim;
  }
  return Style::plain;
}

void print_finding(const check::Finding& finding, Terminal& terminal) {
  const check::RuleInfo& rule = check::info(finding.rule);
  const std::string where = finding.call.empty() ? "" : fmt::format(" ({})", finding.call);
  const std::string severity = fmt::format("{:<7}", check::name(finding.severity));
  terminal.out(fmt::format("  {}  {}: {}\n", terminal.styled(severity, style_of(finding.severity)),
                           rule.name, printable(finding.what + where)));
}

void print_tool(const check::ToolReport& tool, Terminal& terminal) {
  const std::string how = tool.calls == 0 ? "not called: " + tool.not_called
                          : tool.contract.empty()
                              ? counted(tool.calls, "call")
                              : fmt::format("{}, {}", counted(tool.calls, "call"), tool.contract);
  terminal.out(fmt::format("\n{}  {}\n", terminal.styled(printable(tool.tool), Style::bold),
                           terminal.styled(printable(how), Style::dim)));
  for (const check::Severity severity :
       {check::Severity::error, check::Severity::warning, check::Severity::note}) {
    for (const check::Finding& finding : tool.findings) {
      if (finding.severity == severity) print_finding(finding, terminal);
    }
  }
}

// Prints the advice for each rule once, even if several tools need it.
void print_advice(const check::Report& report, Terminal& terminal) {
  bool any = false;
  for (const check::RuleInfo& rule : check::rules()) {
    const bool broken =
        std::any_of(report.tools.begin(), report.tools.end(), [&](const check::ToolReport& tool) {
          return std::any_of(tool.findings.begin(), tool.findings.end(),
                             [&](const check::Finding& one) { return one.rule == rule.rule; });
        });
    if (!broken) continue;
    if (!any) terminal.out("\nWhat to do\n");
    any = true;
    terminal.out(fmt::format("  {:<15}  {}\n", rule.name, check::advice(rule, report)));
  }
}

}  // namespace

void print_report(const check::Report& report, Terminal& terminal) {
  const check::Counts counts = check::count(report);
  terminal.out(fmt::format("{}, protocol {}: {}, {}\n", printable(report.server), report.protocol,
                           counted(report.tools.size(), "tool"), counted(counts.calls, "call")));
  for (const check::ToolReport& tool : report.tools) print_tool(tool, terminal);
  print_advice(report, terminal);
  terminal.out(fmt::format("\n{}, {}, {}\n", counted(counts.errors, "error"),
                           counted(counts.warnings, "warning"), counted(counts.notes, "note")));
}

}  // namespace enfold::cli

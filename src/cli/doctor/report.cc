// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/report.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::cli {
namespace {

using Level = Finding::Level;

std::string_view level_name(Level level) {
  switch (level) {
    case Level::ok: return "ok";
    case Level::note: return "note";
    case Level::problem: break;
  }
  return "problem";
}

Style level_style(Level level) {
  switch (level) {
    case Level::ok: return Style::green;
    case Level::note: return Style::yellow;
    case Level::problem: break;
  }
  return Style::red;
}

}  // namespace

void DoctorReport::ok(std::string check, std::string text) {
  findings_.push_back({Level::ok, std::move(check), std::move(text), {}});
}

void DoctorReport::note(std::string check, std::string text, std::string fix) {
  findings_.push_back({Level::note, std::move(check), std::move(text), std::move(fix)});
}

void DoctorReport::problem(std::string check, std::string text, std::string fix) {
  findings_.push_back({Level::problem, std::move(check), std::move(text), std::move(fix)});
}

void DoctorReport::problem(std::string check, const Error& error, const std::string& fix) {
  const std::string where = error.where.empty() ? "" : fmt::format(" ({})", error.where);
  const std::string edit =
      error.where.empty() ? "enfold doctor --help has what is checked" : "edit " + error.where;
  const std::string& hint = error.hint.empty() ? edit : error.hint;
  problem(std::move(check), error.message + where, fix.empty() ? hint : fix);
}

std::size_t DoctorReport::problems() const {
  return static_cast<std::size_t>(std::ranges::count(findings_, Level::problem, &Finding::level));
}

void DoctorReport::print(Terminal& terminal) const {
  for (const Finding& finding : findings_) {
    const std::string level = fmt::format("{:<8}", level_name(finding.level));
    terminal.out(fmt::format("{:<9} {} {}\n", finding.check,
                             terminal.styled(level, level_style(finding.level)),
                             printable(finding.text)));
    if (!finding.fix.empty()) {
      terminal.out(fmt::format("{:<18} fix: {}\n", "", printable(finding.fix)));
    }
  }
  const std::size_t count = problems();
  terminal.out(count == 0 ? "no problems\n" : counted(count, "problem") + "\n");
}

void DoctorReport::print_json(Terminal& terminal) const {
  json::Writer writer;
  writer.begin_object().member("problems", static_cast<std::int64_t>(problems()));
  writer.key("findings").begin_array();
  for (const Finding& finding : findings_) {
    writer.begin_object().member("check", finding.check);
    writer.member("level", level_name(finding.level)).member("text", finding.text);
    if (!finding.fix.empty()) writer.member("fix", finding.fix);
    writer.end_object();
  }
  writer.end_array().end_object();
  terminal.out_line(std::move(writer).finish());
}

}  // namespace enfold::cli

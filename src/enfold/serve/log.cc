// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/log.h"

#include "enfold/base/hidden_text.h"
#include "enfold/json/write.h"
#include "enfold/net/file_descriptor.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace enfold::serve {
namespace {

std::string_view name(LogLine::Level level) {
  switch (level) {
    case LogLine::Level::info: return "info";
    case LogLine::Level::warning: return "warning";
    case LogLine::Level::error: return "error";
  }
  return "info";
}

// Whether a value needs no quotes; from '-' to ':' are - . / the digits and :.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '-' && c <= ':') || c == '_';
  });
}

// Appends " key=value"; nothing if the value is empty.
void add(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out.append(" ").append(key).append("=");
  is_plain(value) ? out.append(value) : out.append(json::quote(visible_line(value)));
}

// 2026-11-15T12:00:00.000Z
std::string time_text(LogTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

LogTime now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

// Standard error may be a pipe that no program reads. A thread that waits for its reader would
// serve no client, so lines that have no room are left out, and the next line says how many.
class StandardError {
 public:
  using ToText = std::string (*)(const LogLine&, LogTime);

  void write(const LogLine& line, ToText to_text) {
    const std::lock_guard lock(mutex_);
    if (left_out_ > 0 && put(to_text(report(), now()))) left_out_ = 0;
    if (left_out_ > 0 || !put(to_text(line, now()))) ++left_out_;
  }

 private:
  [[nodiscard]] LogLine report() const {
    return {.level = LogLine::Level::warning,
            .event = "log_lines_left_out",
            .note = fmt::format("{} lines, because no program read standard error", left_out_)};
  }

  static bool put(std::string text) {
    text += '\n';
    return net::write_to_standard_error(text);
  }

  std::mutex mutex_;
  std::uint64_t left_out_ = 0;  ///< lines since the last one that was written
};

StandardError& standard_error() {
  static StandardError output;
  return output;
}

}  // namespace

std::string to_text(const LogLine& line) {
  std::string out;
  out.reserve(200);
  out += "level=";
  out += name(line.level);
  add(out, "event", line.event);
  add(out, "request_id", line.request_id);
  add(out, "upstream", line.upstream);
  add(out, "tool", line.tool);
  add(out, "principal", line.principal);
  add(out, "client_address", line.client_address);
  add(out, "outcome", line.outcome);
  add(out, "code", line.code);
  if (line.duration.count() > 0) {
    const auto tenths = (line.duration.count() + 50) / 100;
    fmt::format_to(std::back_inserter(out), " duration_ms={}.{}", tenths / 10, tenths % 10);
  }
  add(out, "note", line.note);
  return out;
}

std::string to_text(const LogLine& line, LogTime time) {
  return fmt::format("time={} {}", time_text(time), to_text(line));
}

std::string to_json(const LogLine& line, LogTime time) {
  json::Writer writer;
  const auto text = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) writer.member(key, value);
  };
  const auto number = [&](std::string_view key, std::uint64_t value) {
    if (value > 0) writer.member(key, static_cast<std::int64_t>(value));
  };
  writer.begin_object().member("time", time_text(time)).member("level", name(line.level));
  text("event", line.event);
  text("request_id", line.request_id);
  text("upstream", line.upstream);
  text("tool", line.tool);
  text("principal", line.principal);
  text("client_address", line.client_address);
  text("outcome", line.outcome);
  text("code", line.code);
  if (line.duration.count() > 0) {
    const auto micros = line.duration.count();
    writer.key("ms").number(fmt::format("{}.{:03}", micros / 1000, micros % 1000));
  }
  number("tokens_before", line.weight.tokens_before);
  number("tokens_after", line.weight.tokens_after);
  text("fidelity", line.fidelity);
  number("bytes_in", line.weight.bytes_in);
  number("bytes_out", line.weight.bytes_out);
  number("archived_bytes", line.weight.archived_bytes);
  text("trace_id", line.trace_id);
  text("note", line.note);
  writer.end_object();
  return std::move(writer).finish().str();
}

void log_to_stderr(const LogLine& line) { standard_error().write(line, to_text); }

void log_json_to_stderr(const LogLine& line) { standard_error().write(line, to_json); }

Log stderr_log(bool as_json) { return as_json ? log_json_to_stderr : log_to_stderr; }

}  // namespace enfold::serve

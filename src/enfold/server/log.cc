// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/log.h"

#include "enfold/json/write.h"

#include <cstdio>
#include <fmt/core.h>

namespace enfold::server {
namespace {

std::string_view name(LogLine::Level level) {
  switch (level) {
    case LogLine::Level::info: return "info";
    case LogLine::Level::warning: return "warning";
    case LogLine::Level::error: return "error";
  }
  return "info";
}

bool is_plain(std::string_view text) {
  return text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "_-.:/") == std::string_view::npos;
}

void add(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out.append(" ").append(key).append("=");
  out += is_plain(value) ? std::string(value) : json::quote(value);
}

}  // namespace

std::string to_text(const LogLine& line) {
  std::string out = "level=";
  out += name(line.level);
  add(out, "event", line.event);
  add(out, "request_id", line.request_id);
  add(out, "tool", line.tool);
  add(out, "outcome", line.outcome);
  add(out, "code", line.code);
  if (line.duration.count() > 0) {
    out += fmt::format(" duration_ms={:.1f}", static_cast<double>(line.duration.count()) / 1000.0);
  }
  add(out, "note", line.note);
  return out;
}

void log_to_stderr(const LogLine& line) {
  const std::string text = to_text(line) + "\n";
  // One call, so that lines of several threads do not mix.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace enfold::server

// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/log.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <iterator>

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
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '-' && c <= ':') || c == '_';
  });
}

void add(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out.append(" ").append(key).append("=");
  is_plain(value) ? out.append(value) : out.append(json::quote(value));
}

}  // namespace

std::string to_text(const LogLine& line) {
  std::string out;
  out.reserve(160);
  out += "level=";
  out += name(line.level);
  add(out, "event", line.event);
  add(out, "request_id", line.request_id);
  add(out, "tool", line.tool);
  add(out, "outcome", line.outcome);
  add(out, "code", line.code);
  if (line.duration.count() > 0) {
    const auto tenths = (line.duration.count() + 50) / 100;
    fmt::format_to(std::back_inserter(out), " duration_ms={}.{}", tenths / 10, tenths % 10);
  }
  add(out, "note", line.note);
  return out;
}

void log_to_stderr(const LogLine& line) {
  const std::string text = to_text(line) += '\n';
  // One call, so that lines of several threads do not mix.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace enfold::server

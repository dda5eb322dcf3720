// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/sse.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The text without line ends, and optionally without NUL.
std::string one_line(std::string_view text, bool without_nul) {
  std::string out;
  for (const char c : text) {
    if (c != '\n' && c != '\r' && !(without_nul && c == '\0')) out.push_back(c);
  }
  return out;
}

void append_field(std::string& out, std::string_view field, std::string_view value) {
  out.append(field).append(": ").append(value).push_back('\n');
}

// A field `data` for each line.
void append_data(std::string& out, std::string_view data) {
  while (true) {
    const std::size_t end = data.find_first_of("\r\n");
    append_field(out, "data", data.substr(0, end));
    if (end == std::string_view::npos) return;
    const bool is_crlf = data[end] == '\r' && data.substr(end + 1).starts_with('\n');
    data.remove_prefix(end + (is_crlf ? 2 : 1));
  }
}

}  // namespace

std::string encode(const SseEvent& event) {
  std::string out;
  out.reserve(event.data.size() + 64);
  if (!event.event.empty())
    append_field(out, "event", one_line(event.event, /*without_nul=*/false));
  if (event.id) append_field(out, "id", one_line(*event.id, /*without_nul=*/true));
  if (event.retry) append_field(out, "retry", std::to_string(event.retry->count()));
  append_data(out, event.data);
  out.push_back('\n');
  return out;
}

std::string message_event(std::string_view message, std::string_view event_id) {
  std::string out;
  out.reserve(message.size() + 64);
  out = "event: message\n";
  if (!event_id.empty()) append_field(out, "id", one_line(event_id, /*without_nul=*/true));
  append_data(out, message);
  out.push_back('\n');
  return out;
}

std::string priming_event(std::string_view id, std::optional<std::chrono::milliseconds> retry) {
  return encode({.event = "", .data = "", .id = std::string(id), .retry = retry});
}

Status SseDecoder::feed(std::string_view bytes, std::vector<SseEvent>& out) {
  while (!bytes.empty() && !failed_) {
    // \r\n ends one line, also when the bytes are split between the two.
    if (after_cr_ && bytes.front() == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view part = bytes.substr(0, end);
    failed_ = line_.size() + pending_.data.size() + part.size() > max_event_bytes_;
    if (failed_) break;
    if (end == std::string_view::npos) {
      line_ += part;
      break;
    }
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (line_.empty()) {
      take_line(part, out);
    } else {
      line_ += part;
      take_line(line_, out);
      line_.clear();
    }
  }
  if (!failed_) return {};
  return fail(ErrorCode::limit_exceeded,
              fmt::format("expected an event of at most {} bytes, found more", max_event_bytes_),
              "event stream", "raise the limit on one message, or ask the peer for less");
}

void SseDecoder::take_line(std::string_view line, std::vector<SseEvent>& out) {
  if (at_start_ && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  at_start_ = false;
  if (line.empty()) {
    if (has_data_) out.push_back(std::move(pending_));
    pending_ = {};
    has_data_ = false;
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == 0) return;  // a comment
  std::string_view value;
  if (colon != std::string_view::npos) {
    value = line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
  }
  take_field(line.substr(0, colon), value);
}

void SseDecoder::take_field(std::string_view field, std::string_view value) {
  if (field == "data") {
    if (has_data_) pending_.data.push_back('\n');
    pending_.data += value;
    has_data_ = true;
  } else if (field == "event") {
    pending_.event = value;
  } else if (field == "id") {
    if (value.find('\0') != std::string_view::npos) return;
    pending_.id = value;
    last_event_id_ = value;
  } else if (field == "retry") {
    const bool digits = !value.empty() && std::all_of(value.begin(), value.end(),
                                                      [](char c) { return c >= '0' && c <= '9'; });
    std::int64_t number = 0;
    const auto end = value.data() + value.size();
    if (!digits || std::from_chars(value.data(), end, number).ec != std::errc()) return;
    pending_.retry = std::chrono::milliseconds(number);
    retry_ = pending_.retry;
  }
}

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/record/event_stream.h"

#include "enfold/gateway/admin/http/request.h"
#include "enfold/gateway/admin/record/row.h"

#include <fmt/format.h>

namespace enfold::gateway {

EventStream::EventStream(net::Loop& loop, const Recorder& recorder,
                         std::function<void(json::Writer&)> write_state)
    : recorder_(recorder), write_state_(std::move(write_state)), timer_(loop, [this] { tick(); }) {}

void EventStream::open(net::Responder responder, IsAllowed is_allowed) {
  if (readers_.size() >= kMaxReaders) {
    responder.respond(error_reply(503, "limit_exceeded", "too many readers of the event stream",
                                  "close other pages of the dashboard"));
    return;
  }
  net::HttpResponse head;
  head.headers.add("Content-Type", "text/event-stream").add("Cache-Control", "no-store");
  add_security_headers(head.headers);
  head.body = ": enfold\n\n";
  net::BodyWriter writer = responder.stream(head);
  if (!writer.is_open()) return;
  Reader& reader = readers_.emplace_back();
  reader.writer = std::move(writer);
  reader.is_allowed = std::move(is_allowed);
  reader.last_id = recorder_.last_id();
  if (readers_.size() == 1) timer_.set_after(kPeriod);
  reader.writer.write(state_event());
}

void EventStream::end_refused() {
  readers_.remove_if([](Reader& reader) {
    if (!reader.writer.is_open()) return true;
    if (reader.is_allowed()) return false;
    reader.writer.end();
    return true;
  });
}

void EventStream::close_all() {
  for (Reader& reader : readers_) reader.writer.end();
  readers_.clear();
  timer_.cancel();
}

void EventStream::tick() {
  end_refused();
  if (readers_.empty()) return;
  timer_.set_after(kPeriod);
  ++periods_;
  for (Reader& reader : readers_) send_rows(reader);
  if (periods_ % kStatePeriods == 0) send_to_all(state_event());
  if (periods_ % kCommentPeriods == 0) send_to_all(": still here\n\n");
}

void EventStream::send_rows(Reader& reader) {
  const std::uint64_t last = recorder_.last_id();
  if (reader.last_id == last && reader.dropped == 0) return;
  if (reader.writer.queued() > kMaxQueued) {  // the reader does not keep up
    reader.dropped += last - reader.last_id;
    reader.last_id = last;
    return;
  }
  // Readers that got the same rows last share the text of the next ones.
  if (rows_to_ != last || rows_from_ != reader.last_id) {
    const auto& calls = recorder_.calls();
    const std::size_t wanted = std::min<std::uint64_t>(last - reader.last_id, kMaxRows);
    const std::size_t shown = std::min(wanted, calls.size());
    json::Writer writer;
    writer.begin_array();
    for (std::size_t i = calls.size() - shown; i < calls.size(); ++i) {
      write_row(writer, calls[i], recorder_);
    }
    rows_ = std::move(writer.end_array()).finish().str();
    rows_from_ = reader.last_id;
    rows_to_ = last;
    rows_left_out_ = last - reader.last_id - shown;
  }
  const std::uint64_t dropped = std::exchange(reader.dropped, 0) + rows_left_out_;
  reader.last_id = last;
  reader.writer.write(
      fmt::format("event: answers\ndata: {{\"answers\":{},\"dropped\":{}}}\n\n", rows_, dropped));
}

std::string EventStream::state_event() const {
  json::Writer writer;
  write_state_(writer.begin_object());
  return fmt::format("event: state\ndata: {}\n\n", std::move(writer.end_object()).finish().str());
}

void EventStream::send_to_all(std::string_view text) {
  for (Reader& reader : readers_) {
    if (reader.writer.queued() <= kMaxQueued) reader.writer.write(text);
  }
}

}  // namespace enfold::gateway

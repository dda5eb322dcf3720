// SPDX-License-Identifier: Apache-2.0
#include "enfold/client/detail/inbox.h"

#include "enfold/mcp/wire/protocol.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::client::detail {
namespace {

constexpr std::size_t kMaxHandledAtOnce = 256;                    // in one iteration of the loop
constexpr std::size_t kMaxWaitingBytes = std::size_t{128} << 20;  // messages of one connection

// What such a notification says is in its method.
bool is_list_change(std::string_view method) {
  using mcp::Method;
  const Method known = mcp::method_from_name(method);
  return known == Method::tools_changed || known == Method::prompts_changed ||
         known == Method::resources_changed;
}

}  // namespace

ReadMessage read_message(std::string_view bytes, const Limits& limits,
                         std::size_t max_notification_bytes) {
  ReadMessage read{mcp::read_messages(json::Buffer(bytes), limits), {}, {}};
  if (!read.messages) {
    if (read.messages.error().error.code == mcp::code::parse_error)
      read.beginning = mcp::read_cut_beginning(bytes);
    return read;
  }
  if (bytes.size() <= max_notification_bytes) return read;
  std::erase_if(read.messages->messages, [&](mcp::Message& message) {
    auto* const notification = std::get_if<mcp::Notification>(&message);
    if (notification == nullptr) return false;
    const std::size_t size = notification->params->raw().size();
    if (size <= max_notification_bytes) return false;
    constexpr std::size_t kShownOfMethod = 100;  // bytes
    read.dropped.push_back(fmt::format("{} of {} bytes was not forwarded: it has more than {}",
                                       notification->method.substr(0, kShownOfMethod), size,
                                       max_notification_bytes));
    notification->params = json::Value();
    return !is_list_change(notification->method);
  });
  return read;
}

void Inbox::keep_message(std::string_view bytes, std::optional<mcp::CallKey> about) {
  if (bytes.size() <= kMaxWaitingBytes - bytes_) {
    bytes_ += bytes.size();
    waiting_.push_back(
        {[this, text = std::string(bytes), about] { events_.on_message(text, about); },
         bytes.size()});
    return;
  }
  const Error error{ErrorCode::limit_exceeded,
                    fmt::format("a message of {} bytes was dropped: more than {} bytes wait",
                                bytes.size(), kMaxWaitingBytes),
                    {},
                    {}};
  keep([this, error, about] { events_.on_dropped(error, about); });
}

void Inbox::read(std::string_view bytes, std::optional<mcp::CallKey> about) {
  struct Job {
    std::string text;
    std::optional<ReadMessage> read;
  };
  const auto job = std::make_shared<Job>(Job{std::string(bytes), {}});
  is_reading_ = true;
  options_.work(
      job->text.size(),
      [job, limits = options_.limits, most = options_.max_notification_bytes] {
        job->read = read_message(job->text, limits, most);
      },
      lifetime_.guarded([this, job, about] {
        is_reading_ = false;
        const auto report = [this, job, about] {
          read_ = std::move(job->read);
          events_.on_message(job->text, about);
          read_.reset();
        };
        waiting_.push_front({report, 0});
        handle();
      }));
}

void Inbox::handle() {
  for (std::size_t handled = 0; !is_reading_ && !waiting_.empty(); ++handled) {
    if (handled == kMaxHandledAtOnce) {
      loop_.defer(lifetime_.guarded([this] { handle(); }));
      break;
    }
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    bytes_ -= next.bytes;
    is_handling_ = true;
    next.report();
    is_handling_ = false;
  }
  events_.on_handled();
}

void Inbox::clear() {
  waiting_.clear();
  bytes_ = 0;
}

}  // namespace enfold::client::detail

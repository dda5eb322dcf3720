// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/redis/reply.h"

#include <charconv>
#include <fmt/format.h>
#include <hiredis/hiredis.h>

namespace enfold::store::detail {
namespace {

struct KnownError {
  std::string_view words;  // with which Redis's message begins
  ErrorCode code;
  const char* hint;
};
constexpr KnownError kKnownErrors[] = {
    {"NOAUTH", ErrorCode::unauthorized, "Put user and password into the address of Redis."},
    {"WRONGPASS", ErrorCode::unauthorized, "Correct user and password in the address of Redis."},
    {"ERR AUTH", ErrorCode::unauthorized, "Remove the password: this server has none."},
    {"ERR DB index", ErrorCode::invalid_input, "Name a database that this server has, such as 0."},
    {"NOPERM", ErrorCode::unauthorized,
     "Allow this user EVALSHA, SCRIPT LOAD, SCAN, TIME and INFO."},
    {"MOVED", ErrorCode::unsupported, "Use the address of a proxy in front of the cluster."},
    {"ASK", ErrorCode::unsupported, "Use the address of a proxy in front of the cluster."},
    {"CROSSSLOT", ErrorCode::internal, ""},
    {"WRONGTYPE", ErrorCode::internal, "The keys enfold:* hold other data; remove them."},
    {"OOM", ErrorCode::unavailable, "Raise maxmemory, or lower the archive's size cap."},
    {"READONLY", ErrorCode::unavailable, "Use the address of the primary, not of a replica."},
    {"MISCONF", ErrorCode::unavailable, "Redis cannot write its own files; see its log."},
    {"LOADING", ErrorCode::unavailable, "Redis is starting; try again."},
};

// Whether the message begins with these words. In an error of a script, old versions of Redis write
// "ERR Error running script (…): " first. Elsewhere the words may be part of a key.
bool is_class_of(std::string_view words, std::string_view text) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return false;
  const std::string_view before = text.substr(0, at), after = text.substr(at + words.size());
  return (before.empty() || before.ends_with(": ") || before.ends_with(": -")) &&
         (after.empty() || after.starts_with(' '));
}

}  // namespace

void FreeReply::operator()(redisReply* reply) const { freeReplyObject(reply); }

bool ReplyView::is_null() const { return reply_ == nullptr || reply_->type == REDIS_REPLY_NIL; }
bool ReplyView::is_error() const { return reply_ != nullptr && reply_->type == REDIS_REPLY_ERROR; }
bool ReplyView::is_list() const { return reply_ != nullptr && reply_->type == REDIS_REPLY_ARRAY; }
std::size_t ReplyView::size() const { return is_list() ? reply_->elements : 0; }

ReplyView ReplyView::operator[](std::size_t index) const {
  return ReplyView(index < size() ? reply_->element[index] : nullptr);
}

std::string_view ReplyView::text() const {
  if (reply_ == nullptr) return {};
  if (reply_->type != REDIS_REPLY_STRING && reply_->type != REDIS_REPLY_STATUS && !is_error()) {
    return {};
  }
  return {reply_->str, reply_->len};
}

std::int64_t ReplyView::number() const {
  if (reply_ != nullptr && reply_->type == REDIS_REPLY_INTEGER) return reply_->integer;
  std::int64_t value = 0;
  const std::string_view digits = text();
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// READONLY: after a failover the address may lead to another server. NOSCRIPT: scripts are loaded
// when a connection is made.
bool needs_new_connection(std::string_view error) {
  return is_class_of("READONLY", error) || is_class_of("NOSCRIPT", error);
}

Error error_of(std::string_view text, const RedisAddress& address) {
  for (const KnownError& known : kKnownErrors) {
    if (is_class_of(known.words, text)) {
      return {known.code, fmt::format("Redis refused: {}", text), address.shown(), known.hint};
    }
  }
  return {ErrorCode::unavailable, fmt::format("Redis refused: {}", text), address.shown(), ""};
}

}  // namespace enfold::store::detail

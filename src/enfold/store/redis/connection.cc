// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/redis/connection.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <optional>
#include <sys/time.h>
#include <utility>

namespace enfold::store::detail {
namespace {

// hiredis writes with write(2), which ends the process when the server is gone. A library must not
// change how the program handles signals, so SIGPIPE is blocked in this thread only, and a pending
// one that was caused here is discarded.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoBrokenPipe() {
    if (!was_pending_) {
      const timespec at_once{0, 0};
      (void)sigtimedwait(&pipe_, nullptr, &at_once);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

// Synchronised clocks differ less than this; correcting smaller differences would only add the
// error of the measurement.
constexpr std::chrono::microseconds kClockTolerance = std::chrono::seconds(2);
constexpr auto kClockInterval = std::chrono::minutes(1);  // between two measurements

timeval to_timeval(std::chrono::milliseconds time) {
  return {static_cast<time_t>(time.count() / 1000),
          static_cast<suseconds_t>(time.count() % 1000 * 1000)};
}

struct KnownError {
  std::string_view words;  // that begin Redis's message
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

Error error_of(std::string_view text, const RedisAddress& address) {
  for (const KnownError& known : kKnownErrors) {
    if (is_class_of(known.words, text)) {
      return {known.code, fmt::format("Redis refused: {}", text), address.shown(), known.hint};
    }
  }
  return {ErrorCode::unavailable, fmt::format("Redis refused: {}", text), address.shown(), ""};
}

bool is_error(const redisReply* reply) { return reply->type == REDIS_REPLY_ERROR; }
std::string_view text_of(const redisReply* reply) { return {reply->str, reply->len}; }

constexpr std::string_view kForms =
    "Write redis://host:6379/0 or redis+unix:///path/of/socket, with user:password@ if needed.";

// The message does not contain the URL, because it may contain a password.
tl::unexpected<Error> bad(const std::string& problem) {
  return fail(ErrorCode::invalid_input, "the address of Redis " + problem, "", std::string(kForms));
}

std::optional<int> number(std::string_view text, int least, int most) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < least || value > most) return std::nullopt;
  return value;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const char* const begin = text.data() + i + 1;
    const auto [end, problem] = std::from_chars(begin, begin + 2, value, 16);
    if (problem != std::errc() || end != begin + 2) return std::nullopt;
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

// Moves USER:PASSWORD@ from the front of `rest` into the address; does nothing if there is no @.
Status take_login(std::string_view& rest, RedisAddress& address) {
  const std::size_t at = rest.rfind('@');
  if (at == std::string_view::npos) return {};
  const std::string_view login = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  const std::size_t colon = login.find(':');
  if (colon == std::string_view::npos) return bad("has a user without a password");
  const auto user = percent_decoded(login.substr(0, colon));
  const auto password = percent_decoded(login.substr(colon + 1));
  if (!user || !password) return bad("has a user or password with a broken %-escape");
  address.user = *user;
  address.password = *password;
  return {};
}

Status take_host(std::string_view rest, RedisAddress& address) {
  std::string_view port;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return bad("has a '[' without a ']'");
    address.host = rest.substr(1, end - 1);
    port = rest.substr(end + 1);
  } else {
    const std::size_t colon = rest.find(':');
    address.host = rest.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view() : rest.substr(colon);
  }
  if (address.host.empty()) return bad("has no host");
  if (port.empty()) return {};
  const auto value = port.starts_with(':') ? number(port.substr(1), 1, 65535) : std::nullopt;
  if (!value) return bad("has no port from 1 to 65535 behind its host");
  address.port = *value;
  return {};
}

Status take_database(std::string_view text, RedisAddress& address) {
  const auto value = number(text, 0, 1'000'000);
  if (!value) return bad("has no number for its database");
  address.database = *value;
  return {};
}

Result<RedisAddress> parse_socket(std::string_view rest) {
  RedisAddress address;
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return bad("has no path of a socket");
  std::string_view before = rest.substr(0, slash);
  ENFOLD_TRY(take_login(before, address));
  if (!before.empty()) return bad("has a host in front of the path of a socket");
  rest.remove_prefix(slash);
  const std::size_t query = rest.find("?db=");
  address.socket = rest.substr(0, query);
  if (query == std::string_view::npos) return address;
  ENFOLD_TRY(take_database(rest.substr(query + 4), address));
  return address;
}

Result<RedisAddress> parse_tcp(std::string_view rest) {
  RedisAddress address;
  ENFOLD_TRY(take_login(rest, address));
  const std::size_t slash = rest.find('/');
  ENFOLD_TRY(take_host(rest.substr(0, slash), address));
  if (slash == std::string_view::npos || slash + 1 == rest.size()) return address;
  ENFOLD_TRY(take_database(rest.substr(slash + 1), address));
  return address;
}

}  // namespace

void FreeReply::operator()(redisReply* reply) const { freeReplyObject(reply); }

bool ReplyView::is_null() const { return reply_ == nullptr || reply_->type == REDIS_REPLY_NIL; }
bool ReplyView::is_list() const { return reply_ != nullptr && reply_->type == REDIS_REPLY_ARRAY; }
std::size_t ReplyView::size() const { return is_list() ? reply_->elements : 0; }

ReplyView ReplyView::operator[](std::size_t index) const {
  return ReplyView(index < size() ? reply_->element[index] : nullptr);
}

std::string_view ReplyView::text() const {
  if (reply_ == nullptr) return {};
  if (reply_->type != REDIS_REPLY_STRING && reply_->type != REDIS_REPLY_STATUS) return {};
  return text_of(reply_);
}

std::int64_t ReplyView::number() const {
  if (reply_ != nullptr && reply_->type == REDIS_REPLY_INTEGER) return reply_->integer;
  std::int64_t value = 0;
  const std::string_view digits = text();
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

Instant system_time() {
  return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

RedisConnection::RedisConnection(RedisAddress address, std::chrono::milliseconds timeout,
                                 WallClock clock)
    : address_(std::move(address)), timeout_(timeout), clock_(clock) {}

RedisConnection::~RedisConnection() { disconnect(); }

void RedisConnection::disconnect() {
  if (context_ != nullptr) redisFree(context_);
  context_ = nullptr;
  script_ids_.clear();
}

Error RedisConnection::lost(std::string_view doing) const {
  const bool late = context_ != nullptr && context_->err == REDIS_ERR_IO &&
                    (errno == EAGAIN || errno == EWOULDBLOCK);
  const std::string_view why =
      context_ != nullptr && context_->err != 0 ? context_->errstr : "out of memory";
  return {late ? ErrorCode::timed_out : ErrorCode::unavailable,
          fmt::format("cannot {} Redis: {}", doing,
                      late ? fmt::format("no answer within {} ms", timeout_.count()) : why),
          address_.shown(), "See that the server runs and that this is its address."};
}

Status RedisConnection::connect() {
  disconnect();
  const timeval timeout = to_timeval(timeout_);
  context_ = address_.socket.empty()
                 ? redisConnectWithTimeout(address_.host.c_str(), address_.port, timeout)
                 : redisConnectUnixWithTimeout(address_.socket.c_str(), timeout);
  if (context_ == nullptr || context_->err != 0 || redisSetTimeout(context_, timeout) != REDIS_OK) {
    Error error = lost("connect to");
    disconnect();
    return tl::unexpected(std::move(error));
  }
  ENFOLD_TRY(log_in());
  measure_clock();
  return {};
}

Status RedisConnection::log_in() {
  std::vector<Words> commands;
  if (!address_.password.empty()) {
    commands.push_back(address_.user.empty() ? Words{"AUTH", address_.password}
                                             : Words{"AUTH", address_.user, address_.password});
  }
  const std::string database = fmt::format("{}", address_.database);
  // A Redis Cluster has only database 0 and no SELECT.
  if (address_.database != 0) commands.push_back({"SELECT", database});
  commands.push_back({"PING"});
  auto replies = exchange(commands);
  if (replies) return {};
  disconnect();
  return tl::unexpected(replies.error());
}

// If Redis does not answer, the old value stays; the next command reports the error.
void RedisConnection::measure_clock() {
  clock_measured_ = std::chrono::steady_clock::now();
  const Instant before = clock_();
  const auto replies = exchange({{"TIME"}});
  if (!replies || replies->front().view().size() != 2) return;
  const ReplyView time = replies->front().view();
  const Instant ours = before + (clock_() - before) / 2;
  const std::chrono::microseconds server(time[0].number() * 1'000'000 + time[1].number());
  const std::chrono::microseconds ahead = server - ours.time_since_epoch();
  clock_offset_ = ahead > kClockTolerance || ahead < -kClockTolerance ? ahead.count() : 0;
}

Result<std::vector<Reply>> RedisConnection::exchange(const std::vector<Words>& commands) {
  const NoBrokenPipe guard;
  for (const Words& words : commands) {
    std::vector<const char*> begins;
    std::vector<std::size_t> sizes;
    for (const std::string_view word : words) {
      begins.push_back(word.data());
      sizes.push_back(word.size());
    }
    if (redisAppendCommandArgv(context_, static_cast<int>(words.size()), begins.data(),
                               sizes.data()) != REDIS_OK) {
      return tl::unexpected(lost("send to"));
    }
  }
  std::vector<Reply> replies;
  std::optional<Error> refused;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    void* raw = nullptr;
    if (redisGetReply(context_, &raw) != REDIS_OK) return tl::unexpected(lost("talk to"));
    auto* const reply = static_cast<redisReply*>(raw);
    if (is_error(reply) && !refused) refused = error_of(text_of(reply), address_);
    replies.emplace_back(reply);
  }
  if (refused) return tl::unexpected(*std::move(refused));
  return replies;
}

Result<std::vector<Reply>> RedisConnection::pipeline(const std::vector<Words>& commands) {
  const bool fresh = context_ == nullptr;
  if (fresh) {
    ENFOLD_TRY(connect());
  } else if (std::chrono::steady_clock::now() - clock_measured_ > kClockInterval) {
    measure_clock();
  }
  auto replies = exchange(commands);
  // After an error reply the connection is still usable; after any other error it is not.
  if (replies || context_->err == 0) return replies;
  const bool late = replies.error().code == ErrorCode::timed_out;
  disconnect();
  if (fresh || late) return replies;
  return pipeline(commands);
}

Result<Reply> RedisConnection::command(const Words& words) {
  ENFOLD_TRY(auto replies, pipeline({words}));
  return std::move(replies.front());
}

Result<Reply> RedisConnection::run(const char* script, const Words& keys, const Words& arguments) {
  for (int attempt = 0;; ++attempt) {
    if (!script_ids_.contains(script)) {
      ENFOLD_TRY(const Reply loaded, command({"SCRIPT", "LOAD", script}));
      script_ids_[script] = loaded.view().text();
    }
    const std::string id = script_ids_[script];
    const std::string count = fmt::format("{}", keys.size());
    Words words{"EVALSHA", id, count};
    words.insert(words.end(), keys.begin(), keys.end());
    words.insert(words.end(), arguments.begin(), arguments.end());
    auto reply = command(words);
    // A server that was restarted, or that replaced another one, does not know the script yet.
    const bool unknown =
        !reply && reply.error().message.find("NOSCRIPT") != std::string::npos && attempt < 2;
    if (!unknown) return reply;
    script_ids_.erase(script);
  }
}

tl::unexpected<Error> RedisConnection::unexpected_reply() const {
  return fail(ErrorCode::internal, "Redis gave an unexpected reply", address_.shown(),
              "See that this is a Redis server and that other programs leave the keys enfold:* "
              "alone.");
}

std::string RedisAddress::shown() const {
  if (!socket.empty()) return fmt::format("redis+unix://{}?db={}", socket, database);
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format("redis://{}:{}/{}", is_ipv6 ? "[" + host + "]" : host, port, database);
}

Result<RedisAddress> parse_redis_url(std::string_view url) {
  constexpr std::string_view kTcp = "redis://";
  constexpr std::string_view kUnix = "redis+unix://";
  if (url.starts_with(kTcp)) return parse_tcp(url.substr(kTcp.size()));
  if (url.starts_with(kUnix)) return parse_socket(url.substr(kUnix.size()));
  if (url.starts_with("rediss://")) {
    return fail(ErrorCode::unsupported, "TLS to Redis is not supported", "",
                "Use a Unix socket or a private network, or a local TLS tunnel to the server.");
  }
  return bad("begins with neither redis:// nor redis+unix://");
}

}  // namespace enfold::store::detail

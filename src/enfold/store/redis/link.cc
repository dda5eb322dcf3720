// SPDX-License-Identifier: Apache-2.0
#include "enfold/store/redis/link.h"

#include "enfold/store/detail/backend.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <future>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace enfold::store::detail {
namespace {

// Pauses between attempts to reach a server that is down; each is twice as long as the one before.
// A new request ends the pause.
constexpr auto kFirstPause = std::chrono::milliseconds(50);
constexpr auto kLongestPause = std::chrono::milliseconds(1000);
// After an error that a new connection may cure (needs_new_connection), the connection is replaced,
// but not more often than this.
constexpr auto kReplaceInterval = std::chrono::milliseconds(100);
// The longest time that a caller waits: longer than the timeout, because the transfer of a large
// value may take longer.
constexpr auto kLongestTransfer = std::chrono::seconds(30);

bool is_failure_of_server(const Error& error) {
  return error.code == ErrorCode::unavailable || error.code == ErrorCode::timed_out ||
         error.code == ErrorCode::unauthorized;
}

}  // namespace

RedisLink::RedisLink(RedisAddress address, std::chrono::milliseconds timeout,
                     std::vector<const char*> scripts)
    : address_(std::move(address)),
      timeout_(timeout),
      scripts_(std::move(scripts)),
      wakeup_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

RedisLink::~RedisLink() {
  {
    const std::scoped_lock lock(mutex_);
    stops_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
  close(wakeup_);
}

void RedisLink::wake() const {
  const std::uint64_t one = 1;
  (void)!::write(wakeup_, &one, sizeof(one));
}

// The thread handles no signals: they are for the program's own threads.
void RedisLink::start() {
  if (thread_.joinable()) return;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { work(); });
    attempt_ = Clock::now();
  } catch (const std::exception&) {  // out of threads: `send` fails its request
    is_silent_ = true;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void RedisLink::send(RedisRequest request) {
  std::unique_lock lock(mutex_);
  start();
  const bool is_late = attempt_ && Clock::now() - *attempt_ > timeout_;
  if (!is_up_ && (is_silent_ || is_late)) {
    Error error = problem_ ? *problem_ : late_answer(address_, timeout_);
    lock.unlock();
    return finish(request, tl::unexpected(std::move(error)));
  }
  queue_.push_back(std::move(request));
  if (queue_.size() == 1) wake();
}

void RedisLink::finish(RedisRequest& request, Result<Reply> result) {
  {
    const std::scoped_lock lock(mutex_);
    if (!result) ++failures_;
    if (result) {
      problem_.reset();
    } else if (is_failure_of_server(result.error())) {
      problem_ = result.error();
    }
  }
  request.done(std::move(result));
}

Result<std::vector<Reply>> RedisLink::pipeline(const std::vector<Words>& commands) {
  std::vector<std::future<Result<Reply>>> waiting;
  for (const Words& words : commands) {
    RedisRequest request;
    request.add(words);
    auto promise = std::make_shared<std::promise<Result<Reply>>>();
    waiting.push_back(promise->get_future());
    request.done = [promise](Result<Reply> result) { promise->set_value(std::move(result)); };
    send(std::move(request));
  }
  const auto deadline = Clock::now() + kLongestTransfer;
  std::vector<Reply> replies;
  std::optional<Error> refused;
  for (auto& one : waiting) {
    if (one.wait_until(deadline) != std::future_status::ready) {
      return tl::unexpected(late_answer(address_, kLongestTransfer));
    }
    Result<Reply> reply = one.get();
    if (reply) {
      replies.push_back(*std::move(reply));
    } else if (!refused) {
      refused = std::move(reply).error();
    }
  }
  if (refused) return tl::unexpected(*std::move(refused));
  return replies;
}

Result<Reply> RedisLink::command(const Words& words) {
  ENFOLD_TRY(auto replies, pipeline({words}));
  return std::move(replies.front());
}

void RedisLink::run(const char* script, const Words& keys, const Words& arguments, Done done) {
  RedisRequest request;
  request.script = script;
  const std::string count = fmt::format("{}", keys.size());
  request.add({count});
  request.add(keys);
  request.add(arguments);
  request.done = std::move(done);
  send(std::move(request));
}

Result<Reply> RedisLink::run(const char* script, const Words& keys, const Words& arguments) {
  const auto promise = std::make_shared<std::promise<Result<Reply>>>();
  auto waiting = promise->get_future();
  run(script, keys, arguments,
      [promise](Result<Reply> result) { promise->set_value(std::move(result)); });
  if (waiting.wait_for(kLongestTransfer) == std::future_status::ready) return waiting.get();
  return tl::unexpected(late_answer(address_, kLongestTransfer));
}

void RedisLink::work() {
  auto pause = kFirstPause;
  for (;;) {
    auto wire = connect();
    const auto opened = Clock::now();
    Status ended;
    if (wire) {
      ended = serve(**wire);
      keep_for_next((*wire)->take_back(), ended);
    } else {
      ended = tl::unexpected(wire.error());
    }
    const bool is_late = !ended && ended.error().code == ErrorCode::timed_out;
    if (!wire || is_late) go_down(ended.error());
    {
      const std::scoped_lock lock(mutex_);
      if (stops_) break;
    }
    // If the server closes every connection at once, the next attempt follows only after a pause.
    const bool was_useful = wire && (ended || Clock::now() - opened > kFirstPause);
    if (!was_useful) wait_for_event(pause, nullptr);
    pause = was_useful ? kFirstPause : std::min(2 * pause, kLongestPause);
  }
  go_down({ErrorCode::unavailable, "the store is closed", address_.shown(), ""});
}

Result<std::unique_ptr<RedisWire>> RedisLink::connect() {
  const auto began = Clock::now();
  {
    const std::scoped_lock lock(mutex_);
    attempt_ = began;
    is_up_ = false;
  }
  ENFOLD_TRY(auto wire, RedisWire::connect(address_, timeout_));
  ENFOLD_TRY(shake_hands(*wire, began + timeout_));
  const std::scoped_lock lock(mutex_);
  attempt_.reset();
  is_up_ = true;
  is_silent_ = false;
  problem_.reset();
  return wire;
}

Status RedisLink::shake_hands(RedisWire& wire, Clock::time_point deadline) {
  std::vector<Words> commands;
  if (!address_.password.empty()) {
    commands.push_back(address_.user.empty() ? Words{"AUTH", address_.password}
                                             : Words{"AUTH", address_.user, address_.password});
  }
  const std::string database = fmt::format("{}", address_.database);
  // A Redis Cluster has only database 0 and no SELECT.
  if (address_.database != 0) commands.push_back({"SELECT", database});
  commands.push_back({"PING"});
  const std::size_t first_script = commands.size();
  for (const char* script : scripts_) commands.push_back({"SCRIPT", "LOAD", script});
  const std::size_t first_info = commands.size();
  commands.push_back({"INFO", "persistence"});
  commands.push_back({"INFO", "memory"});
  const auto replies = wire.exchange(commands, deadline);
  if (!replies && replies.error().code == ErrorCode::timed_out) {
    return tl::unexpected(late_answer(address_, timeout_));
  }
  if (!replies) return tl::unexpected(replies.error());
  for (std::size_t i = 0; i < first_info; ++i) {
    const ReplyView reply = (*replies)[i].view();
    if (reply.is_error()) return tl::unexpected(error_of(reply.text(), address_));
    if (i >= first_script) wire.know(scripts_[i - first_script], reply.text());
  }
  std::string info;  // stays empty if the login has no permission for INFO
  for (std::size_t i = first_info; i < commands.size(); ++i) {
    if (!(*replies)[i].view().is_error()) info += (*replies)[i].view().text();
  }
  const std::scoped_lock lock(mutex_);
  info_ = std::move(info);
  return {};
}

Status RedisLink::serve(RedisWire& wire) {
  is_stale_ = false;
  for (RedisRequest& request : std::exchange(again_, {})) wire.add(std::move(request));
  while (take_queue(wire)) {
    ENFOLD_TRY(wire.write());
    const auto since = wire.waits_since();
    const auto left =
        since ? std::chrono::ceil<std::chrono::milliseconds>(*since + timeout_ - Clock::now())
              : std::chrono::milliseconds(-1);
    wait_for_event(since ? std::max(left, std::chrono::milliseconds(0)) : left, &wire);
    ENFOLD_TRY(wire.read([this](RedisRequest request, Reply reply) {
      on_reply(std::move(request), std::move(reply));
    }));
    if (is_stale_) return {};
    const auto still = wire.waits_since();
    if (still && Clock::now() - *still >= timeout_) {
      return tl::unexpected(late_answer(address_, timeout_));
    }
  }
  return {};
}

bool RedisLink::take_queue(RedisWire& wire) {
  Requests taken;
  {
    const std::scoped_lock lock(mutex_);
    if (stops_) return false;
    taken.swap(queue_);
  }
  for (RedisRequest& request : taken) wire.add(std::move(request));
  return true;
}

void RedisLink::on_reply(RedisRequest request, Reply reply) {
  const ReplyView view = reply.view();
  if (!view.is_error()) return finish(request, std::move(reply));
  if (needs_new_connection(view.text()) && !request.was_sent &&
      Clock::now() - replaced_at_ > kReplaceInterval) {
    is_stale_ = true;
    request.was_sent = true;
    again_.push_back(std::move(request));
    return;
  }
  finish(request, tl::unexpected(error_of(view.text(), address_)));
}

void RedisLink::keep_for_next(Requests unanswered, const Status& ended) {
  if (is_stale_) replaced_at_ = Clock::now();
  for (RedisRequest& request : unanswered) {
    if (request.was_sent && !ended) {
      finish(request, tl::unexpected(ended.error()));
    } else {
      request.was_sent = true;
      again_.push_back(std::move(request));
    }
  }
}

// Fails all requests that wait. New requests wait for the next attempt to connect, or fail at once
// if the server did not answer.
void RedisLink::go_down(const Error& error) {
  Requests failed = std::exchange(again_, {});
  {
    const std::scoped_lock lock(mutex_);
    is_up_ = false;
    attempt_.reset();
    is_silent_ = error.code == ErrorCode::timed_out;
    problem_ = error;
    for (RedisRequest& request : queue_) failed.push_back(std::move(request));
    queue_.clear();
  }
  for (RedisRequest& request : failed) finish(request, tl::unexpected(error));
}

void RedisLink::wait_for_event(std::chrono::milliseconds most, const RedisWire* wire) const {
  pollfd wanted[2]{{wakeup_, POLLIN, 0}, {-1, 0, 0}};
  if (wire != nullptr) {
    wanted[1] = {wire->descriptor(),
                 static_cast<short>(wire->has_output() ? POLLIN | POLLOUT : POLLIN), 0};
  }
  (void)poll(wanted, 2, static_cast<int>(most.count()));
  std::uint64_t count = 0;
  (void)!::read(wakeup_, &count, sizeof(count));
}

Health RedisLink::health() const {
  const std::scoped_lock lock(mutex_);
  return {.is_up = !problem_,
          .failures = failures_,
          .problem = problem_ ? problem_->message : std::string()};
}

std::string RedisLink::info() const {
  const std::scoped_lock lock(mutex_);
  return info_;
}

tl::unexpected<Error> RedisLink::unexpected_reply() const {
  return fail(ErrorCode::internal, "Redis gave an unexpected reply", address_.shown(),
              "See that this is a Redis server and that other programs leave the keys enfold:* "
              "alone.");
}

Result<std::unique_ptr<RedisLink>> open_link(std::string_view url,
                                             std::chrono::milliseconds timeout,
                                             std::vector<const char*> scripts) {
  ENFOLD_TRY(auto address, parse_redis_url(url));
  auto link = std::make_unique<RedisLink>(std::move(address), timeout, std::move(scripts));
  const auto answer = link->command({"PING"});
  if (answer || answer.error().code == ErrorCode::unavailable ||
      answer.error().code == ErrorCode::timed_out) {
    return link;
  }
  return tl::unexpected(answer.error());
}

Instant system_time() {
  return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
}

}  // namespace enfold::store::detail

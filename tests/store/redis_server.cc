// SPDX-License-Identifier: Apache-2.0
#include "tests/store/redis_server.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <hiredis/hiredis.h>
#include <iterator>
#include <memory>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace enfold::store::testing {
namespace {

using Context = std::unique_ptr<redisContext, decltype(&redisFree)>;

bool answers(const std::string& socket) {
  const Context context(redisConnectUnix(socket.c_str()), &redisFree);
  if (context == nullptr || context->err != 0) return false;
  auto* const reply = static_cast<redisReply*>(redisCommand(context.get(), "PING"));
  const bool pong = reply != nullptr && reply->type == REDIS_REPLY_STATUS;
  freeReplyObject(reply);
  return pong;
}

std::string text_of(const redisReply* reply) {
  if (reply == nullptr) return "(no reply)";
  if (reply->type == REDIS_REPLY_INTEGER) return std::to_string(reply->integer);
  if (reply->type != REDIS_REPLY_ARRAY)
    return reply->str != nullptr ? std::string(reply->str, reply->len) : "";
  std::string out;
  for (std::size_t i = 0; i < reply->elements; ++i) out += text_of(reply->element[i]) + "\n";
  return out;
}

}  // namespace

RedisServer::RedisServer(Keeps keeps, std::vector<std::string> more_settings)
    : keeps_(keeps), more_settings_(std::move(more_settings)) {}

RedisServer::~RedisServer() { kill(); }

std::string RedisServer::start() {
  std::vector<std::string> words{"redis-server", "--port",      "0", "--unixsocket",
                                 socket(),       "--save",      "",  "--dir",
                                 folder_.path(), "--daemonize", "no"};
  if (keeps_ == Keeps::every_write) {
    words.insert(words.end(), {"--appendonly", "yes", "--appendfsync", "always"});
  }
  words.insert(words.end(), more_settings_.begin(), more_settings_.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const std::string log = folder_.file("log");
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // no server outlives a test that crashes
    const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!answers(socket())) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return "redis-server is not installed; run: tools/setup test";
      }
      std::ifstream said(log);
      return "redis-server does not start: " +
             std::string(std::istreambuf_iterator<char>(said), {});
    }
    if (std::chrono::steady_clock::now() > deadline) return "redis-server does not answer";
    poll(nullptr, 0, 2);
  }
  return "";
}

void RedisServer::kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void RedisServer::stop() const { ::kill(process_, SIGSTOP); }
void RedisServer::resume() const { ::kill(process_, SIGCONT); }

std::string RedisServer::tell(const std::vector<std::string>& words) const {
  const Context context(redisConnectUnix(socket().c_str()), &redisFree);
  if (context == nullptr || context->err != 0) return "(not connected)";
  std::vector<const char*> begins;
  std::vector<std::size_t> sizes;
  for (const std::string& word : words) {
    begins.push_back(word.data());
    sizes.push_back(word.size());
  }
  auto* const reply = static_cast<redisReply*>(
      redisCommandArgv(context.get(), static_cast<int>(words.size()), begins.data(), sizes.data()));
  std::string text = text_of(reply);
  freeReplyObject(reply);
  return text;
}

RedisServer* shared_redis() {
  static RedisServer server(RedisServer::Keeps::nothing);
  static const std::string problem = server.start();
  if (problem.empty()) return &server;
  ADD_FAILURE() << problem;
  return nullptr;
}

}  // namespace enfold::store::testing

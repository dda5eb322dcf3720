// SPDX-License-Identifier: Apache-2.0
#include "bench/stdio_load.h"

#include "bench/mcp_requests.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/core.h>
#include <map>
#include <poll.h>
#include <unistd.h>

namespace enfold::bench {
namespace {

using Clock = std::chrono::steady_clock;

// 0 for a line that answers nothing. Every server that is measured writes the id before the result.
std::size_t id_of(std::string_view line) {
  constexpr std::string_view key = "\"id\":";
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return 0;
  return std::strtoull(line.data() + at + key.size(), nullptr, 10);
}

double seconds_since(Clock::time_point when) {
  return std::chrono::duration<double>(Clock::now() - when).count();
}

}  // namespace

StdioLoad::StdioLoad(const std::vector<std::string>& command) {
  std::array<int, 2> down{};
  std::array<int, 2> up{};
  if (pipe2(down.data(), O_CLOEXEC) != 0 || pipe2(up.data(), O_CLOEXEC) != 0) give_up("no pipe");
  const auto began = Clock::now();
  child_ = std::make_unique<Child>(command, down[0], up[1]);
  close(down[0]);
  close(up[1]);
  to_ = down[1];
  from_ = up[0];
  send(kInitialize + "\n");
  read_lines([](std::string_view) {});
  greeting_ = seconds_since(began);
  send(kInitialized + "\n");
}

StdioLoad::~StdioLoad() {
  close(to_);
  close(from_);
}

void StdioLoad::send(const std::string& lines) const {
  if (write(to_, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size())) {
    give_up("a server on pipes does not read");
  }
}

void StdioLoad::read_lines(const std::function<void(std::string_view line)>& each) {
  std::array<char, 65'536> room;
  for (bool some = false; !some;) {
    pollfd waiting{from_, POLLIN, 0};
    if (poll(&waiting, 1, 10'000) <= 0) give_up("no answer for ten seconds");
    const ssize_t got = read(from_, room.data(), room.size());
    if (got <= 0) give_up("a server on pipes went away");
    unread_.append(room.data(), static_cast<std::size_t>(got));
    std::size_t done = 0;
    for (std::size_t end = unread_.find('\n', unread_.size() - static_cast<std::size_t>(got));
         end != std::string::npos; end = unread_.find('\n', done)) {
      each(std::string_view(unread_).substr(done, end - done));
      done = end + 1;
      some = true;
    }
    unread_.erase(0, done);
  }
}

std::string StdioLoad::exchange(const std::string& tool, const std::string& arguments) {
  const std::size_t id = ++last_id_;
  send(call_message(id, tool, arguments) + "\n");
  std::string found;
  while (found.empty()) {
    read_lines([&](std::string_view line) {
      if (id_of(line) == id) found = line;
    });
  }
  return found;
}

LoadResult StdioLoad::run(std::size_t in_flight, double seconds, const std::string& tool,
                          const std::string& arguments) {
  LoadResult result;
  std::map<std::size_t, Clock::time_point> sent;
  std::string lines;
  const auto next = [&](Clock::time_point now) {
    sent[++last_id_] = now;
    lines += call_message(last_id_, tool, arguments) += '\n';
  };
  const auto began = Clock::now();
  for (std::size_t i = 0; i < in_flight; ++i) next(began);
  while (!sent.empty()) {
    if (!lines.empty()) send(lines);
    lines.clear();
    read_lines([&](std::string_view line) {
      const auto found = sent.find(id_of(line));
      if (found == sent.end()) return;
      if (result.answers++ == 0) result.first_body = line;
      const auto now = Clock::now();
      result.waits.push_back(static_cast<std::uint32_t>(
          std::chrono::duration_cast<std::chrono::microseconds>(now - found->second).count()));
      sent.erase(found);
      if (seconds_since(began) < seconds) next(now);
    });
  }
  result.seconds = seconds_since(began);
  return result;
}

}  // namespace enfold::bench

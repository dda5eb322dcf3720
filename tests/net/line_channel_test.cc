// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/line_channel.h"

#include "tests/net/running_loop.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace enfold::net {
namespace {

struct PipeEnds {
  PipeEnds() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    reading.reset(ends[0]);
    writing.reset(ends[1]);
  }
  FileDescriptor reading;
  FileDescriptor writing;
};

void stop_blocking(const FileDescriptor& end) {
  ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

struct Channel {
  explicit Channel(const LineLimits& limits = {}) {
    stop_blocking(to_us.reading);
    stop_blocking(from_us.writing);
    stop_blocking(from_us.reading);
    channel = LineChannel::open(*loop, std::move(to_us.reading), std::move(from_us.writing), limits,
                                events())
                  .value();
  }
  LineEvents events() {
    LineEvents all;
    all.on_line = [this](std::string_view line) {
      lines.emplace_back(line);
      if (lines.size() == hold_after) channel->hold();
    };
    all.on_noise = [this](const Error& error) { noise.push_back(error); };
    all.on_end = [this] { ++ended; };
    all.on_failure = [this](const Error& error) { failures.push_back(error); };
    all.on_writable = [this] { ++drained; };
    return all;
  }
  void say(std::string_view bytes) const {
    ASSERT_EQ(::write(to_us.writing.get(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  std::string hear() {
    std::array<char, 65536> buffer;
    for (;;) {
      const ssize_t got = ::read(from_us.reading.get(), buffer.data(), buffer.size());
      if (got <= 0) return heard;
      heard.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }

  RunningLoop loop;
  PipeEnds to_us;
  PipeEnds from_us;
  std::string heard;
  std::vector<std::string> lines;
  std::vector<Error> noise;
  std::vector<Error> failures;
  std::size_t hold_after = 0;  ///< lines; 0: the channel is not held
  int ended = 0;
  int drained = 0;
  std::unique_ptr<LineChannel> channel;
};

TEST(LineChannel, reports_only_some_hundred_lines_in_one_iteration_of_the_loop) {
  Channel c;
  std::string noise;
  for (int i = 0; i < 9000; ++i) noise += fmt::format("{}\n", 10'000 + i);
  c.say(noise);
  std::size_t most = 0;
  for (std::size_t before = 0; before < 9000; before = c.lines.size()) {
    (*c.loop).turn(std::chrono::seconds(1));
    most = std::max(most, c.lines.size() - before);
    ASSERT_GT(c.lines.size(), before);
  }
  EXPECT_LT(most, 1000U);
  for (std::size_t i = 0; i < c.lines.size(); ++i)
    ASSERT_EQ(c.lines[i], std::to_string(10'000 + i));
}

TEST(LineChannel, reports_no_line_while_it_is_held) {
  Channel c;
  c.hold_after = 2;
  c.say("1\n2\n3\n4\n");
  ASSERT_TRUE(c.loop.until([&] { return c.lines.size() == 2; }));
  c.loop.settle();
  c.say("5\n");
  c.to_us.writing.reset();
  c.loop.settle();
  EXPECT_EQ(c.lines.size(), 2U);
  EXPECT_EQ(c.ended, 0);
  c.hold_after = 0;
  c.channel->release();
  ASSERT_TRUE(c.loop.until([&] { return c.ended == 1; }));
  EXPECT_EQ(c.lines, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
}

TEST(LineChannel, sends_and_receives_lines) {
  Channel c;
  c.say("{\"id\":1}\r\n\n{\"id\"");
  ASSERT_TRUE(c.loop.until([&] { return c.lines.size() == 1; }));
  c.say(":2}\n");
  ASSERT_TRUE(c.loop.until([&] { return c.lines.size() == 2; }));
  EXPECT_EQ(c.lines, (std::vector<std::string>{"{\"id\":1}", "{\"id\":2}"}));
  EXPECT_EQ(c.channel->send("a"), LineChannel::Sent::queued);
  EXPECT_EQ(c.channel->send("b"), LineChannel::Sent::queued);
  EXPECT_EQ(c.hear(), "");  // at the end of the turn, together
  c.loop.settle();
  EXPECT_EQ(c.hear(), "a\nb\n");
}

TEST(LineChannel, refuses_what_would_be_two_messages) {
  Channel c;
  EXPECT_EQ(c.channel->send("a\nb"), LineChannel::Sent::refused);
  c.loop.settle();
  EXPECT_EQ(c.hear(), "");
}

TEST(LineChannel, reports_noise_and_half_lines_and_goes_on) {
  LineLimits limits;
  limits.max_line_bytes = 1000;
  Channel c(limits);
  c.say(std::string(5000, 'x') + "\nafter\n" + std::string("\0\xFF\xFE\n", 4) + "half");
  ASSERT_TRUE(c.loop.until([&] { return c.lines.size() == 2; }));
  EXPECT_EQ(c.lines[0], "after");
  ASSERT_EQ(c.noise.size(), 1U);
  EXPECT_EQ(c.noise[0].code, ErrorCode::limit_exceeded);
  c.to_us.writing.reset();
  ASSERT_TRUE(c.loop.until([&] { return c.ended == 1; }));
  ASSERT_EQ(c.noise.size(), 2U);
  EXPECT_EQ(c.noise[1].code, ErrorCode::protocol_violation);
  EXPECT_TRUE(c.failures.empty());
  EXPECT_EQ(c.channel->send("still there"), LineChannel::Sent::queued);
  c.loop.settle();
  EXPECT_EQ(c.hear(), "still there\n");
}

TEST(LineChannel, says_full_then_refuses_a_peer_that_does_not_read_and_calls_when_it_did) {
  LineLimits limits;
  limits.high_water_bytes = 200'000;
  limits.max_queued_bytes = 400'000;
  Channel c(limits);
  const std::string line(9'999, 'x');
  std::vector<LineChannel::Sent> answers;
  for (int i = 0; i < 100; ++i) {
    answers.push_back(c.channel->send(line));
    c.loop->turn(Duration::zero());
  }
  EXPECT_EQ(answers.front(), LineChannel::Sent::queued);
  EXPECT_EQ(answers.back(), LineChannel::Sent::refused);
  EXPECT_LE(c.channel->queued(), 400'000U);
  const auto taken = static_cast<std::size_t>(
      100 - std::count(answers.begin(), answers.end(), LineChannel::Sent::refused));
  EXPECT_EQ(c.drained, 0);
  ASSERT_TRUE(c.loop.until([&] { return c.hear().size() == taken * 10'000; }));
  EXPECT_EQ(c.drained, 1);
  EXPECT_EQ(c.channel->send("x"), LineChannel::Sent::queued);
}

TEST(LineChannel, what_the_peer_said_before_it_closed_its_input_still_comes) {
  Channel c;
  c.from_us.reading.reset();
  c.say("last words\n");
  ASSERT_TRUE(c.loop.until([&] { return !c.failures.empty() && c.lines.size() == 1; }));
  EXPECT_EQ(c.failures.size(), 1U);
  EXPECT_EQ(c.channel->send("x"), LineChannel::Sent::refused);
  EXPECT_EQ(c.ended, 0);
  c.to_us.writing.reset();
  EXPECT_TRUE(c.loop.until([&] { return c.ended == 1; }));
}

TEST(LineChannel, finishing_sends_everything_first) {
  Channel c;
  const std::string line(99'999, 'y');
  for (int i = 0; i < 5; ++i) c.channel->send(line);
  c.channel->finish_output();
  EXPECT_EQ(c.channel->send("late"), LineChannel::Sent::refused);
  ASSERT_TRUE(c.loop.until([&] { return c.hear().size() == 500'000; }));
  c.loop.settle();
  char byte = 0;
  EXPECT_EQ(::read(c.from_us.reading.get(), &byte, 1), 0) << "the peer sees the end";
}

TEST(LineChannel, may_be_dropped_in_its_own_callbacks) {
  RunningLoop loop;
  PipeEnds in;
  PipeEnds out;
  stop_blocking(in.reading);
  stop_blocking(out.writing);
  std::unique_ptr<LineChannel> channel;
  int lines = 0;
  LineEvents events;
  events.on_line = [&](std::string_view) {
    ++lines;
    channel.reset();
  };
  channel =
      LineChannel::open(*loop, std::move(in.reading), std::move(out.writing), {}, std::move(events))
          .value();
  ASSERT_EQ(::write(in.writing.get(), "a\nb\nc\n", 6), 6);
  ASSERT_TRUE(loop.until([&] { return lines > 0; }));
  loop.settle();
  EXPECT_EQ(lines, 1);
}

TEST(LineChannel, reads_a_file_to_its_end_and_writes_one) {
  RunningLoop loop;
  std::FILE* input = std::tmpfile();
  std::FILE* output = std::tmpfile();
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "line " + std::to_string(i) + "\n";
  ASSERT_EQ(std::fwrite(text.data(), 1, text.size(), input), text.size());
  std::rewind(input);
  std::size_t lines = 0;
  bool ended = false;
  LineEvents events;
  std::unique_ptr<LineChannel> channel;
  events.on_line = [&](std::string_view line) {
    ++lines;
    channel->send(std::string(line));
  };
  events.on_end = [&] { ended = true; };
  channel = LineChannel::open(*loop, reopen_without_blocking(::fileno(input), true).value(),
                              reopen_without_blocking(::fileno(output), false).value(), {},
                              std::move(events))
                .value();
  ASSERT_TRUE(loop.until([&] { return ended && channel->queued() == 0; }));
  EXPECT_EQ(lines, 100'000U);
  ASSERT_EQ(std::fseek(output, 0, SEEK_END), 0);
  EXPECT_EQ(static_cast<std::size_t>(std::ftell(output)), text.size());
  (void)std::fclose(input);
  (void)std::fclose(output);
}

// A terminal gives one line with each read, however many there are.
TEST(LineChannel, reads_every_line_of_a_terminal) {
  const FileDescriptor keyboard(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_EQ(::grantpt(keyboard.get()), 0);
  ASSERT_EQ(::unlockpt(keyboard.get()), 0);
  FileDescriptor terminal(::open(::ptsname(keyboard.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  stop_blocking(terminal);
  RunningLoop loop;
  PipeEnds output;
  std::vector<std::string> lines;
  LineEvents events;
  events.on_line = [&](std::string_view line) { lines.emplace_back(line); };
  const auto channel = LineChannel::open(*loop, std::move(terminal), std::move(output.writing), {},
                                         std::move(events));
  ASSERT_TRUE(channel);
  constexpr std::string_view typed = "one\ntwo\nthree\n";
  ASSERT_EQ(::write(keyboard.get(), typed.data(), typed.size()),
            static_cast<ssize_t>(typed.size()));
  EXPECT_TRUE(loop.until([&] { return lines.size() == 3; }));
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"}));
}

TEST(LineChannel, leaves_the_flags_of_shared_descriptors_alone) {
  const PipeEnds pipe;
  std::array<int, 2> pair{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()), 0);
  const FileDescriptor one(pair[0]);
  const FileDescriptor two(pair[1]);
  for (const int descriptor : {pipe.reading.get(), one.get()}) {
    const Result<FileDescriptor> again = reopen_without_blocking(descriptor, true);
    ASSERT_TRUE(again);
    EXPECT_EQ(::fcntl(descriptor, F_GETFL) & O_NONBLOCK, 0);
    EXPECT_NE(::fcntl(again->get(), F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_NE(::fcntl(reopen_without_blocking(pipe.reading.get(), true)->get(), F_GETFL) & O_NONBLOCK,
            0);
  EXPECT_FALSE(reopen_without_blocking(-1, true));
}

TEST(LineChannel, works_over_sockets_that_block) {
  RunningLoop loop;
  std::array<int, 2> pair{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()), 0);
  RawPeer peer(pair[1]);
  std::vector<std::string> lines;
  LineEvents events;
  events.on_line = [&](std::string_view line) { lines.emplace_back(line); };
  FileDescriptor input(pair[0]);
  FileDescriptor output(::fcntl(pair[0], F_DUPFD_CLOEXEC, 3));
  const auto channel =
      LineChannel::open(*loop, std::move(input), std::move(output), {}, std::move(events)).value();
  peer.send("hello\n");
  ASSERT_TRUE(loop.until([&] { return lines.size() == 1; }));
  for (int i = 0; i < 100; ++i) channel->send(std::string(10'000, 'z'));
  EXPECT_TRUE(loop.until([&] { return peer.received().size() == 100 * 10'001; }));
}

}  // namespace
}  // namespace enfold::net

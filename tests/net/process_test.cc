// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/process.h"

#include "enfold/net/line_channel.h"
#include "tests/net/running_loop.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <utility>
#include <vector>

namespace enfold::net {
namespace {

using std::chrono::seconds;

bool no_child_is_left() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

struct Child {
  explicit Child(std::vector<std::string> arguments) { options.arguments = std::move(arguments); }
  static Child shell(const std::string& script) { return Child({"sh", "-c", script}); }

  void start() {
    auto spawned = Process::spawn(*loop, options, [this](ProcessExit how) { exit = how; });
    ASSERT_TRUE(spawned) << spawned.error().message;
    process = std::move(*spawned);
    LineEvents events;
    events.on_line = [this](std::string_view line) { lines.emplace_back(line); };
    events.on_end = [this] { ended = true; };
    events.on_failure = [this](const Error& error) { failure = error; };
    channel = LineChannel::open(*loop, process->take_output(), process->take_input(), {},
                                std::move(events))
                  .value();
  }
  bool finishes() {
    return loop.until([this] { return exit.has_value() && ended; });
  }

  RunningLoop loop;
  ProcessOptions options;
  std::optional<ProcessExit> exit;
  std::vector<std::string> lines;
  std::optional<Error> failure;
  bool ended = false;
  std::unique_ptr<Process> process;
  std::unique_ptr<LineChannel> channel;
};

TEST(Process, inherits_only_the_variables_it_may) {
  ::setenv("ENFOLD_TEST_SECRET", "s3cret", 1);  // NOLINT: one thread
  ::setenv("ENFOLD_TEST_LOCALE_A", "a", 1);     // NOLINT
  const auto seen = [](std::optional<std::vector<std::string>> inherited) {
    Child child = Child::shell("echo \"$ENFOLD_TEST_SECRET,$ENFOLD_TEST_LOCALE_A,$ADDED\"");
    child.options.inherited_variables = std::move(inherited);
    child.options.environment = {{"ADDED", "1"}};
    child.start();
    EXPECT_TRUE(child.finishes());
    return child.lines.empty() ? std::string() : child.lines.front();
  };
  EXPECT_EQ(seen(std::nullopt), "s3cret,a,1");
  EXPECT_EQ(seen({{"PATH"}}), ",,1");
  EXPECT_EQ(seen({{"PATH", "ENFOLD_TEST_LOCALE_*"}}), ",a,1");
  EXPECT_EQ(seen({{"ENFOLD_TEST_SECRE", "ENFOLD_TEST_SECRETS"}}), ",,1");
  ::unsetenv("ENFOLD_TEST_SECRET");    // NOLINT
  ::unsetenv("ENFOLD_TEST_LOCALE_A");  // NOLINT
}

TEST(Process, keeps_within_its_limits) {
  Child free = Child::shell("grep NoNewPrivs /proc/self/status");
  free.start();
  ASSERT_TRUE(free.finishes());
  Child child = Child::shell("ulimit -c; ulimit -n; ulimit -v; grep NoNewPrivs /proc/self/status");
  child.options.limits = {true, true, 64, std::uint64_t{4} << 30};
  child.start();
  ASSERT_TRUE(child.finishes());
  EXPECT_EQ(child.lines, (std::vector<std::string>{"0", "64", "4194304", "NoNewPrivs:\t1"}));
}

TEST(Process, talks_in_lines_and_ends_when_its_input_ends) {
  Child cat({"cat"});
  cat.start();
  std::vector<std::string> want;
  for (int i = 0; i < 1000; ++i) {
    want.push_back("{\"id\":" + std::to_string(i) + "}");
    EXPECT_EQ(cat.channel->send(want.back()), LineChannel::Sent::queued);
  }
  ASSERT_TRUE(cat.loop.until([&] { return cat.lines.size() == 1000; }));
  EXPECT_EQ(cat.lines, want);
  cat.channel->finish_output();
  cat.process->stop();
  ASSERT_TRUE(cat.finishes());
  EXPECT_EQ(*cat.exit, (ProcessExit{0, 0}));
  cat.process.reset();
  EXPECT_TRUE(no_child_is_left());
}

TEST(Process, gets_arguments_environment_and_folder_as_given) {
  Child child = Child::shell("printf '%s\\n' \"$1\" \"$ENFOLD_TEST\" \"$HOME\" \"$(pwd)\"");
  child.options.arguments.insert(child.options.arguments.end(), {"sh", "a b\"c'd$e"});
  child.options.environment = {{"ENFOLD_TEST", "x=y z"}, {"HOME", "/nowhere"}};
  child.options.folder = "/";
  child.start();
  ASSERT_TRUE(child.finishes());
  EXPECT_EQ(child.lines, (std::vector<std::string>{"a b\"c'd$e", "x=y z", "/nowhere", "/"}));
}

TEST(Process, inherits_no_descriptor_beyond_its_pipes) {
  Child child = Child::shell("ls /proc/self/fd | wc -l");
  const FileDescriptor leak(::dup(0));  // without close-on-exec
  child.start();
  ASSERT_TRUE(child.finishes());
  EXPECT_EQ(child.lines, (std::vector<std::string>{"4"}));  // its three, and the folder it lists
}

TEST(Process, keeps_error_output_apart) {
  Child child = Child::shell("echo out; echo err >&2");
  child.start();
  std::vector<std::string> errors;
  bool errors_ended = false;
  LineEvents events;
  events.on_line = [&](std::string_view line) { errors.emplace_back(line); };
  events.on_end = [&] { errors_ended = true; };
  const auto channel =
      LineChannel::open(*child.loop, child.process->take_error_output(), {}, {}, std::move(events))
          .value();
  ASSERT_TRUE(child.finishes());
  ASSERT_TRUE(child.loop.until([&] { return errors_ended; }));
  EXPECT_EQ(child.lines, (std::vector<std::string>{"out"}));
  EXPECT_EQ(errors, (std::vector<std::string>{"err"}));
  EXPECT_EQ(channel->send("x"), LineChannel::Sent::refused);
}

TEST(Process, says_how_it_ended) {
  struct Case {
    const char* script;
    ProcessExit want;
    const char* text;
  };
  for (const Case& c : {Case{"exit 3", {3, 0}, "exit code 3"},
                        Case{"kill -KILL $$", {0, SIGKILL}, "signal 9 (Killed)"}}) {
    Child child = Child::shell(c.script);
    child.start();
    ASSERT_TRUE(child.finishes());
    EXPECT_EQ(*child.exit, c.want);
    EXPECT_EQ(child.exit->text(), c.text);
  }
}

TEST(Process, says_why_it_cannot_start) {
  RunningLoop loop;
  ProcessOptions options;
  options.arguments = {"enfold-no-such-program"};
  const auto missing = Process::spawn(*loop, options, [](ProcessExit) {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(missing.error().where, "enfold-no-such-program");
  EXPECT_FALSE(missing.error().hint.empty());
  options.arguments = {"/dev/null"};
  const auto forbidden = Process::spawn(*loop, options, [](ProcessExit) {});
  ASSERT_FALSE(forbidden);
  EXPECT_EQ(forbidden.error().code, ErrorCode::unauthorized);
  options.arguments = {"true"};
  options.folder = "/no/such/folder";
  EXPECT_FALSE(Process::spawn(*loop, options, [](ProcessExit) {}));
  EXPECT_FALSE(Process::spawn(*loop, {}, [](ProcessExit) {}));
  EXPECT_TRUE(no_child_is_left());
}

TEST(Process, is_judged_without_a_start_as_a_start_would_end) {
  RunningLoop loop;
  struct Case {
    const char* name;
    std::string program;
    std::string folder;
  };
  for (const Case& one : std::vector<Case>{{"by name", "true", ""},
                                           {"by place", "/bin/sh", ""},
                                           {"by place in its folder", "./sh", "/bin"},
                                           {"no such name", "enfold-no-such-program", ""},
                                           {"no such place", "/no/such/program", ""},
                                           {"no file of its folder", "./enfold-none", "/bin"},
                                           {"no program", "/dev/null", ""},
                                           {"folder", "/bin", ""},
                                           {"no such folder", "true", "/no/such/folder"},
                                           {"folder is a file", "true", "/dev/null"},
                                           {"nothing", "", ""}}) {
    SCOPED_TRACE(one.name);
    ProcessOptions options;
    options.arguments = {one.program};
    options.folder = one.folder;
    const auto started = Process::spawn(*loop, options, [](ProcessExit) {});
    const Status judged = check_program(options);
    EXPECT_EQ(judged.has_value(), started.has_value());
    if (!judged && !started) {
      EXPECT_EQ(judged.error(), started.error());
    }
  }
}

TEST(Process, that_ignores_the_end_of_its_input_is_terminated) {
  Child child =
      Child::shell("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done");
  child.start();
  ASSERT_TRUE(child.loop.until([&] { return child.lines.size() == 1; }));
  child.channel->finish_output();
  child.process->stop();
  child.loop.settle();
  EXPECT_TRUE(child.process->is_running());
  child.loop->advance(seconds(2));
  ASSERT_TRUE(child.finishes());
  EXPECT_EQ(child.lines.back(), "bye");
  EXPECT_EQ(*child.exit, (ProcessExit{0, 0}));
}

TEST(Process, that_ignores_termination_too_is_killed_with_all_it_started) {
  Child child = Child::shell(
      "trap '' TERM; (trap '' TERM; echo $(exec sh -c 'echo $PPID'); exec sleep 1000) & echo "
      "ready; wait; "
      "while :; do sleep 1000; done");
  child.start();
  ASSERT_TRUE(child.loop.until([&] { return child.lines.size() == 2; }));
  child.process->stop();
  child.loop.settle();
  child.loop->advance(seconds(2));
  child.loop.settle();
  EXPECT_TRUE(child.process->is_running());
  child.loop->advance(seconds(2));
  // The end of the output proves that the grandchild, which holds it too, is gone.
  ASSERT_TRUE(child.finishes());
  EXPECT_EQ(*child.exit, (ProcessExit{0, SIGKILL}));
}

TEST(Process, what_a_dead_process_left_behind_is_ended_after_the_grace) {
  Child child =
      Child::shell("(trap '' TERM; echo grandchild; exec sleep 1000) & sleep 0.05; exit 1");
  child.start();
  ASSERT_TRUE(child.loop.until([&] { return child.exit.has_value(); }));
  EXPECT_EQ(child.exit->code, 1);
  child.loop.settle();
  EXPECT_FALSE(child.ended);
  child.loop->advance(seconds(2));
  EXPECT_TRUE(child.finishes());
  EXPECT_TRUE(no_child_is_left());
}

TEST(Process, dropping_it_kills_it_and_leaves_no_zombie) {
  Child child({"sleep", "1000"});
  child.start();
  child.process.reset();
  EXPECT_TRUE(no_child_is_left());
  EXPECT_TRUE(child.loop.until([&] { return child.ended || child.failure; }));
  EXPECT_FALSE(child.exit);
}

TEST(Process, may_be_dropped_in_its_own_exit_handler) {
  RunningLoop loop;
  std::unique_ptr<Process> process;
  bool exited = false;
  ProcessOptions options;
  options.arguments = {"true"};
  process = Process::spawn(*loop, options, [&](ProcessExit) {
              process.reset();
              exited = true;
            }).value();
  EXPECT_TRUE(loop.until([&] { return exited; }));
  EXPECT_TRUE(no_child_is_left());
}

TEST(Process, writing_to_one_that_died_is_a_failure_not_a_signal) {
  Child child({"true"});
  child.start();
  ASSERT_TRUE(child.loop.until([&] { return child.exit.has_value(); }));
  for (int i = 0; i < 100 && !child.failure; ++i) {
    child.channel->send(std::string(10'000, 'x'));
    child.loop->turn(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(child.failure);
  EXPECT_EQ(child.failure->code, ErrorCode::unavailable);
  EXPECT_EQ(child.channel->send("x"), LineChannel::Sent::refused);
}

TEST(Process, one_that_does_not_read_is_noticed_and_one_that_floods_can_be_held) {
  Child deaf({"sleep", "1000"});
  deaf.start();
  const std::string line(100'000, 'x');
  int sent = 0;
  while (deaf.channel->send(line) == LineChannel::Sent::queued && sent < 1000) {
    ++sent;
    deaf.loop->turn(Duration::zero());
  }
  EXPECT_LT(sent, 15);

  Child flood({"yes"});
  flood.start();
  ASSERT_TRUE(flood.loop.until([&] { return flood.lines.size() > 1000; }));
  flood.channel->pause();
  flood.loop.settle();
  const std::size_t held_at = flood.lines.size();
  for (int i = 0; i < 20; ++i) flood.loop->turn(std::chrono::milliseconds(1));
  EXPECT_EQ(flood.lines.size(), held_at);
  flood.channel->resume();
  EXPECT_TRUE(flood.loop.until([&] { return flood.lines.size() > held_at + 1000; }));
}

TEST(Process, output_that_waits_when_it_exits_is_not_lost) {
  Child child = Child::shell("i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done");
  child.start();
  ASSERT_TRUE(child.finishes());
  ASSERT_EQ(child.lines.size(), 2000U);
  EXPECT_EQ(child.lines.back(), "line 1999");
}

}  // namespace
}  // namespace enfold::net

// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/log.h"

#include <algorithm>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace enfold::serve {
namespace {

using namespace std::chrono_literals;
constexpr LogTime kTime =
    std::chrono::sys_days(2026y / std::chrono::November / 5d) + 1h + 2min + 3s + 40ms;

LogLine call() {
  LogLine line;
  line.event = "call";
  line.request_id = "req_1";
  line.tool = "read";
  line.outcome = "ok";
  line.duration = std::chrono::microseconds(12'345);
  return line;
}

TEST(Log, says_in_text_what_a_call_came_to) {
  EXPECT_EQ(to_text(call(), kTime),
            "time=2026-11-05T01:02:03.040Z level=info event=call request_id=req_1 tool=read "
            "outcome=ok duration_ms=12.3");
  LogLine line = call();
  line.upstream = "files";
  line.principal = "anna";
  line.client_address = "192.0.2.7:50112";
  line.note = "two words";
  EXPECT_EQ(to_text(line, kTime),
            "time=2026-11-05T01:02:03.040Z level=info event=call request_id=req_1 upstream=files "
            "tool=read principal=anna client_address=192.0.2.7:50112 outcome=ok "
            "duration_ms=12.3 note=\"two words\"");
}

TEST(Log, has_no_line_that_a_value_has_forged) {
  LogLine line;
  line.event = "upstream_said";
  line.upstream = "files";
  line.note = "ok\ntime=2026-11-05T01:02:03.040Z level=info event=call\r\x1b[2J\u2028\u202E\xff\"";
  EXPECT_EQ(to_text(line, kTime),
            "time=2026-11-05T01:02:03.040Z level=info event=upstream_said upstream=files "
            R"(note="ok\\u{a}time=2026-11-05T01:02:03.040Z level=info event=call\\u{d}\\u{1b}[2J)"
            R"(\\u{2028}\\u{202e}\\xff\"")");
  EXPECT_EQ(to_json(line, kTime).find('\x1b'), std::string::npos);
}

// Standard error as a pipe, for the time of a test.
class PipedStandardError {
 public:
  PipedStandardError() : own_(::dup(STDERR_FILENO)) {
    EXPECT_EQ(::pipe(ends_), 0);
    ::dup2(ends_[1], STDERR_FILENO);
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~PipedStandardError() {
    ::dup2(own_, STDERR_FILENO);
    for (const int end : {ends_[0], ends_[1], own_}) ::close(end);
  }
  PipedStandardError(const PipedStandardError&) = delete;
  PipedStandardError& operator=(const PipedStandardError&) = delete;

  [[nodiscard]] std::string read_all() const {
    std::string all;
    char bytes[4096];
    for (ssize_t got = 0; (got = ::read(ends_[0], bytes, sizeof bytes)) > 0;) {
      all.append(bytes, static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  int own_;
  int ends_[2] = {-1, -1};
};

TEST(Log, does_not_wait_for_the_reader_of_standard_error) {
  const PipedStandardError pipe;
  constexpr std::size_t kLines = 5'000;
  for (std::size_t i = 0; i < kLines; ++i) log_to_stderr(call());
  const std::string first = pipe.read_all();
  const auto written = static_cast<std::size_t>(std::ranges::count(first, '\n'));
  EXPECT_LT(written, kLines);
  log_json_to_stderr(call());
  const std::string then = pipe.read_all();
  EXPECT_NE(then.find(R"("event":"log_lines_left_out")"), std::string::npos) << then;
  EXPECT_NE(then.find(std::to_string(kLines - written) + " lines"), std::string::npos) << then;
  EXPECT_NE(then.find(R"("event":"call")"), std::string::npos) << then;
}

TEST(Log, says_in_json_all_that_is_known_and_nothing_else) {
  const LogTime time = kTime;
  EXPECT_EQ(to_json(call(), time),
            R"({"time":"2026-11-05T01:02:03.040Z","level":"info","event":"call",)"
            R"("request_id":"req_1","tool":"read","outcome":"ok","ms":12.345})");
  LogLine line = call();
  line.level = LogLine::Level::warning;
  line.upstream = "files";
  line.principal = "anna";
  line.trace_id = "0af7651916cd43dd8448eb211c80319c";
  line.fidelity = "partial";
  line.code = "NOT_FOUND";
  line.note = "a\nline";
  line.weight = {1, 2, 3, 4, 5};
  EXPECT_EQ(to_json(line, time),
            R"({"time":"2026-11-05T01:02:03.040Z","level":"warning","event":"call",)"
            R"("request_id":"req_1","upstream":"files","tool":"read","principal":"anna",)"
            R"("outcome":"ok","code":"NOT_FOUND","ms":12.345,"tokens_before":3,"tokens_after":4,)"
            R"("fidelity":"partial","bytes_in":1,"bytes_out":2,"archived_bytes":5,)"
            R"("trace_id":"0af7651916cd43dd8448eb211c80319c","note":"a\nline"})");
}

}  // namespace
}  // namespace enfold::serve

// SPDX-License-Identifier: Apache-2.0
#include "enfold/serve/log.h"

#include <gtest/gtest.h>

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

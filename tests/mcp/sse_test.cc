// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/sse.h"

#include "tests/support/answers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace enfold::mcp {
namespace {

using std::chrono::milliseconds;

std::vector<SseEvent> decoded(std::string_view bytes) {
  SseDecoder decoder;
  std::vector<SseEvent> out;
  EXPECT_TRUE(decoder.feed(bytes, out));
  return out;
}

TEST(Sse, decodes_what_the_standard_says) {
  const struct {
    const char* name;
    std::string bytes;
    std::vector<SseEvent> want;
  } table[] = {
      {"one line", "data: a\n\n", {{"", "a", {}, {}}}},
      {"several lines", "data: a\ndata:\ndata: b\n\n", {{"", "a\n\nb", {}, {}}}},
      {"no space", "data:a\n\n", {{"", "a", {}, {}}}},
      {"one space only", "data:  a\n\n", {{"", " a", {}, {}}}},
      {"all line ends",
       "data: a\r\n\r\ndata: b\r\rdata: c\n\n",
       {{"", "a", {}, {}}, {"", "b", {}, {}}, {"", "c", {}, {}}}},
      {"byte order mark",
       "\xEF\xBB\xBF"
       "data: a\n\n",
       {{"", "a", {}, {}}}},
      {"comments", ": hi\n:\ndata: a\n: in between\n\n", {{"", "a", {}, {}}}},
      {"name, id, retry",
       "event: e\nid: 7\nretry: 500\ndata: a\n\n",
       {{"e", "a", "7", milliseconds(500)}}},
      {"priming", "id: 1\nretry: 5\ndata: \n\n", {{"", "", "1", milliseconds(5)}}},
      {"no data, no event", "event: e\nid: 3\n\n", {}},
      {"a name is forgotten", "event: e\n\ndata: a\n\n", {{"", "a", {}, {}}}},
      {"field without colon", "data\n\n", {{"", "", {}, {}}}},
      {"unknown field", "colour: red\ndata: a\n\n", {{"", "a", {}, {}}}},
      {"retry must be digits", "retry: 5x\nretry: -1\ndata: a\n\n", {{"", "a", {}, {}}}},
      {"retry too large", "retry: 99999999999999999999\ndata: a\n\n", {{"", "a", {}, {}}}},
      {"unfinished", "data: a\n", {}},
      {"id with NUL", std::string("id: a\0b\ndata: x\n\n", 17), {{"", "x", {}, {}}}},
  };
  for (const auto& row : table) EXPECT_EQ(decoded(row.bytes), row.want) << row.name;
}

TEST(Sse, remembers_the_last_id_also_of_an_event_without_data) {
  SseDecoder decoder;
  std::vector<SseEvent> out;
  ASSERT_TRUE(decoder.feed("id: 3\nretry: 20\n\ndata: a\n\n", out));
  EXPECT_EQ(decoder.last_event_id(), "3");
  EXPECT_EQ(decoder.retry(), milliseconds(20));
  ASSERT_TRUE(decoder.feed("id\ndata: b\n\n", out));
  EXPECT_EQ(decoder.last_event_id(), "");
}

TEST(Sse, refuses_an_event_beyond_the_limit_and_stays_refused) {
  for (const char* bytes : {"data: 0123456789012345678901234567890123",
                            "data: 0123456789\ndata: 0123456789\ndata: 0123456789\n"}) {
    SseDecoder decoder(32);
    std::vector<SseEvent> out;
    const Status status = decoder.feed(bytes, out);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::limit_exceeded);
    EXPECT_FALSE(decoder.feed("\n\n", out));
    EXPECT_TRUE(out.empty());
  }
  SseDecoder decoder(32);
  std::vector<SseEvent> out;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(decoder.feed("data: 0123456789\n\n", out));
  EXPECT_EQ(out.size(), 100U);
}

TEST(Sse, what_cannot_be_said_is_left_out) {
  const SseEvent odd{"a\nb", "x\ry\r\nz", std::string("1\0\n2", 4), {}};
  EXPECT_EQ(decoded(encode(odd)), (std::vector<SseEvent>{{"ab", "x\ny\nz", "12", {}}}));
}

TEST(Sse, a_message_is_one_event) {
  EXPECT_EQ(message_event(R"({"a":1})", "s-1"), "event: message\nid: s-1\ndata: {\"a\":1}\n\n");
  EXPECT_EQ(decoded(message_event("1")), (std::vector<SseEvent>{{"message", "1", {}, {}}}));
}

TEST(Sse, white_space_in_a_message_does_not_end_its_event) {
  EXPECT_EQ(decoded(message_event("{\n\n\"a\" :\r 1}", "7")),
            (std::vector<SseEvent>{{"message", "{\n\n\"a\" :\n 1}", "7", {}}}));
}

TEST(Sse, keep_alive_and_priming_have_no_message) {
  EXPECT_TRUE(decoded(kSseKeepAlive).empty());
  EXPECT_EQ(decoded(priming_event("9", milliseconds(5))),
            (std::vector<SseEvent>{{"", "", "9", milliseconds(5)}}));
}

std::string draw_line(const std::string& alphabet) {
  std::string out;
  for (int i = testing::draw_below(8); i > 0; --i) {
    out +=
        alphabet[static_cast<std::size_t>(testing::draw_below(static_cast<int>(alphabet.size())))];
  }
  return out;
}

SseEvent draw_event() {
  SseEvent event;
  if (testing::draw_chance(5)) event.event = draw_line("abc: \xC3\xA9");
  event.data = draw_line("a{}:\n \"data: \xEF\xBB\xBF");
  if (testing::draw_chance(4)) event.id = draw_line("0 :id-");
  if (testing::draw_chance(3)) event.retry = milliseconds(testing::draw_below(100'000));
  return event;
}

RC_GTEST_PROP(Sse, decode_of_encode_is_identity_for_every_split_of_bytes, ()) {
  std::vector<SseEvent> events;
  std::string bytes;
  for (int i = testing::draw_below(4); i >= 0; --i) {
    events.push_back(draw_event());
    bytes += encode(events.back());
    if (testing::draw_chance(2)) bytes += kSseKeepAlive;
  }
  // Any two cuts, and one byte at a time.
  for (std::size_t first = 0; first <= bytes.size(); ++first) {
    const std::size_t second =
        first +
        static_cast<std::size_t>(testing::draw_below(static_cast<int>(bytes.size() - first) + 1));
    SseDecoder decoder;
    std::vector<SseEvent> out;
    const std::string_view view = bytes;
    RC_ASSERT(decoder.feed(view.substr(0, first), out).has_value());
    RC_ASSERT(decoder.feed(view.substr(first, second - first), out).has_value());
    RC_ASSERT(decoder.feed(view.substr(second), out).has_value());
    RC_ASSERT(out == events);
  }
  SseDecoder decoder;
  std::vector<SseEvent> out;
  for (const char byte : bytes) RC_ASSERT(decoder.feed({&byte, 1}, out).has_value());
  RC_ASSERT(out == events);
}

RC_GTEST_PROP(Sse, line_ends_do_not_matter, ()) {
  const SseEvent event = draw_event();
  const std::string bytes = encode(event);
  for (const std::string end : {"\r\n", "\r"}) {
    std::string other;
    for (const char c : bytes) c == '\n' ? other += end : other += c;
    SseDecoder decoder;
    std::vector<SseEvent> out;
    for (const char byte : other) RC_ASSERT(decoder.feed({&byte, 1}, out).has_value());
    RC_ASSERT(out == std::vector<SseEvent>{event});
  }
}

}  // namespace
}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/line_channel.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

namespace enfold::net {
namespace {

struct Seen {
  std::vector<std::string> lines;
  std::vector<Error> oversize;
  std::vector<std::string> beginnings;
  std::vector<std::string> ends;
  LineEvents events;
  Seen() {
    events.on_line = [this](std::string_view line) { lines.emplace_back(line); };
    events.on_oversize = [this](const Error& error, std::string_view beginning) {
      oversize.push_back(error);
      beginnings.emplace_back(beginning);
    };
    events.on_skipped = [this](std::string_view end) { ends.emplace_back(end); };
  }
};

using Lines = std::vector<std::string>;

TEST(LineReader, cuts_at_line_feeds_and_drops_carriage_returns_and_empty_lines) {
  struct Case {
    const char* name;
    std::string input;
    Lines want;
  };
  const std::vector<Case> cases = {
      {"one", "a\n", {"a"}},
      {"two in one piece", "a\nb\n", {"a", "b"}},
      {"carriage return", "a\r\nb\r\n", {"a", "b"}},
      {"a carriage return inside stays", "a\rb\n", {"a\rb"}},
      {"empty lines", "\n\r\n\na\n\n", {"a"}},
      {"half a line is not a line", "a\nb", {"a"}},
      {"NUL is a byte like others", std::string("a\0b\n", 4), {std::string("a\0b", 3)}},
      {"nothing", "", {}},
  };
  for (const Case& c : cases) {
    Seen seen;
    LineReader reader(100);
    reader.feed(c.input, seen.events, false);
    EXPECT_EQ(seen.lines, c.want) << c.name;
    EXPECT_TRUE(seen.oversize.empty()) << c.name;
  }
}

TEST(LineReader, reports_half_a_line_at_the_end) {
  Seen seen;
  LineReader reader(100);
  reader.feed("whole\nhal", seen.events, false);
  const Status finished = reader.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::protocol_violation);
  EXPECT_EQ(finished.error().where, "line 2");
  EXPECT_NE(finished.error().message.find("3 bytes"), std::string::npos);
  EXPECT_TRUE(reader.finish());
}

TEST(LineReader, reports_an_oversized_line_once_keeps_none_of_it_and_goes_on_behind_it) {
  Seen seen;
  LineReader reader(8);
  reader.feed("ok\n", seen.events, false);
  for (int i = 0; i < 1000; ++i) {
    reader.feed("noise", seen.events, false);
    ASSERT_LE(reader.rest().size(), 8U);
  }
  reader.feed("\n12345678\n123456789\nlast\n", seen.events, false);
  EXPECT_EQ(seen.lines, (Lines{"ok", "12345678", "last"}));
  ASSERT_EQ(seen.oversize.size(), 2U);
  EXPECT_EQ(seen.oversize[0].code, ErrorCode::limit_exceeded);
  EXPECT_EQ(seen.oversize[0].where, "line 2");
  EXPECT_EQ(seen.oversize[1].where, "line 4");
  EXPECT_TRUE(reader.finish());
}

TEST(LineReader, shows_the_beginning_of_an_oversized_line_at_once_and_its_end_when_it_comes) {
  Seen seen;
  LineReader reader(8);
  reader.feed("abcdef", seen.events, false);
  reader.feed("ghijkl", seen.events, false);
  EXPECT_EQ(seen.beginnings, (Lines{"abcdefgh"}));
  EXPECT_TRUE(seen.ends.empty());
  const std::string noise(1000, 'x');
  reader.feed(noise, seen.events, false);
  reader.feed("the end\n0123456789\nok\n", seen.events, false);
  EXPECT_EQ(seen.beginnings, (Lines{"abcdefgh", "01234567"}));
  EXPECT_EQ(seen.ends,
            (Lines{noise.substr(0, LineReader::kKeptOfEnd - 7) + "the end", "0123456789"}));
  EXPECT_EQ(seen.lines, (Lines{"ok"}));
}

RC_GTEST_PROP(LineReader, sees_the_same_lines_however_the_bytes_are_cut,
              (const std::vector<std::string>& texts, const std::vector<std::uint8_t>& cuts)) {
  std::string whole;
  for (const std::string& text : texts) whole += text + "\n";
  Seen at_once;
  LineReader first(12);
  first.feed(whole, at_once.events, false);

  Seen in_pieces;
  LineReader second(12);
  std::size_t at = 0;
  for (std::size_t i = 0; at < whole.size(); ++i) {
    const std::size_t size = cuts.empty() ? 1 : cuts[i % cuts.size()] % 7 + std::size_t{1};
    second.feed(std::string_view(whole).substr(at, size), in_pieces.events, false);
    at += size;
  }
  RC_ASSERT(in_pieces.lines == at_once.lines);
  RC_ASSERT(in_pieces.oversize == at_once.oversize);
  RC_ASSERT(in_pieces.beginnings == at_once.beginnings);
  RC_ASSERT(in_pieces.ends == at_once.ends);
}

}  // namespace
}  // namespace enfold::net

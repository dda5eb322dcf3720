// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/shape.h"
#include "enfold/schema/schema.h"
#include "tests/support/cases.h"
#include "tests/support/results.h"

#include <array>
#include <gtest/gtest.h>
#include <map>

namespace enfold::answer {
namespace {

using contract::Id;

const schema::Schema& schema_of(Id id) {
  static std::map<Id, schema::Schema> compiled;
  auto found = compiled.find(id);
  if (found == compiled.end())
    found = compiled.emplace(id, *schema::Schema::compile(*contract::schema(id))).first;
  return found->second;
}

void check_valid(Id id, json::View document) {
  const auto validation = schema_of(id).validate(document);
  RC_ASSERT(validation.has_value());
  if (validation->valid) return;
  const schema::Violation& first = validation->violations.front();
  RC_FAIL(std::string(contract::name(id)) + " " + first.instance + ": expected " + first.expected +
          ", found " + first.found + "\n" + json::to_text(document));
}

constexpr std::array kContracts{Id::response_v2, Id::response_v1, Id::generic, Id::scalpel_v1,
                                Id::memory};

// Whatever comes in, what leaves is JSON, a valid MCP result, and valid in its contract.
TEST(Promise, always_valid) {
  testing::check_property("always_valid", testing::property_cases(2'000, 100'000), [] {
    const testing::RawResult raw = testing::draw_result();
    const auto document = json::parse(testing::draw_chance(5) ? json::pretty(raw.result.view())
                                                              : json::to_text(raw.result.view()));
    answer::ShapeSettings settings;
    settings.contract =
        kContracts[static_cast<std::size_t>(testing::draw_below(kContracts.size()))];
    settings.extensions = testing::draw_chance(5);
    const auto answer =
        answer::read_answer(*document, Id::mcp, settings, {.tool = testing::draw_word()});
    RC_ASSERT(answer.has_value());
    const auto result = json::parse(answer::write_result(*answer, settings)->str());
    RC_ASSERT(result.has_value());
    check_valid(Id::mcp, result->root());
    check_valid(settings.contract, *result->root().find("structuredContent"));
    // Both channels say the same.
    const auto text = json::parse(result->root().find("content")->item(0)->find("text")->string());
    RC_ASSERT(text.has_value());
    RC_ASSERT(json::equal(text->root(), *result->root().find("structuredContent")));
  });
}

// The same for documents that are in a contract already.
TEST(Promise, always_valid_for_converted_envelopes) {
  testing::check_property(
      "always_valid_for_converted_envelopes", testing::property_cases(2'000, 100'000), [] {
        const Id from =
            kContracts[static_cast<std::size_t>(testing::draw_below(kContracts.size()))];
        const json::Value source = testing::draw_document(from);
        answer::ShapeSettings settings;
        settings.contract =
            kContracts[static_cast<std::size_t>(testing::draw_below(kContracts.size()))];
        settings.extensions = testing::draw_chance(5);
        const auto document = json::parse(json::to_text(source.view()));
        const auto answer = answer::read_answer(*document, from, settings, {});
        RC_ASSERT(answer.has_value());
        const auto output = answer::write_envelope(*answer, settings);
        RC_ASSERT(output.has_value());
        check_valid(settings.contract, json::parse_own(output->str()).view());
      });
}

}  // namespace
}  // namespace enfold::answer

// SPDX-License-Identifier: Apache-2.0
// What holds for every JSON text, tried on generated ones.
#include "enfold/json/document.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "tests/json/texts.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold::json {
namespace {

using Choices = std::vector<std::uint8_t>;
using enfold::testing::check_property;
using enfold::testing::property_cases;
using testing::Node;
using testing::TextBuilder;

constexpr int kListLength = 300;

struct Generated {
  Node node;
  std::string text;
};

Generated build(const Choices& choices) {
  TextBuilder builder(choices);
  const std::string before = builder.space();
  Generated out{builder.value(), ""};
  out.text = before + out.node.text + builder.space();
  return out;
}

Document parsed(const std::string& text) {
  auto document = parse(text);
  if (!document) RC_FAIL(text + ": " + document.error().message + " at " + document.error().where);
  return std::move(*document);
}

// The other value differs from the first in a few choices only, so that they share most parts.
Choices changed(Choices choices) {
  if (choices.empty()) return choices;
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    const auto at = *rc::gen::inRange<std::size_t>(0, choices.size());
    choices[at] = *rc::gen::arbitrary<std::uint8_t>();
  }
  return choices;
}

void expect_same_walk(View view, const Node& node) {
  RC_ASSERT(view.kind() == node.kind);
  RC_ASSERT(view.raw() == node.text);
  RC_ASSERT(view.is_compact() == (node.text == node.minimal));
  RC_ASSERT(view.string() == node.decoded);
  RC_ASSERT(string_buffer(view).view() == node.decoded);
  RC_ASSERT(view.size() == node.children.size());
  RC_ASSERT(!view.item(node.children.size()));
  std::size_t index = 0;
  for (const View item : view.items()) {
    expect_same_walk(item, node.children.at(index));
    RC_ASSERT(view.item(index)->raw() == item.raw());
    ++index;
  }
  for (const Member& member : view.members()) {
    expect_same_walk(member.key, node.keys.at(index));
    expect_same_walk(member.value, node.children.at(index));
    RC_ASSERT(member.key.equals(node.keys.at(index).decoded));
    ++index;
  }
  RC_ASSERT(index == node.children.size());
  for (const auto& [key, value] : testing::by_key(node)) {
    const auto found = view.find(key);
    RC_ASSERT(found.has_value());
    RC_ASSERT(found->raw() == value->text);
    RC_ASSERT(Pointer({key}).resolve(view)->raw() == value->text);
  }
  RC_ASSERT(!view.find("no such key"));
}

TEST(JsonProperty, a_view_walks_what_the_text_says) {
  check_property(
      "json_view_equals_reference_walk", property_cases(2'000, 100'000),
      [](const Choices& choices) {
        const Generated made = build(choices);
        const Document document = parsed(made.text);
        expect_same_walk(document.root(), made.node);
        RC_ASSERT(document.bytes() == made.text);
      },
      kListLength);
}

TEST(JsonProperty, oddities_are_exactly_those_of_the_text) {
  check_property(
      "json_oddities_exact", property_cases(2'000, 100'000),
      [](const Choices& choices) {
        const Generated made = build(choices);
        const Oddities oddities = parsed(made.text).oddities();
        RC_ASSERT(oddities.duplicate_key_count == testing::repeated_keys(made.node));
        RC_ASSERT(oddities.duplicate_keys.size() ==
                  std::min<std::size_t>(16, oddities.duplicate_key_count));
        RC_ASSERT(oddities.lone_surrogate.has_value() == testing::has_lone_surrogate(made.node));
        RC_ASSERT(!oddities.wide_object);
      },
      kListLength);
}

TEST(JsonProperty, writing_takes_away_white_space_and_nothing_else) {
  check_property(
      "json_write_is_minimal", property_cases(2'000, 100'000),
      [](const Choices& choices) {
        const Generated made = build(choices);
        const Document document = parsed(made.text);
        const std::string written = to_text(document.root());
        RC_ASSERT(written == made.node.minimal);
        const Document again = parsed(written);
        RC_ASSERT(to_text(again.root()) == written);
        RC_ASSERT(equal(document.root(), again.root()));
      },
      kListLength);
}

TEST(JsonProperty, indented_text_reads_back_equal) {
  check_property(
      "json_pretty_reads_back", property_cases(2'000, 100'000),
      [](const Choices& choices) {
        const Generated made = build(choices);
        const Document document = parsed(made.text);
        const std::string indented = pretty(document.root());
        const Document again = parsed(indented);
        RC_ASSERT(equal(document.root(), again.root()));
        RC_ASSERT(to_text(again.root()) == made.node.minimal);
        RC_ASSERT(pretty(again.root()) == indented);
      },
      kListLength);
}

TEST(JsonProperty, equality_is_that_of_the_values) {
  check_property(
      "json_equality", property_cases(2'000, 100'000),
      [](const Choices& choices) {
        const Generated a = build(choices);
        const Generated b = build(changed(choices));
        const Document left = parsed(a.text);
        const Document right = parsed(b.text);
        const bool want = testing::same_value(a.node, b.node);
        RC_ASSERT(equal(left.root(), right.root()) == want);
        RC_ASSERT(equal(right.root(), left.root()) == want);
      },
      kListLength);
}

TEST(JsonProperty, a_difference_applied_gives_the_other_value) {
  check_property(
      "json_diff_apply", property_cases(2'000, 100'000),
      [](const Choices& choices) {
        const Generated a = build(choices);
        const Generated b = build(changed(choices));
        const Document from = parsed(a.text);
        const Document to = parsed(b.text);
        const auto changes = diff(from.root(), to.root());
        RC_ASSERT(changes.empty() == testing::same_value(a.node, b.node));
        RC_ASSERT(equal(apply(from.root(), changes).view(), to.root()));
        for (const Change& change : changes) {
          const auto before = Pointer::parse(change.pointer)->resolve(from.root());
          const auto after = Pointer::parse(change.pointer)->resolve(to.root());
          RC_ASSERT(before.has_value() == change.before.has_value());
          RC_ASSERT(after.has_value() == change.after.has_value());
          if (before) RC_ASSERT(equal(*before, change.before->view()));
          if (after) RC_ASSERT(equal(*after, change.after->view()));
        }
      },
      kListLength);
}

TEST(JsonProperty, a_value_keeps_its_document_alive_and_splices_anywhere) {
  check_property(
      "json_splice_verbatim", property_cases(2'000, 100'000),
      [](const Choices& choices) {
        const Generated made = build(choices);
        const Value kept = parsed(made.text).value();
        Writer writer;
        writer.begin_object().member("kept", kept).key("again").begin_array();
        writer.value(kept).value(kept).end_array().end_object();
        const std::string& text = made.node.minimal;
        RC_ASSERT(std::move(writer).finish().str() ==
                  "{\"kept\":" + text + ",\"again\":[" + text + "," + text + "]}");
      },
      kListLength);
}

}  // namespace
}  // namespace enfold::json

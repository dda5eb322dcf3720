// SPDX-License-Identifier: Apache-2.0
// Any payload, any budget: never over it, true when cut, valid against its schema, and the same
// again. The first three bytes choose the budget, the policy and how often the payload is repeated
// as a list; the rest is JSON, or else text. An input may hold a schema before the payload, with a
// record separator (0x1E) between them.
#include "enfold/budget/fit.h"

#include "fuzz/check.h"
#include "tests/budget/answer.h"
#include "tests/budget/truth.h"

#include <string>
#include <vector>

namespace enfold::fuzz {
namespace {

json::Value value_of(std::string_view text) {
  const auto document = json::parse(text);
  return document ? document->value() : json::string_value(text);
}

json::Value repeated(const json::Value& value, unsigned times) {
  if (times == 0) return value;
  json::Writer writer;
  writer.begin_array();
  for (unsigned i = 0; i < times; ++i) writer.value(value);
  writer.end_array();
  return std::move(writer).finish_value();
}

budget::Policy policy_of(unsigned choice) {
  budget::Policy policy;
  policy.columnar = (choice & 1U) != 0;
  if ((choice & 6U) == 2) policy.terms = {"a", "error"};
  if ((choice & 6U) == 4) policy.order_by = "-id";
  if ((choice & 24U) == 8) policy.drop = {"/*", "/items/*/a"};
  if ((choice & 24U) == 16) policy.keep = {"/a", "/*/a"};
  policy.clip = (choice & 32U) != 0 ? 24 : 160;
  return policy;
}

void check(std::string_view input) {
  if (input.size() < 3) return;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(input[i]); };
  const budget::Budget budget{128U + 8U * byte(0), byte(1) < 64 ? 600U + 16U * byte(1) : 1'000'000U,
                              std::nullopt};
  const budget::Policy policy = policy_of(byte(1));
  std::string_view rest = input.substr(3);
  std::optional<budget::OutputSchema> schema;
  if (const std::size_t cut = rest.find('\x1e'); cut != std::string_view::npos) {
    const auto text = json::parse(rest.substr(0, cut));
    auto compiled = text ? budget::OutputSchema::compile(text->value())
                         : Result<budget::OutputSchema>(fail(ErrorCode::invalid_input, ""));
    if (compiled) schema = *std::move(compiled);
    rest = rest.substr(cut + 1);
  }
  const json::Value payload = repeated(value_of(rest), byte(2) / 4U);
  const auto& tokenizer = token::o200k_base();
  const auto run = [&] {
    return budget::fit(payload.view(), budget, policy, schema ? &*schema : nullptr, tokenizer,
                       testing::measure_with(tokenizer));
  };
  const auto fitted = run();
  if (!fitted) {
    // Only the smallest numbers of characters leave no room for the envelope.
    require(budget.characters < 1'000, "every payload fits as a reference", input);
    return;
  }
  const std::string text = testing::answer_text(*fitted);
  require(budget::within(testing::size_of(text, tokenizer), budget), "never over budget", input);
  require(json::parse(text).has_value(), "the answer is JSON", input);
  require(text == testing::answer_text(*run()), "the same again", input);
  if (fitted->fidelity != model::Fidelity::partial) return;
  if (fitted->columnar.empty()) {
    testing::Missing missing;
    const testing::Marks marks = schema ? testing::Marks::optional : testing::Marks::needed;
    require(testing::is_true_cut(fitted->payload.view(), payload.view(), missing, "", marks),
            "true when cut", input);
  }
  if (schema && !fitted->schema_note) {
    const auto valid = schema->accepts(fitted->payload.view());
    require(!valid || *valid, "valid against its schema", input);
  }
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}

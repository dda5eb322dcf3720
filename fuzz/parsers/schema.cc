// SPDX-License-Identifier: Apache-2.0
// Any schema and any instance: compiling and validating end within their limits, both questions get
// one answer, and the schema's negation gets the opposite. The input is a schema and an instance
// with a record separator (0x1E) between them.
#include "enfold/schema/schema.h"

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "fuzz/check.h"

#include <string>

namespace enfold::fuzz {
namespace {

constexpr Limits kLimits{.max_depth = 64, .schema_steps = 100'000};

// A schema that refers to itself means something else inside another one.
void check_inside(std::string_view outer, std::string_view schema, json::View instance, bool want,
                  std::string_view input) {
  if (schema.find('$') != std::string_view::npos || schema.find("\\u") != std::string_view::npos)
    return;
  std::string text(outer);
  text.replace(text.find('S'), 1, schema);
  const auto document = json::parse(text);
  require(document.has_value(), "a schema inside another one is JSON", input);
  const auto compiled = schema::Schema::compile(document->value());
  if (!compiled) return;
  const auto verdict = compiled->accepts(instance, kLimits);
  require(!verdict || *verdict == want, outer.data(), input);
}

void check(std::string_view input) {
  const std::size_t cut = std::min(input.find('\x1e'), input.size());
  const std::string_view text = input.substr(0, cut);
  const auto schema = json::parse(text, kLimits);
  if (!schema) return;
  const auto compiled = schema::Schema::compile(schema->value());
  if (!compiled) {
    require(!compiled.error().message.empty(), "a refused schema says why", input);
    return;
  }
  const auto instance = json::parse(input.substr(std::min(cut + 1, input.size())), kLimits);
  if (!instance) return;
  const auto all = compiled->validate(instance->root(), kLimits);
  const auto first = compiled->accepts(instance->root(), kLimits);
  if (!all) return;
  require(first && *first == all->valid, "both questions get one answer", input);
  require(all->valid == all->violations.empty(), "what is invalid has violations", input);
  for (const schema::Violation& violation : all->violations) {
    const auto pointer = json::Pointer::parse(violation.instance);
    require(pointer && pointer->resolve(instance->root()), "a violation is at a value", input);
  }
  check_inside(R"({"not":S})", text, instance->root(), !all->valid, input);
  check_inside(R"({"anyOf":[S,false]})", text, instance->root(), all->valid, input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}

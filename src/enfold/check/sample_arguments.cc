// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/rules.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/schema/schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace enfold::check {
namespace {

constexpr double kLargestInteger = 9e18;  // larger numbers, written as doubles, exceed 64 bits
// A schema that requires more than these gets a sample that it does not accept, and so none.
constexpr std::size_t kDeepest = 16;         // nested schemas
constexpr std::size_t kMostItems = 8;        // of an array
constexpr std::size_t kLongestText = 1'000;  // bytes

std::string text_for(json::View schema) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> formats{
      {{"date", "2026-01-31"},
       {"date-time", "2026-01-31T12:00:00Z"},
       {"time", "12:00:00Z"},
       {"email", "ada@example.com"},
       {"uri", "https://example.com/"},
       {"url", "https://example.com/"},
       {"uuid", "00000000-0000-4000-8000-000000000000"},
       {"ipv4", "192.0.2.1"},
       {"hostname", "example.com"}}};
  std::string text = "example";
  if (const auto format = schema.find("format")) {
    for (const auto& [name, example] : formats) {
      if (format->equals(name)) text = example;
    }
  }
  const auto bound = [&](std::string_view name) {
    const auto member = schema.find(name);
    const auto number = member ? member->integer() : std::nullopt;
    return number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
  };
  if (const auto least = bound("minLength")) {
    text.resize(std::max(text.size(), std::min(*least, kLongestText)), 'x');
  }
  if (const auto most = bound("maxLength")) text.resize(std::min(text.size(), *most));
  return text;
}

double number_for(json::View schema, bool whole) {
  const auto bound = [&](std::string_view name) {
    const auto member = schema.find(name);
    return member ? member->real() : std::nullopt;
  };
  double number = 1;
  if (const auto most = bound("maximum")) number = std::min(number, *most);
  if (const auto most = bound("exclusiveMaximum"); most && number >= *most) number = *most - 1;
  if (const auto least = bound("minimum")) number = std::max(number, *least);
  if (const auto least = bound("exclusiveMinimum"); least && number <= *least) number = *least + 1;
  if (const auto step = bound("multipleOf"); step && *step > 0) {
    const double stepped = std::ceil(number / *step) * *step;
    if (std::isfinite(stepped)) number = stepped;
  }
  return whole ? std::ceil(number) : number;
}

// Writes a value for a schema: a simple guess, which sample_arguments then validates.
class SampleWriter {
 public:
  explicit SampleWriter(json::View root) : root_(root) {}

  void write(json::View schema, std::size_t depth) {
    if (depth > kDeepest || !schema.is_object()) {
      writer.null();
      return;
    }
    if (const auto value = provided(schema)) {
      writer.value(*value);
      return;
    }
    if (const auto other = replacement(schema)) {
      write(*other, depth + 1);
      return;
    }
    const std::string type = type_of(schema);
    if (type == "object") {
      object(schema, depth);
    } else if (type == "array") {
      array(schema, depth);
    } else if (type == "integer") {
      const double number = number_for(schema, true);
      std::abs(number) < kLargestInteger ? writer.integer(static_cast<std::int64_t>(number))
                                         : writer.real(number);
    } else if (type == "number") {
      writer.real(number_for(schema, false));
    } else if (type == "boolean") {
      writer.boolean(false);
    } else if (type == "null") {
      writer.null();
    } else {
      writer.string(text_for(schema));
    }
  }

  json::Writer writer;

 private:
  /// A value that the schema contains: const, default, an example or the first of enum.
  static std::optional<json::View> provided(json::View schema) {
    if (const auto one = schema.find("const")) return one;
    if (const auto one = schema.find("default")) return one;
    for (const std::string_view list : {"examples", "enum"}) {
      const auto found = schema.find(list);
      if (found && found->is_array() && found->size() > 0) return found->item(0);
    }
    return std::nullopt;
  }

  /// The schema to use instead: the target of a local $ref, or the first of anyOf, oneOf or allOf.
  [[nodiscard]] std::optional<json::View> replacement(json::View schema) const {
    if (const auto reference = schema.find("$ref"); reference && reference->is_string()) {
      const auto pointer = json::Pointer::parse(reference->string());
      return pointer ? pointer->resolve(root_) : std::nullopt;
    }
    if (schema.find("properties")) return std::nullopt;
    for (const std::string_view list : {"anyOf", "oneOf", "allOf"}) {
      const auto found = schema.find(list);
      if (!found || !found->is_array() || found->size() == 0) continue;
      return found->item(0);
    }
    return std::nullopt;
  }

  static std::string type_of(json::View schema) {
    const auto type = schema.find("type");
    if (type && type->is_string()) return type->string();
    if (type && type->is_array()) {
      for (const json::View one : type->items()) {
        if (!one.equals("null")) return one.string();
      }
      return "null";
    }
    return schema.find("properties") ? "object" : "string";
  }

  void object(json::View schema, std::size_t depth) {
    writer.begin_object();
    const auto required = schema.find("required");
    const auto properties = schema.find("properties");
    if (required && required->is_array()) {
      for (const json::View name : required->items()) {
        const std::string key = name.string();
        const auto property = properties ? properties->find(key) : std::nullopt;
        writer.key(key);
        write(property.value_or(empty_.view()), depth + 1);
      }
    }
    writer.end_object();
  }

  void array(json::View schema, std::size_t depth) {
    writer.begin_array();
    const auto least = schema.find("minItems");
    const auto items = schema.find("items");
    const auto wanted = least ? least->integer().value_or(0) : 0;
    const auto count =
        std::min<std::size_t>(wanted > 0 ? static_cast<std::size_t>(wanted) : 0, kMostItems);
    for (std::size_t i = 0; i < count; ++i) write(items.value_or(empty_.view()), depth + 1);
    writer.end_array();
  }

  json::View root_;
  json::Value empty_ = json::parse_own("{}");
};

}  // namespace

Result<json::Value> sample_arguments(const json::Value& input_schema) {
  SampleWriter sample(input_schema.view());
  sample.write(input_schema.view(), 0);
  json::Value arguments = std::move(sample.writer).finish_value();
  const Result<schema::Schema> schema = schema::Schema::compile(input_schema);
  // If the schema cannot be compiled, the arguments are used unchecked.
  const bool fits = !schema || schema->accepts(arguments.view()).value_or(false);
  if (arguments->is_object() && fits) return arguments;
  return fail(ErrorCode::unsupported,
              "no arguments could be generated that its input schema accepts", {},
              "write a call of it into a file for --calls");
}

}  // namespace enfold::check

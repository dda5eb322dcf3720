// SPDX-License-Identifier: Apache-2.0
#include "enfold/check/sample_leaf.h"

#include "enfold/base/text.h"
#include "enfold/check/pattern_example.h"
#include "enfold/schema/schema.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace enfold::check {
namespace {

constexpr double kLargestInteger = 9e18;     // larger ones may not fit into std::int64_t
constexpr std::size_t kLongestText = 1'000;  // bytes

/// Whether every part accepts a value, a text or a number. A part that cannot be compiled alone,
/// for example because it refers to another schema, is left out.
class Acceptance {
 public:
  explicit Acceptance(const SchemaParts& parts) {
    for (const json::View part : parts) {
      Result<schema::Schema> compiled = schema::Schema::compile(json::Value(part));
      if (compiled) schemas_.push_back(std::move(*compiled));
    }
  }
  [[nodiscard]] bool operator()(json::View value) const {
    return std::all_of(schemas_.begin(), schemas_.end(), [&](const schema::Schema& one) {
      return one.accepts(value).value_or(true);
    });
  }
  [[nodiscard]] bool text(std::string_view text) const {
    json::Writer writer;
    writer.string(text);
    return (*this)(std::move(writer).finish_value().view());
  }
  [[nodiscard]] bool number(double number) const {
    json::Writer writer;
    write_number(writer, number);
    return (*this)(std::move(writer).finish_value().view());
  }

 private:
  std::vector<schema::Schema> schemas_;
};

struct Format {
  std::string_view name;
  std::string_view example;
  std::string_view numbered;  ///< other values of the format: any digits can replace each #
};

// The example of a format for nth = 0, and for a larger one another value of the format.
std::string example_of_format(std::string_view format, std::size_t nth) {
  constexpr std::array<Format, 19> formats{
      {{"date", "2026-01-31", "2###-01-30"},
       {"date-time", "2026-01-31T12:00:00Z", "2###-01-30T12:00:00Z"},
       {"time", "12:00:00Z", "12:00:00.###Z"},
       {"duration", "P1D", "P###D"},
       {"email", "ada@example.com", "ada###@example.com"},
       {"idn-email", "ada@example.com", "ada###@example.com"},
       {"uri", "https://example.com/", "https://example.com/###"},
       {"url", "https://example.com/", "https://example.com/###"},
       {"iri", "https://example.com/", "https://example.com/###"},
       {"uri-reference", "https://example.com/", "https://example.com/###"},
       {"uri-template", "https://example.com/{id}", "https://example.com/###/{id}"},
       {"uuid", "00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000###"},
       {"ipv4", "192.0.2.1", "10.1##.10#.1"},
       {"ipv6", "2001:db8::1", "2001:db8::1:###"},
       {"hostname", "example.com", "example###.com"},
       {"idn-hostname", "example.com", "example###.com"},
       {"json-pointer", "/example", "/example###"},
       {"regex", "^a+$", "^a###$"},
       {"byte", "ZXhhbXBsZQ==", "ZX###XBsZQ=="}}};
  const auto known = std::ranges::find(formats, format, &Format::name);
  if (known == formats.end()) return nth == 0 ? "example" : std::to_string(nth + 1) + "example";
  if (nth == 0) return std::string(known->example);
  std::string made(known->numbered);
  std::size_t rest = nth;
  for (std::size_t at = made.rfind('#'); at != std::string::npos; at = made.rfind('#')) {
    made[at] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  }
  return made;
}

// The text with a length between minLength and maxLength: cut, or with x appended.
std::string with_length(std::string text, const SchemaParts& parts) {
  if (const auto least = count_in(parts, "minLength")) {
    text.resize(std::max(text.size(), std::min(*least, kLongestText)), 'x');
  }
  for (const json::View part : parts) {
    if (const auto most = count_in({part}, "maxLength")) text.resize(std::min(text.size(), *most));
  }
  return text;
}

// Adds texts that may match the patterns of the parts, from short to long.
void add_pattern_texts(const SchemaParts& parts, std::vector<std::string>& texts) {
  const std::size_t least = count_in(parts, "minLength").value_or(0);
  for (const json::View part : parts) {
    const auto pattern = part.find("pattern");
    if (!pattern || !pattern->is_string()) continue;
    const std::string source = pattern->string();
    for (std::size_t more = 0; more <= kLongestText; more = more < 16 ? more + 1 : more * 2) {
      auto text = pattern_example(source, more);
      if (!text) break;
      const bool is_long_enough = text->size() > least + 64;  // longer ones would not help
      texts.push_back(*text);
      texts.push_back(with_length(std::move(*text), parts));
      if (is_long_enough) break;
    }
    // The steps of `more` can miss a length that the schema needs: [a-z]{1,40} with minLength 33.
    if (auto text = pattern_example(source, least)) texts.push_back(std::move(*text));
  }
}

}  // namespace

std::optional<json::View> find_in(const SchemaParts& parts, std::string_view name) {
  for (const json::View part : parts) {
    if (const auto found = part.find(name)) return found;
  }
  return std::nullopt;
}

std::optional<std::size_t> count_in(const SchemaParts& parts, std::string_view name) {
  std::optional<std::size_t> largest;
  for (const json::View part : parts) {
    const auto member = part.find(name);
    const auto number = member ? member->real() : std::nullopt;
    if (!number || *number < 0 || *number >= kLargestInteger) continue;
    largest = std::max(largest.value_or(0), static_cast<std::size_t>(*number));
  }
  return largest;
}

std::optional<json::View> provided_value(const SchemaParts& parts, std::size_t nth) {
  std::vector<json::View> values;
  for (const std::string_view name : {"const", "examples", "example", "default", "enum"}) {
    for (const json::View part : parts) {
      const auto found = part.find(name);
      if (!found) continue;
      if (name != "examples" && name != "enum") values.push_back(*found);
      if (name != "examples" && name != "enum") continue;
      if (!found->is_array()) continue;
      for (const json::View one : found->items()) values.push_back(one);
    }
  }
  if (values.empty()) return std::nullopt;
  const Acceptance accepts(parts);
  std::vector<json::View> good;
  for (const json::View value : values) {
    const bool known = std::any_of(good.begin(), good.end(), [&](const json::View other) {
      return json::equal(other, value);
    });
    if (!known && accepts(value)) good.push_back(value);
    if (good.size() > nth) return good[nth];
  }
  return std::nullopt;
}

std::string text_for(const SchemaParts& parts, std::size_t nth) {
  const Acceptance accepts(parts);
  const auto format = find_in(parts, "format");
  const std::string name = format ? format->string() : std::string();
  if (nth > 0) {
    std::string another = example_of_format(name, nth);
    if (accepts.text(another)) return another;
  }
  std::vector<std::string> texts;
  texts.push_back(example_of_format(name, /*nth=*/0));
  texts.push_back(with_length(texts.front(), parts));
  add_pattern_texts(parts, texts);
  std::vector<std::string> good;
  for (std::string& text : texts) {
    const bool known = std::find(good.begin(), good.end(), text) != good.end();
    if (!known && accepts.text(text)) good.push_back(std::move(text));
    if (good.size() > nth) break;
  }
  return good.empty() ? "example" : good.back();
}

double number_for(const SchemaParts& parts, bool is_integer, std::size_t nth) {
  std::vector<double> bounds{1};
  double step = 1;
  for (const json::View part : parts) {
    if (const auto found = part.find("multipleOf"); found && found->real().value_or(0) > 0) {
      step = *found->real();
    }
    for (const std::string_view name :
         {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}) {
      const auto found = part.find(name);
      if (const auto number = found ? found->real() : std::nullopt) bounds.push_back(*number);
    }
  }
  // Candidates: first the bounds themselves, then numbers near them or between them.
  std::vector<double> numbers;
  for (const double bound : bounds) {
    for (const double base : {bound, std::ceil(bound / step) * step}) {
      numbers.push_back(base + static_cast<double>(nth) * step);
    }
  }
  for (const double bound : bounds) {
    for (const double base : {bound, std::floor(bound / step) * step}) {
      for (const double number : {base, base + step, base - step, base + 1, base - 1}) {
        numbers.push_back(number + static_cast<double>(nth) * step);
      }
    }
    for (const double other : bounds) numbers.push_back((bound + other) / 2);
  }
  numbers.push_back(0);
  const Acceptance accepts(parts);
  for (const double number : numbers) {
    if (!std::isfinite(number) || (is_integer && std::trunc(number) != number)) continue;
    if (accepts.number(number)) return number;
  }
  return 1;
}

void write_number(json::Writer& writer, double number) {
  const bool is_integer = std::trunc(number) == number && std::abs(number) < kLargestInteger;
  is_integer ? writer.integer(static_cast<std::int64_t>(number)) : writer.real(number);
}

}  // namespace enfold::check

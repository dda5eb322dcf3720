// SPDX-License-Identifier: Apache-2.0
// The only file that includes toml++, which takes seconds to compile.
#include "enfold/gateway/config/toml.h"

#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <sstream>

// toml++ asserts that a key begins validly before it checks this and reports an error. With NDEBUG,
// clang would assume that such an assertion holds and could drop the check. So NDEBUG is undefined
// and assertions do nothing, in all builds.
#undef NDEBUG
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// unicode.h of toml++ marks some code points around U+0100 as unreachable in its test for white
// space: undefined behaviour if one is in a file outside of quotes. There `unreachable` returns
// false instead.
#include <toml++/impl/forward_declarations.h>
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE return false
#include <toml++/impl/unicode.h>
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE __builtin_unreachable()
#include <toml++/toml.h>

namespace enfold::gateway {
namespace {

TextPlace place_of(const toml::source_position& position) {
  return {std::max<std::size_t>(position.line, 1), std::max<std::size_t>(position.column, 1)};
}

TextPlace place_of(const toml::source_region& region) { return place_of(region.begin); }

std::string place_text(const std::string& name, TextPlace place) {
  return fmt::format("{}, line {}, column {}", name, place.line, place.column);
}

// Writes the tables of toml++ as JSON and records places.
class Converter {
 public:
  Converter(Toml& out, json::Writer& writer, TomlExtras extras)
      : out_(out), writer_(writer), extras_(extras) {}

  [[nodiscard]] Status convert(const toml::node& node, const std::string& pointer) {
    out_.values[pointer] = place_of(node.source());
    out_.ends[pointer] = place_of(node.source().end);
    if (const toml::table* table = node.as_table()) return convert_table(*table, pointer);
    if (const toml::array* array = node.as_array()) return convert_array(*array, pointer);
    if (const auto* text = node.as_string()) {
      writer_.string(text->get());
    } else if (const auto* whole = node.as_integer()) {
      writer_.integer(whole->get());
    } else if (const auto* truth = node.as_boolean()) {
      writer_.boolean(truth->get());
    } else if (const auto* real = node.as_floating_point(); real && std::isfinite(real->get())) {
      writer_.real(real->get());
    } else if (extras_ == TomlExtras::as_text) {
      writer_.string(extra_text(node));
    } else {
      const bool is_number = node.is_floating_point();
      return fail(
          ErrorCode::invalid_input,
          fmt::format("{}: expected text, a number, true, false, a list or a table, found {}",
                      dotted(pointer), is_number ? "no finite number" : "a date or time"),
          place_text(out_.name, place_of(node.source())),
          is_number ? "write the number itself" : "put it into double quotes");
    }
    return {};
  }

 private:
  // A value that JSON does not have, as text.
  [[nodiscard]] static std::string extra_text(const toml::node& node) {
    std::ostringstream out;
    if (const auto* date = node.as_date()) out << date->get();
    if (const auto* time = node.as_time()) out << time->get();
    if (const auto* both = node.as_date_time()) out << both->get();
    if (const auto* real = node.as_floating_point()) out << real->get();
    return std::move(out).str();
  }

  [[nodiscard]] Status convert_table(const toml::table& table, const std::string& pointer) {
    if (table.is_inline()) out_.inline_tables.insert(pointer);
    writer_.begin_object();
    for (auto&& [key, value] : table) {
      const std::string inner = json::below(pointer, key.str());
      out_.keys[inner] = place_of(key.source());
      writer_.key(key.str());
      if (Status done = convert(value, inner); !done) return done;
    }
    writer_.end_object();
    return {};
  }

  [[nodiscard]] Status convert_array(const toml::array& array, const std::string& pointer) {
    writer_.begin_array();
    std::size_t index = 0;
    for (const toml::node& item : array) {
      if (Status done = convert(item, fmt::format("{}/{}", pointer, index++)); !done) return done;
    }
    writer_.end_array();
    return {};
  }

  Toml& out_;
  json::Writer& writer_;
  TomlExtras extras_;
};

constexpr std::size_t kMaxKeySteps = 64;

// Finds the first dotted key a.b.c… with more than kMaxKeySteps steps, which would make toml++
// recurse too deep. (toml++ itself limits nested brackets.)
std::optional<TextPlace> find_too_long_key(std::string_view text) {
  TextPlace place;
  std::size_t steps = 0;
  std::string_view quote;  // that opened the string at `i`; empty: `i` is in no string
  bool in_comment = false;
  for (std::size_t i = 0; i < text.size(); ++i, ++place.column) {
    const char c = text[i];
    std::size_t skipped = 0;  // bytes after this one
    if (c == '\n') {
      place = {place.line + 1, 0};
      steps = 0;
      if (quote.size() == 1) quote = {};
      in_comment = false;
    } else if (in_comment) {
      continue;
    } else if (!quote.empty()) {
      if (quote[0] == '"' && c == '\\' && text.substr(i + 1, 1) != "\n") {
        skipped = 1;
      } else if (text.substr(i).starts_with(quote)) {
        // The last three quotes close a string of several lines; those before them belong to it.
        if (quote.size() == 3)
          skipped = std::min(text.find_first_not_of(c, i), text.size()) - i - 1;
        quote = {};
      }
    } else if (c == '"' || c == '\'') {
      quote = text.substr(i, text.substr(i).starts_with(std::string(3, c)) ? 3 : 1);
      skipped = quote.size() - 1;
    } else if (c == '#') {
      in_comment = true;
    } else if (c == '.') {
      if (++steps > kMaxKeySteps) return place;
    } else if (std::string_view("=,[]{}").find(c) != std::string_view::npos) {
      steps = 0;
    }
    i += skipped;
    place.column += skipped;
  }
  return std::nullopt;
}

std::string_view parent_of(std::string_view pointer) {
  const std::size_t slash = pointer.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : pointer.substr(0, slash);
}

bool is_bare(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

std::string Toml::where(std::string_view pointer) const {
  for (;; pointer = parent_of(pointer)) {
    const auto found = values.find(pointer);
    if (found != values.end()) return place_text(name, found->second);
    if (pointer.empty()) return name;
  }
}

std::string Toml::where_key(std::string_view pointer) const {
  const auto found = keys.find(pointer);
  return found == keys.end() ? where(pointer) : place_text(name, found->second);
}

Result<Toml> read_toml(std::string_view text, std::string name, TomlExtras extras) {
  if (const auto place = find_too_long_key(text)) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected at most {} steps in a key, found more", kMaxKeySteps),
                place_text(name, *place), "is this the configuration?");
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return fail(ErrorCode::invalid_input, fmt::format("expected TOML: {}", error.description()),
                place_text(name, place_of(error.source())),
                "text needs double quotes; [NAME] begins a table");
  }
  Toml out;
  out.name = std::move(name);
  json::Writer writer;
  if (Status done = Converter(out, writer, extras).convert(parsed.table(), ""); !done) {
    return tl::unexpected(done.error());
  }
  out.values[""] = {};
  out.value = std::move(writer).finish_value();
  return out;
}

std::string dotted(std::string_view pointer) {
  const Result<json::Pointer> parsed = json::Pointer::parse(pointer);
  std::string out;
  if (!parsed) return out;
  for (const std::string& token : parsed->tokens()) {
    out += (out.empty() ? "" : ".") + toml_key(token);
  }
  return out;
}

// TOML uses the escapes of JSON and also forbids DEL.
std::string toml_string(std::string_view text) {
  std::string valid;  // without lone surrogates, which JSON can write and TOML cannot
  for (std::size_t at = 0; at < text.size();) utf8::append(valid, utf8::next(text, at));
  std::string out;
  for (const char c : json::quote(valid)) {
    if (c == '\x7f') {
      out += "\\u007F";
    } else {
      out += c;
    }
  }
  return out;
}

std::string toml_key(std::string_view text) {
  return is_bare(text) ? std::string(text) : toml_string(text);
}

}  // namespace enfold::gateway

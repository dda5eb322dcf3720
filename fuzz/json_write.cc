// SPDX-License-Identifier: Apache-2.0
// What is written reads back: minified, pretty, quoted, inside a string, and as a difference.
// An input may hold two texts with a record separator (0x1E) between them.
#include "enfold/base/text.h"
#include "enfold/json/document.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "fuzz/check.h"

#include <string>

namespace enfold::fuzz {
namespace {

json::Document parsed(const std::string& text, const char* claim, std::string_view input) {
  Result<json::Document> document = json::parse(text);
  require(document.has_value(), claim, input);
  return std::move(*document);
}

void check_strings(json::View value, std::string_view input) {
  if (value.is_string()) {
    const std::string decoded = value.string();
    const std::string quoted = json::quote(decoded);
    const json::Document again = parsed(quoted, "a quoted string is JSON", input);
    require(again.root().string() == decoded, "a quoted string reads back", input);
    require(value.equals(decoded), "a string equals its own text", input);
  }
  for (const json::View item : value.items()) check_strings(item, input);
  for (const json::Member& member : value.members()) {
    check_strings(member.key, input);
    check_strings(member.value, input);
    require(value.find(member.key.string()).has_value(), "a member is found by its key", input);
  }
}

void check_written(const json::Document& document, std::string_view input) {
  const json::View root = document.root();
  const std::string compact = json::to_text(root);
  const json::Document again = parsed(compact, "minified text is JSON", input);
  require(json::equal(root, again.root()), "minified text is the same value", input);
  require(again.root().raw() == compact && again.root().is_compact(), "minified is compact", input);
  require(again.oddities().duplicate_key_count == document.oddities().duplicate_key_count,
          "repeated keys survive", input);

  const std::string indented = json::pretty(root);
  const json::Document pretty = parsed(indented, "indented text is JSON", input);
  require(json::equal(root, pretty.root()), "indented text is the same value", input);
  require(json::to_text(pretty.root()) == compact, "minifying undoes indenting", input);
  require(json::pretty(pretty.root()) == indented, "indenting twice changes nothing", input);

  json::Writer inner;
  inner.value(root);
  json::Writer outer;
  outer.begin_array().string_holding(std::move(inner).finish()).value(root).end_array();
  const json::Value both = std::move(outer).finish_value();
  require(both->item(0)->string() == compact, "JSON inside a string reads back", input);
  require(both->item(1)->raw() == compact, "a spliced value is verbatim", input);
}

void check_difference(json::View from, json::View to, std::string_view input) {
  require(json::diff(from, from).empty(), "a value does not differ from itself", input);
  const auto changes = json::diff(from, to);
  require(changes.empty() == json::equal(from, to), "no change means equal", input);
  require(json::equal(json::apply(from, changes).view(), to), "apply undoes diff", input);
}

void check(std::string_view input) {
  const std::string quoted = json::quote(input);
  const json::Document string = parsed(quoted, "any bytes can be quoted", input);
  if (!utf8::first_invalid(input)) {
    require(string.root().string() == input, "quoted UTF-8 reads back", input);
  }
  const std::size_t cut = input.find('\x1e');
  const auto first = json::parse(input.substr(0, cut));
  if (!first) return;
  check_strings(first->root(), input);
  check_written(*first, input);
  if (cut == std::string_view::npos) return;
  const auto second = json::parse(input.substr(cut + 1));
  if (!second) return;
  check_difference(first->root(), second->root(), input);
  check_difference(second->root(), first->root(), input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/pointer.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <charconv>
#include <fmt/core.h>
#include <map>
#include <set>

namespace enfold::json {
namespace {

// nullopt: the token is not an index of RFC 6901, such as one with leading zeros.
std::optional<std::size_t> array_index(std::string_view token) {
  std::size_t index = 0;
  const char* end = token.data() + token.size();
  if (token.empty() || (token.size() > 1 && token[0] == '0')) return std::nullopt;
  const auto [ptr, error] = std::from_chars(token.data(), end, index);
  if (ptr != end || error != std::errc()) return std::nullopt;
  return index;
}

// The members by key, of equal keys the last. Sorted, because equality ignores the order of
// members.
std::map<std::string, View, std::less<>> by_key(View object) {
  std::map<std::string, View, std::less<>> members;
  for (const Member& member : object.members()) {
    members.insert_or_assign(member.key.string(), member.value);
  }
  return members;
}

// Appends the changes that turn `from`, the value at this pointer, into `to`.
void compare(View from, View to, const std::string& pointer, std::vector<Change>& changes);

void compare_objects(View from, View to, const std::string& pointer, std::vector<Change>& changes) {
  const auto left = by_key(from);
  const auto right = by_key(to);
  std::set<std::string_view> keys;
  for (const auto& [key, value] : left) keys.insert(key);
  for (const auto& [key, value] : right) keys.insert(key);
  for (const std::string_view key : keys) {
    const std::string place = below(pointer, key);
    const auto l = left.find(key);
    const auto r = right.find(key);
    if (l != left.end() && r != right.end()) {
      compare(l->second, r->second, place, changes);
    } else if (l != left.end()) {
      changes.push_back({place, Value(l->second), std::nullopt});
    } else {
      changes.push_back({place, std::nullopt, Value(r->second)});
    }
  }
}

void compare(View from, View to, const std::string& pointer, std::vector<Change>& changes) {
  if (from.raw() == to.raw()) return;
  if (from.is_object() && to.is_object()) return compare_objects(from, to, pointer, changes);
  if (from.is_array() && to.is_array() && from.size() == to.size()) {
    auto other = to.items().begin();
    std::size_t index = 0;
    for (const View item : from.items()) {
      compare(item, *other, pointer + "/" + std::to_string(index++), changes);
      ++other;
    }
    return;
  }
  if (!equal(from, to)) changes.push_back({pointer, Value(from), Value(to)});
}

// The changes as a tree, one level for each token of their pointers, so that one walk over the
// value applies them all.
struct Edit {
  bool here = false;                               // a change has exactly this pointer
  std::optional<View> after;                       // if `here`: the new value; nullopt: removed
  std::map<std::string, Edit, std::less<>> below;  // by the next token
};

// Writes `from` with the changes of `edit`.
void rewrite(View from, const Edit& edit, Writer& writer);

void rewrite_object(View from, const Edit& edit, Writer& writer) {
  std::set<std::string_view> done;  // keys of changed members that `from` has
  writer.begin_object();
  for (const Member& member : from.members()) {
    const auto below = edit.below.find(member.key.string());
    if (below == edit.below.end()) {
      writer.key(member.key).value(member.value);
      continue;
    }
    done.insert(below->first);
    if (below->second.here && !below->second.after) continue;
    writer.key(member.key);
    rewrite(member.value, below->second, writer);
  }
  for (const auto& [key, below] : edit.below) {
    if (!done.contains(key) && below.here && below.after) writer.key(key).value(*below.after);
  }
  writer.end_object();
}

void rewrite(View from, const Edit& edit, Writer& writer) {
  if (edit.here && edit.after) {
    writer.value(*edit.after);
  } else if (edit.below.empty() || !from.is_container()) {
    writer.value(from);
  } else if (from.is_object()) {
    rewrite_object(from, edit, writer);
  } else {
    writer.begin_array();
    std::size_t index = 0;
    for (const View item : from.items()) {
      const auto below = edit.below.find(std::to_string(index++));
      if (below == edit.below.end()) {
        writer.value(item);
      } else if (!below->second.here || below->second.after) {
        rewrite(item, below->second, writer);
      }
    }
    writer.end_array();
  }
}

}  // namespace

void append_token(std::string& pointer, std::string_view token) {
  pointer.push_back('/');
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer.push_back(c);
    }
  }
}

std::string below(std::string pointer, std::string_view token) {
  append_token(pointer, token);
  return pointer;
}

Result<Pointer> Pointer::parse(std::string_view text) {
  std::string decoded;
  if (text.starts_with('#')) {
    std::optional<std::string> fragment = percent_decode(text.substr(1));
    if (!fragment) {
      return fail(ErrorCode::invalid_input, "expected two hex digits after '%' in a JSON Pointer",
                  std::string(text.substr(1)));
    }
    text = decoded = *std::move(fragment);
  }
  if (text.empty()) return Pointer();
  if (text[0] != '/') {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("expected a JSON Pointer (empty or beginning with '/'), found \"{}\"", text),
        {}, "write for example /data/items/0");
  }
  std::vector<std::string> tokens(1);
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '/') {
      tokens.emplace_back();
    } else if (text[at] != '~') {
      tokens.back().push_back(text[at]);
    } else if (at + 1 < text.size() && (text[at + 1] == '0' || text[at + 1] == '1')) {
      tokens.back().push_back(text[++at] == '0' ? '~' : '/');
    } else {
      return fail(ErrorCode::invalid_input, "expected ~0 or ~1 in a JSON Pointer, found a bare '~'",
                  std::string(text), "write '~' as ~0 and '/' inside a name as ~1");
    }
  }
  return Pointer(std::move(tokens));
}

std::string Pointer::str() const {
  std::string out;
  for (const std::string& token : tokens_) append_token(out, token);
  return out;
}

Pointer Pointer::operator/(std::string_view token) const {
  Pointer longer = *this;
  longer.tokens_.emplace_back(token);
  return longer;
}

std::optional<View> Pointer::resolve(View root) const {
  std::optional<View> here = root;
  for (const std::string& token : tokens_) {
    if (here->is_object()) {
      here = here->find(token);
    } else if (const auto index = here->is_array() ? array_index(token) : std::nullopt) {
      here = here->item(*index);
    } else {
      return std::nullopt;
    }
    if (!here) return std::nullopt;
  }
  return here;
}

std::vector<Change> diff(View from, View to) {
  std::vector<Change> changes;
  compare(from, to, "", changes);
  return changes;
}

Value apply(View from, const std::vector<Change>& changes) {
  if (changes.empty()) return Value(from);
  Edit root;
  for (const Change& change : changes) {
    const Result<Pointer> pointer = Pointer::parse(change.pointer);
    if (!pointer) continue;
    Edit* edit = &root;
    for (const std::string& token : pointer->tokens()) edit = &edit->below[token];
    edit->here = true;
    edit->after = change.after ? std::optional<View>(change.after->view()) : std::nullopt;
  }
  Writer writer;
  rewrite(from, root, writer);
  return std::move(writer).finish_value();
}

}  // namespace enfold::json

// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/diff.h"

#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <map>
#include <set>

namespace enfold::json {
namespace {

// The members by key, of equal keys the last. Sorted, because equality ignores the order of
// members.
std::map<std::string, View, std::less<>> by_key(View object) {
  std::map<std::string, View, std::less<>> members;
  for (const Member& member : object.members()) {
    members.insert_or_assign(member.key.string(), member.value);
  }
  return members;
}

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

// The changes as a tree, so that one walk over the value applies them all.
struct Edit {
  bool here = false;
  std::optional<View> after;
  std::map<std::string, Edit, std::less<>> below;
};

void rewrite(View from, const Edit& edit, Writer& writer);

void rewrite_object(View from, const Edit& edit, Writer& writer) {
  std::set<std::string_view> done;
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

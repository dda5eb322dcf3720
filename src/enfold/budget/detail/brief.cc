// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/detail/brief.h"

#include "enfold/base/utf8.h"
#include "enfold/budget/detail/clip.h"
#include "enfold/json/write.h"

#include <algorithm>

namespace enfold::budget::detail {
namespace {

using json::View;
using json::Writer;

constexpr int kDeepest = 6;
constexpr std::size_t kSmall = 48;  // bytes that are not worth a decision

bool contains(const std::vector<std::string>& names, View key) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return key.equals(name); });
}

bool is_empty(View value) { return value.is_null() || (value.is_container() && value.size() == 0); }

class Brief {
 public:
  explicit Brief(const BriefStyle& style) : style_(style) {}

  void write(Writer& writer, View value, const Constraint& constraint, std::size_t allowance,
             int depth) {
    if (constraint.fixed() || depth > kDeepest || value.raw().size() <= kSmall) {
      writer.value(value);
    } else if (value.is_string()) {
      write_string(writer, value, constraint, allowance);
    } else if (value.is_array()) {
      write_array(writer, value, constraint, allowance, depth);
    } else if (value.is_object()) {
      write_object(writer, value, constraint, allowance, depth);
    } else {
      writer.value(value);
    }
  }

 private:
  void write_string(Writer& writer, View value, const Constraint& constraint,
                    std::size_t allowance) {
    const std::size_t bytes = std::min(std::max(allowance, std::size_t{24}), style_.clip);
    if (constraint.may_clip()) {
      if (const auto clipped = clip(value, bytes);
          clipped && utf8::length(clipped->view().string()) >= constraint.min_length()) {
        writer.value(*clipped);
        return;
      }
    }
    writer.value(value);
  }

  void write_array(Writer& writer, View value, const Constraint& constraint, std::size_t allowance,
                   int depth) {
    writer.begin_array();
    const std::size_t least = constraint.min_items();
    std::size_t position = 0;
    std::size_t spent = 0;
    for (const View item : value.items()) {
      if (position >= least && spent + std::min(item.raw().size(), kSmall) > allowance) break;
      Writer one;
      write(one, item, constraint.item(position, item), allowance / 2, depth + 1);
      json::Output shortened = std::move(one).finish();
      if (position >= least && spent + shortened.size() > allowance) break;
      spent += shortened.size();
      writer.splice(std::move(shortened));
      ++position;
    }
    writer.end_array();
  }

  // Values whose members are mostly wrapped one level down (`node`, `attributes`, `fields`) would
  // be empty without them.
  static bool is_wrapper(View object) {
    std::size_t scalars = 0;
    for (const auto& [key, value] : object.members()) {
      if (!value.is_container()) scalars += value.raw().size();
    }
    return scalars * 4 < object.raw().size();
  }

  bool wanted(View key, View value, bool wrapper, int depth) const {
    if (depth == 0 && contains(style_.drop, key)) return false;
    if (is_empty(value)) return false;
    if (depth == 0 && contains(style_.telling_nothing, key)) return false;
    return !value.is_container() || value.raw().size() <= kSmall || wrapper;
  }

  // Small members have an allowance of their own, so that one long text does not hide them.
  std::vector<char> choose(View object, const Constraint& constraint, std::size_t allowance,
                           int depth) const {
    const bool wrapper = is_wrapper(object);
    std::vector<char> shown;
    std::size_t small = 0;
    std::size_t large = 0;
    for (const auto& [key, member] : object.members()) {
      const std::size_t size = std::min(member.raw().size(), style_.clip) + key.raw().size();
      std::size_t& spent = member.raw().size() <= kSmall ? small : large;
      const bool must = (!constraint.demands_nothing() && constraint.needs_member(key.string())) ||
                        (depth == 0 && contains(style_.keep, key));
      const bool show = must || (wanted(key, member, wrapper, depth) && spent <= allowance);
      if (show) spent += size;
      shown.push_back(show ? 1 : 0);
    }
    return shown;
  }

  void write_object(Writer& writer, View value, const Constraint& constraint, std::size_t allowance,
                    int depth) {
    std::vector<char> shown = choose(value, constraint, allowance, depth);
    auto count = static_cast<std::size_t>(std::count(shown.begin(), shown.end(), 1));
    for (std::size_t i = 0; i < shown.size() && count < constraint.min_members(); ++i) {
      if (shown[i] == 0) shown[i] = 1, ++count;
    }
    writer.begin_object();
    std::size_t at = 0;
    for (const auto& [key, member] : value.members()) {
      if (shown[at++] == 0) continue;
      writer.key(key);
      const bool kept = depth == 0 && contains(style_.keep, key);
      if (kept) {
        writer.value(member);
      } else {
        write(writer, member, constraint.member(key, member), allowance / 2, depth + 1);
      }
    }
    writer.end_object();
  }

  const BriefStyle& style_;
};

}  // namespace

std::optional<json::Value> brief_of(View value, const Constraint& constraint,
                                    const BriefStyle& style, bool needed) {
  if (constraint.fixed() || (!value.is_container() && !value.is_string())) return std::nullopt;
  Writer writer;
  Brief(style).write(writer, value, constraint, style.clip * 4, 0);
  json::Output text = std::move(writer).finish();
  const std::size_t whole = value.raw().size();
  if (!style.drop.empty() && text.size() < whole) needed = true;  // shorter for a reason
  if (text.size() + (needed ? 1 : std::max<std::size_t>(whole / 10, 8)) > whole)
    return std::nullopt;
  if (text.size() <= 2 && !needed) return std::nullopt;  // {} or []
  Writer again;
  again.splice(std::move(text));
  return std::move(again).finish_value();
}

}  // namespace enfold::budget::detail

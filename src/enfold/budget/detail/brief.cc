// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/detail/brief.h"

#include "enfold/budget/detail/clip.h"

#include <algorithm>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr int kDeepest = 6;
constexpr std::size_t kSmall = 48;  // bytes that are not worth a decision

bool contains(const std::vector<std::string>& names, View key) {
  const std::size_t size = key.raw().size() - 2;  // decoded it is not longer
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.size() <= size && key.equals(name);
  });
}

bool is_empty(View value) { return value.is_null() || (value.is_container() && value.size() == 0); }

/// Writes text and not through a json::Writer, because what turns out too long is taken back.
class Brief {
 public:
  Brief(const BriefStyle& style, std::string& out) : style_(style), out_(out) {}

  void write(View value, const Constraint& constraint, std::size_t allowance, int depth) {
    const std::string_view raw = value.raw();
    if (constraint.fixed() || depth > kDeepest || raw.size() <= kSmall) {
      out_ += raw;
    } else if (raw[0] == '"') {
      write_string(value, constraint, allowance);
    } else if (raw[0] == '[') {
      write_array(value, constraint, allowance, depth);
    } else if (raw[0] == '{') {
      write_object(value, constraint, allowance, depth);
    } else {
      out_ += raw;
    }
  }

 private:
  struct Choice {
    View key;
    View value;
    bool shown;
  };

  void write_string(View value, const Constraint& constraint, std::size_t allowance) {
    const std::size_t bytes = std::min(std::max(allowance, std::size_t{24}), style_.clip);
    const std::size_t begin = out_.size();
    if (constraint.may_clip() && append_clipped(out_, value.string_source(), bytes)) {
      const std::size_t least = constraint.min_length();
      if (least == 0 || characters_of(std::string_view(out_).substr(begin)) >= least) return;
      out_.resize(begin);
    }
    out_ += value.raw();
  }

  void write_array(View value, const Constraint& constraint, std::size_t allowance, int depth) {
    out_ += '[';
    const std::size_t least = constraint.min_items();
    std::size_t position = 0;
    std::size_t spent = 0;
    for (const View item : value.items()) {
      if (position >= least && spent + std::min(item.raw().size(), kSmall) > allowance) break;
      const std::size_t before = out_.size();
      if (position > 0) out_ += ',';
      const std::size_t begin = out_.size();
      write(item, constraint.item(position, item), allowance / 2, depth + 1);
      const std::size_t size = out_.size() - begin;
      if (position >= least && spent + size > allowance) {
        out_.resize(before);
        break;
      }
      spent += size;
      ++position;
    }
    out_ += ']';
  }

  // Values whose members are mostly wrapped one level down (`node`, `attributes`, `fields`) would
  // be empty without them.
  [[nodiscard]] bool is_wrapper(View object, std::size_t first) const {
    std::size_t scalars = 0;
    for (std::size_t i = first; i < choices_.size(); ++i) {
      if (!choices_[i].value.is_container()) scalars += choices_[i].value.raw().size();
    }
    return scalars * 4 < object.raw().size();
  }

  [[nodiscard]] bool wanted(View key, View value, bool wrapper, int depth) const {
    if (depth == 0 && contains(style_.drop, key)) return false;
    if (is_empty(value)) return false;
    if (depth == 0 && contains(style_.telling_nothing, key)) return false;
    return !value.is_container() || value.raw().size() <= kSmall || wrapper;
  }

  // Small members have an allowance of their own, so that one long text does not hide them.
  std::size_t choose(View object, std::size_t first, const Constraint& constraint,
                     std::size_t allowance, int depth) {
    const bool wrapper = is_wrapper(object, first);
    std::size_t count = 0;
    std::size_t small = 0;
    std::size_t large = 0;
    for (std::size_t i = first; i < choices_.size(); ++i) {
      auto& [key, member, shown] = choices_[i];
      const std::size_t bytes = member.raw().size();
      std::size_t& spent = bytes <= kSmall ? small : large;
      const bool must = (!constraint.demands_nothing() && constraint.needs_member(key.string())) ||
                        (depth == 0 && contains(style_.keep, key));
      shown = must || (spent <= allowance && wanted(key, member, wrapper, depth));
      if (!shown) continue;
      spent += std::min(bytes, style_.clip) + key.raw().size();
      ++count;
    }
    return count;
  }

  void write_object(View value, const Constraint& constraint, std::size_t allowance, int depth) {
    const std::size_t first = choices_.size();  // those of the objects around it come before
    for (const auto& [key, member] : value.members()) choices_.push_back({key, member, false});
    const std::size_t end = choices_.size();
    std::size_t count = choose(value, first, constraint, allowance, depth);
    const std::size_t least = constraint.min_members();
    for (std::size_t i = first; i < end && count < least; ++i) {
      if (!choices_[i].shown) choices_[i].shown = true, ++count;
    }
    char separator = '{';
    for (std::size_t i = first; i < end; ++i) {
      const Choice choice = choices_[i];
      if (!choice.shown) continue;
      out_ += separator;
      separator = ',';
      out_ += choice.key.raw();
      out_ += ':';
      if (depth == 0 && contains(style_.keep, choice.key)) {
        out_ += choice.value.raw();
      } else {
        write(choice.value, constraint.member(choice.key, choice.value), allowance / 2, depth + 1);
      }
    }
    if (separator == '{') out_ += '{';
    out_ += '}';
    choices_.resize(first);
  }

  const BriefStyle& style_;
  std::string& out_;
  std::vector<Choice> choices_;
};

}  // namespace

std::optional<std::string> brief_of(View value, const Constraint& constraint,
                                    const BriefStyle& style, bool needed) {
  if (constraint.fixed() || (!value.is_container() && !value.is_string())) return std::nullopt;
  std::string text;
  text.reserve(std::min(value.raw().size(), style.clip * 8));
  Brief(style, text).write(value, constraint, style.clip * 4, 0);
  const std::size_t whole = value.raw().size();
  if (!style.drop.empty() && text.size() < whole) needed = true;  // shorter for a reason
  if (text.size() + (needed ? 1 : std::max<std::size_t>(whole / 10, 8)) > whole)
    return std::nullopt;
  if (text.size() <= 2 && !needed) return std::nullopt;  // {} or []
  return text;
}

}  // namespace enfold::budget::detail

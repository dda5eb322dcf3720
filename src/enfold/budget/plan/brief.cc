// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/plan/brief.h"

#include "enfold/budget/render/clip.h"
#include "enfold/model/marks.h"

#include <algorithm>

namespace enfold::budget::detail {
namespace {

using json::View;

constexpr int kDeepest = 6;         // values nested deeper are not shortened
constexpr std::size_t kSmall = 48;  // values of up to this many bytes are not shortened

bool has_key(const std::vector<std::string>& names, View key) {
  if (names.empty()) return false;
  const std::string_view raw = key.raw();
  const std::string_view source = raw.substr(1, raw.size() - 2);
  if (source.find('\\') == std::string_view::npos) {
    return std::find(names.begin(), names.end(), source) != names.end();
  }
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& name) { return key.equals(name); });
}

// For the text of a value in minified JSON. Null is empty, "" is not.
bool is_container(std::string_view raw) { return raw[0] == '{' || raw[0] == '['; }
bool is_empty(std::string_view raw) {
  return raw[0] == 'n' || (is_container(raw) && raw.size() == 2);
}

/// Writes JSON text directly instead of using json::Writer, because parts may be removed again.
class Brief {
 public:
  // `records_omitted`: whether ShortForm::omitted is filled.
  Brief(const BriefStyle& style, ShortForm& form, bool records_omitted)
      : style_(style),
        form_(form),
        records_omitted_(records_omitted),
        out_(form.text),
        omitted_(form.omitted) {}

  // `allowance`: bytes that the brief of the value should have at most; nested values get half.
  void write(View value, const Constraint& constraint, std::size_t allowance, int depth) {
    const std::string_view raw = value.raw();
    const bool unchanged = constraint.fixed() || depth > kDeepest || raw.size() <= kSmall;
    if (!unchanged && raw[0] == '"') {
      write_string(value, constraint, allowance);
    } else if (!unchanged && raw[0] == '[') {
      write_array(value, constraint, allowance, depth);
    } else if (!unchanged && raw[0] == '{') {
      write_object(value, constraint, allowance, depth);
    } else {
      out_ += raw;
    }
  }

 private:
  struct Choice {
    View key;
    View value;
    std::string_view raw;  ///< of the value
    bool shown;
  };

  // Adds a part of the value that the brief omits to `omitted_`.
  void omit(std::string_view part) {
    if (!records_omitted_ || part.empty()) return;
    if (omitted_.empty()) omitted_.reserve(part.size() + style_.clip * 2);
    omitted_ += ',';
    omitted_ += part;
  }

  void write_string(View value, const Constraint& constraint, std::size_t allowance) {
    const std::size_t bytes = std::min(std::max(allowance, std::size_t{24}), style_.clip);
    const std::size_t begin = out_.size();
    const std::string_view source = value.string_source();
    if (constraint.may_clip() && append_clipped(out_, source, bytes)) {
      const std::size_t least = constraint.min_length();
      if (least == 0 || characters_of(std::string_view(out_).substr(begin)) >= least) {
        const std::size_t mark = out_.rfind(kMarker);
        const std::string_view rest = source.substr(mark - begin - 1);
        form_.marks += std::string_view(out_).substr(mark);
        form_.missing_parts += lines_left(source.substr(0, mark - begin - 1), rest);
        omit(rest);
        return;
      }
      out_.resize(begin);
    }
    out_ += value.raw();
  }

  // The sizes of what `form_` held before a part was written, so that the part can be removed.
  struct Before {
    std::size_t out, omitted, marks, missing_parts;
    bool unmarked;
  };
  [[nodiscard]] Before before() const {
    return {out_.size(), omitted_.size(), form_.marks.size(), form_.missing_parts, form_.unmarked};
  }
  void take_back(const Before& before) {
    out_.resize(before.out);
    omitted_.resize(before.omitted);
    form_.marks.resize(before.marks);
    form_.missing_parts = before.missing_parts;
    form_.unmarked = before.unmarked;
  }

  // Ends a shortened container, of which `missing` parts are not shown, with a mark if `marked`,
  // that is, if the schema allows one: `append_mark` writes it. A brief that is no shorter than the
  // whole is replaced by the whole.
  template <class Append>
  void add_mark(View value, const Before& begin, std::size_t missing, bool marked,
                Append append_mark) {
    form_.missing_parts += missing;
    if (marked) {
      const std::size_t at = out_.size();
      if (out_.back() != '[' && out_.back() != '{') out_ += ',';
      append_mark();
      form_.marks += std::string_view(out_).substr(at);
    } else {
      form_.unmarked = true;
    }
    if (out_.size() - begin.out + 1 < value.raw().size()) return;
    take_back(begin);
    out_ += value.raw().substr(0, value.raw().size() - 1);  // the caller writes the last bracket
  }

  void write_array(View value, const Constraint& constraint, std::size_t allowance, int depth) {
    if (must_be_whole(value, constraint)) {
      out_ += value.raw();
      return;
    }
    const bool marked = constraint.may_mark_items();
    const Before begin = before();
    out_ += '[';
    const std::size_t least = constraint.min_items();
    std::size_t position = 0;
    std::size_t spent = 0;
    std::size_t end = 1;  // offset in the array, after the last item shown
    for (const View item : value.items()) {
      if (position >= least && spent + std::min(item.raw().size(), kSmall) > allowance) break;
      const Before item_begin = before();
      if (position > 0) out_ += ',';
      const std::size_t start = out_.size();
      write(item, constraint.item(position, item), allowance / 2, depth + 1);
      const std::size_t size = out_.size() - start;
      if (position >= least && spent + size > allowance) {
        take_back(item_begin);
        break;
      }
      spent += size;
      end = item.offset() - value.offset() + item.raw().size();
      ++position;
    }
    const std::string_view raw = value.raw();
    if (const std::size_t missing = value.size() - position; missing > 0) {
      omit(raw.substr(end, raw.size() - 1 - end));
      add_mark(value, begin, missing, marked,
               [&] { out_ += '"' + model::items_mark(missing) + '"'; });
    }
    out_ += ']';
  }

  // Whether most of the object is in nested containers (`node`, `attributes`, `fields`), so that
  // its brief would be empty without them.
  [[nodiscard]] bool is_wrapper(View object, std::size_t first) const {
    std::size_t scalars = 0;
    for (std::size_t i = first; i < choices_.size(); ++i) {
      if (!is_container(choices_[i].raw)) scalars += choices_[i].raw.size();
    }
    return scalars * 4 < object.raw().size();
  }

  [[nodiscard]] bool is_worth_showing(View key, std::string_view raw, bool wrapper,
                                      int depth) const {
    if (is_empty(raw) || (is_container(raw) && raw.size() > kSmall && !wrapper)) return false;
    return depth > 0 || (!style_.drop.contains(key) && !has_key(style_.uninformative, key));
  }

  // An array or a map in which the schema allows no mark is not shortened, except in the last
  // attempt: a reader would take the part for the whole. The members of other objects are named in
  // the schema, so a reader sees that one is missing.
  [[nodiscard]] bool must_be_whole(View value, const Constraint& constraint) const {
    if (style_.is_least()) return false;
    if (value.is_array()) return !constraint.may_mark_items();
    return !constraint.may_mark_members() && !constraint.names_members();
  }

  // Chooses which members of `object` are shown: sets Choice::shown in choices_ from `first` on,
  // and returns their number. Small and large members have separate allowances, so that one long
  // text does not displace the small ones.
  std::size_t choose(View object, std::size_t first, const Constraint& constraint,
                     std::size_t allowance, int depth) {
    const bool wrapper = is_wrapper(object, first);
    const bool free = constraint.is_unconstrained();
    std::size_t count = 0;
    std::size_t small = 0;
    std::size_t large = 0;
    for (std::size_t i = first; i < choices_.size(); ++i) {
      auto& [key, member, raw, shown] = choices_[i];
      std::size_t& spent = raw.size() <= kSmall ? small : large;
      const bool must = (!free && constraint.needs_member(key.string())) ||
                        (depth == 0 && style_.keep.contains(key));
      shown = must || (spent <= allowance && is_worth_showing(key, raw, wrapper, depth));
      if (!shown) continue;
      if (!must && !free && is_container(raw) && raw.size() > allowance / 2 &&
          must_be_whole(member, constraint.member(key, member))) {
        shown = false;
        continue;
      }
      spent += std::min(raw.size(), style_.clip) + key.raw().size();
      ++count;
    }
    return count;
  }

  void write_object(View value, const Constraint& constraint, std::size_t allowance, int depth) {
    if (must_be_whole(value, constraint)) {
      out_ += value.raw();
      return;
    }
    const std::size_t first = choices_.size();  // after those of the objects around this one
    if (first == 0) choices_.reserve(std::max<std::size_t>(value.size(), 16) + 16);
    for (const auto& [key, member] : value.members()) {
      choices_.push_back({key, member, member.raw(), false});
    }
    const std::size_t end = choices_.size();
    std::size_t count = choose(value, first, constraint, allowance, depth);
    const bool marked = constraint.may_mark_members();
    // If the tool has a member with the key of the mark, a reader would take the mark for it.
    const bool ambiguous =
        marked &&
        std::any_of(choices_.begin() + static_cast<std::ptrdiff_t>(first), choices_.end(),
                    [](const Choice& one) { return one.key.raw() == model::kMissingKey; });
    const std::size_t least = ambiguous ? end - first : constraint.min_members();
    for (std::size_t i = first; i < end && count < least; ++i) {
      if (!choices_[i].shown) choices_[i].shown = true, ++count;
    }
    const Before begin = before();
    out_ += '{';
    write_choices(first, end, constraint, allowance, depth);
    if (const std::size_t missing = end - first - count; missing > 0) {
      add_mark(value, begin, missing, marked, [&] {
        out_ += model::kMissingKey;
        out_ += ":\"" + model::members_mark(missing) + '"';
      });
    }
    out_ += '}';
    choices_.resize(first);
  }

  // Writes the members from `first` to `end` (indexes in choices_) that are shown. Adjacent members
  // that are all shown verbatim, or all not shown, are handled as one span of the source.
  void write_choices(std::size_t first, std::size_t end, const Constraint& constraint,
                     std::size_t allowance, int depth) {
    for (std::size_t i = first; i < end;) {
      const Choice choice = choices_[i];
      const bool verbatim = !choice.shown || is_verbatim(choice, depth);
      std::size_t next = i + 1;
      while (verbatim && next < end && choices_[next].shown == choice.shown &&
             (!choice.shown || is_verbatim(choices_[next], depth))) {
        ++next;
      }
      if (!choice.shown) {
        omit(span_of(choice, choices_[next - 1]));
      } else {
        if (out_.back() != '{') out_ += ',';
        if (verbatim) {
          out_ += span_of(choice, choices_[next - 1]);
        } else {
          out_ += choice.key.raw();
          out_ += ':';
          write(choice.value, constraint.member(choice.key, choice.value), allowance / 2,
                depth + 1);
        }
      }
      i = next;
    }
  }

  [[nodiscard]] bool is_verbatim(const Choice& choice, int depth) const {
    return choice.raw.size() <= kSmall || (depth == 0 && style_.keep.contains(choice.key));
  }

  // The source from the first member's key to the end of the last member's value.
  static std::string_view span_of(const Choice& first, const Choice& last) {
    const char* begin = first.key.raw().data();
    return {begin, static_cast<std::size_t>(last.raw.data() + last.raw.size() - begin)};
  }

  const BriefStyle& style_;
  ShortForm& form_;
  bool records_omitted_;
  std::string& out_;
  std::string& omitted_;
  std::vector<Choice> choices_;  ///< of the objects being written, the outermost first
};

}  // namespace

bool MemberNames::contains(View key) const { return all || has_key(names, key); }

std::optional<ShortForm> brief_of(View value, const Constraint& constraint, const BriefStyle& style,
                                  bool needed) {
  if (constraint.fixed() || (!value.is_container() && !value.is_string())) return std::nullopt;
  ShortForm form;
  std::string& text = form.text;
  text.reserve(std::min(value.raw().size(), style.clip * 8));
  const std::size_t whole = value.raw().size();
  Brief(style, form, /*records_omitted=*/whole <= kPricedByParts)
      .write(value, constraint, /*allowance=*/style.clip * 4, /*depth=*/0);
  if (!style.drop.empty() && text.size() < whole) needed = true;  // the policy dropped members
  if (text.size() + (needed ? 1 : std::max<std::size_t>(whole / 10, 8)) > whole)
    return std::nullopt;
  const bool bare = form.marks.size() + 2 >= text.size();  // nothing but brackets and a mark
  if (bare && !needed) return std::nullopt;
  return form;
}

}  // namespace enfold::budget::detail

// SPDX-License-Identifier: Apache-2.0
// Which parts of an outline are shown, and their estimated cost. Every choice is a step that can be
// undone when the measured answer turns out too large. outline.h explains groups, units, rows and
// facts; functions take the index of a unit, text or fact.
#pragma once

#include "enfold/budget/budget.h"
#include "enfold/budget/plan/counter.h"
#include "enfold/budget/survey/outline.h"

namespace enfold::budget::detail {

// The estimated cost of each part of an answer. A sum of prices is close to the cost of the whole,
// because a part is priced together with the punctuation that precedes it.

/// The price of a part that certainly does not fit, or must not be shown in that form.
inline constexpr Cost kTooMuch{std::int64_t{1} << 40, std::int64_t{1} << 40};

class Prices {
 public:
  /// Borrows `outline` and `counter`. A part of more than `max_part_bytes` bytes costs kTooMuch.
  Prices(Outline& outline, const Counter& counter, std::size_t max_part_bytes)
      : outline_(outline), counter_(counter), max_part_bytes_(max_part_bytes) {}

  /// A unit shown as the JSON text `shown_as`.
  [[nodiscard]] Cost of(const Unit& unit, std::string_view shown_as) const;
  /// A unit shown whole. Counts only what its brief leaves out, if the brief is priced already.
  [[nodiscard]] Cost of_whole(const Unit& unit) const;
  /// A value with its key (empty: an item of an array), and the comma between it and the similar
  /// value that precedes it.
  [[nodiscard]] Cost after_similar(std::string_view key, std::string_view value) const;
  /// The index of a group without its rows: its pointer, and the names of its columns.
  const Cost& of_empty_index(Group& group);
  /// The containers around a child of the group that are not shown yet.
  Cost of_frames(std::uint32_t group);
  /// The index row of a unit as JSON text; `label_width`: bytes of a label.
  [[nodiscard]] std::string index_row_of(const Unit& unit, std::size_t label_width) const;
  /// Tokens of a unit as it is shown now; 0 if absent.
  [[nodiscard]] std::int64_t tokens(const Unit& unit) const;

 private:
  Outline& outline_;
  const Counter& counter_;
  std::size_t max_part_bytes_;
  mutable std::string priced_;     ///< buffer for the text being priced
  mutable std::string last_tail_;  ///< end of the last value priced by after_similar
  mutable Cost last_tail_cost_;
};

/// Few texts have more bytes per token. A text with more, for the tokens that are left, is taken
/// not to fit, without counting it.
inline constexpr std::size_t kLongToken = 12;

class Plan {
 public:
  /// Shows what the schema requires and nothing else. Parts of more than `max_part_bytes` bytes
  /// never fit. `whole_only`: no briefs and no clipped strings.
  Plan(Outline outline, const Policy& policy, const Counter& counter, std::size_t max_part_bytes,
       bool whole_only);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  [[nodiscard]] std::size_t steps() const { return log_.size(); }
  /// Changes with every step and every undone step: a report of the plan with the same revision is
  /// still right.
  [[nodiscard]] std::size_t revision() const { return revision_; }
  [[nodiscard]] Cost spent() const { return spent_; }
  /// Undoes the last steps until `steps` are left.
  void undo_to(std::size_t steps);
  /// Undoes the last steps until spent() is lower by `amount`; false: undoing all is not enough.
  bool undo_until_free(const Cost& amount);

  [[nodiscard]] const Outline& outline() const { return outline_; }
  [[nodiscard]] const std::vector<Fact>& facts() const { return facts_; }
  [[nodiscard]] const Policy& policy() const { return policy_; }
  [[nodiscard]] const Counter& counter() const { return counter_; }
  /// Whether data is shown: all units that are protected; without any, an item of a list; without a
  /// list, any unit.
  [[nodiscard]] bool shows_data() const;
  /// The brief of a unit, computed on first use; nullopt: it has none.
  const std::optional<std::string>& brief(std::uint32_t unit);
  [[nodiscard]] std::int64_t tokens(const Unit& unit) const { return prices_.tokens(unit); }

 private:
  friend class PlanFiller;
  enum class What : std::uint8_t { unit, line, fact };
  struct Step {
    What what;
    std::uint32_t index;             ///< of the unit, text or fact
    std::uint32_t line = 0;          ///< of a text: index in Digest::rows
    Detail before = Detail::absent;  ///< Unit::shown before the step
    std::size_t clip_before = 0;     ///< Unit::clip before the step
    Cost delta;                      ///< what the step added to spent_
  };
  /// The costs of the briefs that were priced so far, of one list or of all objects.
  struct Briefs {
    std::size_t seen = 0;    ///< number of briefs
    std::int64_t least = 0;  ///< the smallest cost so far, in tokens
  };

  void log_step(const Step& step) {
    log_.push_back(step);
    ++revision_;
  }
  void undo(const Step& step);
  /// The statistics to which the brief of a unit belongs.
  Briefs& briefs_like(const Unit& unit);
  void remember_brief(const Unit& unit, std::int64_t tokens);
  /// The price of a unit in this detail; computed on first use.
  const Cost& cost(std::uint32_t unit, Detail shown);
  /// What is spent, and what is reserved for rows of the index.
  [[nodiscard]] Cost used() const { return spent_ + reserved_; }
  /// A quick check before the unit is priced: whether the whole unit is taken not to fit.
  [[nodiscard]] bool whole_is_too_large(const Unit& unit, const Cost& cap) const;
  // The functions below return false, and change nothing, if the total would exceed `cap`.

  /// Shows a unit in this detail, which is more than before.
  bool show_as(std::uint32_t unit, Detail shown, const Cost& cap);
  /// Shows a unit whole if it has no brief or costs hardly more, else in brief.
  bool show_whole_or_brief(std::uint32_t unit, const Cost& cap);
  /// Shows a row of the digest of a text.
  bool show_line(std::uint32_t text, std::uint32_t line, const Cost& cap);
  /// Shows more of a clipped text, up to `most_bytes` of its source; false also if that is hardly
  /// more than now.
  bool lengthen(std::uint32_t unit, std::size_t most_bytes, const Cost& cap);

  Outline outline_;
  const Policy& policy_;
  const Counter& counter_;
  std::size_t max_part_bytes_;
  bool whole_only_;
  std::vector<std::uint32_t> protected_;  ///< units that match `protect` of the policy
  std::vector<std::uint32_t> kept_;       ///< units that match `keep` of the policy
  std::vector<Fact> facts_;
  std::vector<Step> log_;
  std::size_t revision_ = 0;
  Cost spent_;
  Cost reserved_;               ///< for rows of the index, by PlanFiller, until it shows these rows
  std::vector<Briefs> briefs_;  ///< at 0 those of members of objects, then of each group
  Prices prices_;
};

/// Shows the most valuable parts until the plan has spent `room`, by estimates. Can be called again
/// with more room.
void fill(Plan& plan, const Cost& room);
/// Shows the minimum of data: what is protected; if nothing is, one item of a list or one member.
void fill_least(Plan& plan, const Cost& room);
/// Shows facts only, for answers without data.
void fill_facts(Plan& plan, const Cost& room);

/// The index row of a line of text.
[[nodiscard]] std::string line_row(const text::Row& row);

}  // namespace enfold::budget::detail

// SPDX-License-Identifier: Apache-2.0
// What of an outline is shown, within a room. Every choice is a step that can be taken back, so
// that a measurement of the whole has the last word.
#pragma once

#include "enfold/budget/plan/counter.h"
#include "enfold/budget/policy.h"
#include "enfold/budget/survey/facts.h"
#include "enfold/budget/survey/outline.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace enfold::budget::detail {

/// Bytes that the tokens of few texts exceed on average: what is longer need not be counted.
inline constexpr std::size_t kLongToken = 12;

class Plan {
 public:
  /// Shows what the schema demands and nothing else. `largest`: bytes that no part can exceed.
  /// `rigid`: whole items and members only, no briefs and no clipped strings.
  Plan(Outline outline, const Policy& policy, const Counter& counter, std::size_t largest,
       bool rigid);

  /// Adds what is worth most until the estimated room is used. Can be called again with more.
  void fill(const Cost& room);
  /// The least that is data: what is protected, and of the lists one item.
  void fill_least(const Cost& room);
  /// Facts alone: for answers that show no data.
  void fill_facts(const Cost& room);

  [[nodiscard]] std::size_t steps() const { return log_.size(); }
  /// Another number whenever something else is shown.
  [[nodiscard]] std::size_t revision() const { return revision_; }
  [[nodiscard]] Cost spent() const { return spent_; }
  void undo_to(std::size_t steps);
  /// Takes back the last steps until at least this much is free; false when nothing is left.
  bool free(const Cost& amount);

  [[nodiscard]] const Outline& outline() const { return outline_; }
  [[nodiscard]] const std::vector<Fact>& facts() const { return facts_; }
  [[nodiscard]] const Policy& policy() const { return policy_; }
  [[nodiscard]] const Counter& counter() const { return counter_; }

  /// Data is shown: all that is protected, else an item of some list where there are lists.
  [[nodiscard]] bool shows_data() const;
  [[nodiscard]] static bool is_visible(const Group& group) { return group.visible > 0; }
  /// The short form of a unit, made when first asked for.
  const std::optional<std::string>& brief(std::uint32_t unit);
  [[nodiscard]] std::int64_t tokens(const Unit& unit) const;

 private:
  enum class What : std::uint8_t { unit, line, fact };
  struct Step {
    What what;
    std::uint32_t index;
    std::uint32_t line = 0;
    Shown before = Shown::absent;
    std::size_t clip_before = 0;
    Cost delta;
  };

  /// What briefs of one kind have cost so far.
  struct Briefs {
    std::size_t seen = 0;
    std::int64_t least = 0;  ///< tokens
  };

  [[nodiscard]] std::vector<std::uint32_t> meant_by(const std::vector<std::string>& patterns) const;
  void log_step(const Step& step) {
    log_.push_back(step);
    ++revision_;
  }
  void undo(const Step& step);
  Briefs& briefs_like(const Unit& unit);
  void remember_brief(const Unit& unit, std::int64_t tokens);
  const Cost& cost(std::uint32_t unit, Shown shown);
  [[nodiscard]] Cost price(const Unit& unit, std::string_view shown_as) const;
  [[nodiscard]] bool holds_unwanted(const Unit& unit) const;
  [[nodiscard]] Cost price_beside_others(std::string_view key, std::string_view value) const;
  [[nodiscard]] Cost price_of_whole(const Unit& unit) const;
  const Cost& cost_of_index(Group& group);
  Cost cost_of_frames(std::uint32_t group);
  void enter(std::uint32_t group);
  void leave(std::uint32_t group);
  [[nodiscard]] bool is_hopeless(std::size_t bytes, const Cost& cap) const;
  [[nodiscard]] bool whole_is_too_large(const Unit& unit, const Cost& cap) const;
  [[nodiscard]] std::string row_of(const Unit& unit, std::size_t cell) const;
  bool raise(std::uint32_t unit, Shown shown, const Cost& cap);
  bool raise_either(std::uint32_t unit, const Cost& cap);
  bool show_line(std::uint32_t text, std::uint32_t line, const Cost& cap);
  bool lengthen(std::uint32_t unit, const Cost& cap);
  [[nodiscard]] Cost part_of_rest(std::int64_t part, std::int64_t of) const;
  void fairly(const std::function<void(Group&, const Cost&)>& give);

  void show_protected();
  void show_small();
  void show_facts(std::int64_t part, std::int64_t of);
  void show_first();
  void show_exceptional();
  void show_texts();
  void show_rows(std::int64_t part, std::int64_t of);
  bool reserve_rows(Group& group, const Cost& cap);
  void release_rows();
  [[nodiscard]] Cost used() const { return spent_ + reserved_; }
  void choose_cell(Group& group, const Cost& cap);
  void show_briefs(Group& group, const Cost& cap);
  void show_whole(Group& group, const Cost& cap);
  void lengthen_texts();

  Outline outline_;
  const Policy& policy_;
  const Counter& counter_;
  std::size_t largest_;
  bool rigid_;
  std::vector<std::uint32_t> protected_;  ///< units that the policy means by `protect`
  std::vector<std::uint32_t> kept_;       ///< and by `keep`
  std::vector<Fact> facts_;
  std::vector<Step> log_;
  std::size_t revision_ = 0;
  Cost room_;
  Cost spent_;
  Cost reserved_;               ///< for rows, while the room is being filled
  std::vector<Briefs> briefs_;  ///< of members of objects, then of each group
  mutable std::string priced_;  ///< room for the text that is being priced
  mutable std::string last_tail_;
  mutable Cost last_tail_cost_;
  mutable Cost marker_cost_;
};

/// A line of a text as an index row shows it.
[[nodiscard]] std::string line_row(const Line& line);

}  // namespace enfold::budget::detail

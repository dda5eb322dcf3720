// SPDX-License-Identifier: Apache-2.0
// The algorithm of Myers, "An O(ND) Difference Algorithm and Its Variations": finds the shortest
// list of changes, and is fast if there are few, as in settings files.
#include "cli/clients/line_diff.h"

#include <algorithm>
#include <fmt/core.h>
#include <vector>

namespace enfold::cli {
namespace {

constexpr std::size_t kContext = 3;  // equal lines shown before and after each change
// If there are more changes, all lines between the equal begin and end are shown as changed.
constexpr int kMaxChanges = 2000;

using Lines = std::vector<std::string_view>;

// The lines, each with its line end.
Lines split(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

struct Step {
  char sign = ' ';  ///< ' ': the line is in both texts; '-': removed; '+': added
  std::string_view line;
};

// The search of Myers' paper, with its letters: x is an index in `before_`, y one in `after_`, and
// diagonal k has the points with x - y = k. Round D finds, for each diagonal, the furthest x that D
// changes can reach.
class Search {
 public:
  Search(const Lines& before, const Lines& after)
      : before_(before),
        after_(after),
        n_(static_cast<int>(before.size())),
        m_(static_cast<int>(after.size())) {}

  /// All lines of both texts, in order.
  [[nodiscard]] std::vector<Step> steps() {
    const int max_rounds = std::min(n_ + m_, kMaxChanges);
    std::vector<int> furthest(2 * static_cast<std::size_t>(max_rounds) + 3, 0);
    for (int round = 0; round <= max_rounds; ++round) {
      rounds_.push_back(furthest);
      for (int k = -round; k <= round; k += 2) {
        int& x = furthest[index(k, max_rounds)];
        const int below = furthest[index(k + 1, max_rounds)];
        const int left = furthest[index(k - 1, max_rounds)];
        x = k == -round || (k != round && left < below) ? below : left + 1;
        while (x < n_ && x - k < m_ && before_[at(x)] == after_[at(x - k)]) ++x;
        if (x >= n_ && x - k >= m_) return steps_of(round, max_rounds);
      }
    }
    return all_changed();
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  // The place of diagonal k, which may be negative, in `furthest`.
  static std::size_t index(int k, int max_rounds) {
    return static_cast<std::size_t>(k + max_rounds + 1);
  }

  // The steps found in `round`: walks from the end of both texts back to their begin.
  [[nodiscard]] std::vector<Step> steps_of(int round, int max_rounds) const {
    std::vector<Step> out;
    int x = n_;
    int y = m_;
    for (; round >= 0; --round) {
      const std::vector<int>& furthest = rounds_[at(round)];
      const int k = x - y;
      const bool from_below = k == -round || (k != round && furthest[index(k - 1, max_rounds)] <
                                                                furthest[index(k + 1, max_rounds)]);
      const int before_k = from_below ? k + 1 : k - 1;
      const int before_x = round == 0 ? 0 : furthest[index(before_k, max_rounds)];
      const int before_y = round == 0 ? 0 : before_x - before_k;
      while (x > before_x && y > before_y) {
        out.push_back({' ', before_[at(--x)]});
        --y;
      }
      if (round == 0) break;
      if (from_below) {
        out.push_back({'+', after_[at(--y)]});
      } else {
        out.push_back({'-', before_[at(--x)]});
      }
    }
    std::ranges::reverse(out);
    return out;
  }

  [[nodiscard]] std::vector<Step> all_changed() const {
    std::vector<Step> out;
    for (const std::string_view line : before_) out.push_back({'-', line});
    for (const std::string_view line : after_) out.push_back({'+', line});
    return out;
  }

  const Lines& before_;
  const Lines& after_;
  int n_;                                 ///< lines of `before_`
  int m_;                                 ///< lines of `after_`
  std::vector<std::vector<int>> rounds_;  ///< the furthest points at the begin of each round
};

// Writes the steps [begin, end). `old_line`, `new_line`: the lines of both texts before the hunk.
void write_hunk(const std::vector<Step>& steps, std::size_t begin, std::size_t end,
                std::size_t old_line, std::size_t new_line, std::string& out) {
  std::size_t old_count = 0;
  std::size_t new_count = 0;
  std::string body;
  for (std::size_t i = begin; i < end; ++i) {
    old_count += steps[i].sign != '+' ? 1 : 0;
    new_count += steps[i].sign != '-' ? 1 : 0;
    body += steps[i].sign;
    body += steps[i].line;
    if (!steps[i].line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
  }
  // If the hunk has no lines of a text, diff -u names the line before it.
  out += fmt::format("@@ -{},{} +{},{} @@\n{}", old_line + (old_count > 0 ? 1 : 0), old_count,
                     new_line + (new_count > 0 ? 1 : 0), new_count, body);
}

std::string write_hunks(const std::vector<Step>& steps) {
  std::string out;
  std::size_t old_line = 0;  // lines of the old text before `next`
  std::size_t new_line = 0;  // lines of the new text before `next`
  std::size_t next = 0;      // index of the next step
  const auto pass = [&](std::size_t end) {
    for (; next < end; ++next) {
      old_line += steps[next].sign != '+' ? 1 : 0;
      new_line += steps[next].sign != '-' ? 1 : 0;
    }
  };
  while (next < steps.size()) {
    std::size_t change = next;
    while (change < steps.size() && steps[change].sign == ' ') ++change;
    if (change == steps.size()) break;
    pass(std::max(next, change - std::min(change, kContext)));
    std::size_t last = change;  // one past the last change of the hunk
    for (std::size_t i = change; i < steps.size() && i <= last + 2 * kContext; ++i) {
      if (steps[i].sign != ' ') last = i + 1;
    }
    const std::size_t end = std::min(steps.size(), last + kContext);
    write_hunk(steps, next, end, old_line, new_line, out);
    pass(end);
  }
  return out;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after) {
  if (before == after) return {};
  Lines old_lines = split(before);
  Lines new_lines = split(after);
  std::vector<Step> head;
  std::vector<Step> tail;
  const auto same = std::ranges::mismatch(old_lines, new_lines);
  for (auto line = old_lines.begin(); line != same.in1; ++line) head.push_back({' ', *line});
  old_lines.erase(old_lines.begin(), same.in1);
  new_lines.erase(new_lines.begin(), same.in2);
  while (!old_lines.empty() && !new_lines.empty() && old_lines.back() == new_lines.back()) {
    tail.push_back({' ', old_lines.back()});
    old_lines.pop_back();
    new_lines.pop_back();
  }
  std::vector<Step> steps = std::move(head);
  for (const Step& step : Search(old_lines, new_lines).steps()) steps.push_back(step);
  steps.insert(steps.end(), tail.rbegin(), tail.rend());
  return write_hunks(steps);
}

}  // namespace enfold::cli

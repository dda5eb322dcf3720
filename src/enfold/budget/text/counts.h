// SPDX-License-Identifier: Apache-2.0
// Counts by name, and lists, as the facts about a text write them. Both end with a mark that counts
// what is left out.
#pragma once

#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/model/marks.h"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

namespace enfold::budget::text {

class Counts {
 public:
  using Pair = std::pair<std::string_view, std::size_t>;

  void add(std::string_view name, std::size_t count = 1) {
    const auto known = counts_.find(name);
    if (known != counts_.end()) {
      known->second += count;
    } else {
      counts_.emplace(name, count);
    }
  }
  [[nodiscard]] bool empty() const { return counts_.empty(); }
  [[nodiscard]] std::size_t size() const { return counts_.size(); }  ///< number of names
  [[nodiscard]] std::size_t of(std::string_view name) const {
    const auto known = counts_.find(name);
    return known == counts_.end() ? 0 : known->second;
  }
  [[nodiscard]] std::vector<Pair> by_name() const { return {counts_.begin(), counts_.end()}; }
  /// The highest first, equal ones by name.
  [[nodiscard]] std::vector<Pair> by_count() const {
    std::vector<Pair> order = by_name();
    std::ranges::stable_sort(order, std::greater(), &Pair::second);
    return order;
  }

 private:
  std::map<std::string, std::size_t, std::less<>> counts_;
};

/// The first `most` counts as JSON: {"a":12,"b":3,"…":"+4 members"}.
[[nodiscard]] inline std::string written(const std::vector<Counts::Pair>& counts,
                                         std::size_t most) {
  json::Writer writer;
  writer.begin_object();
  for (std::size_t i = 0; i < std::min(counts.size(), most); ++i) {
    writer.member(counts[i].first, counts[i].second);
  }
  if (counts.size() > most) writer.member("…", model::members_mark(counts.size() - most));
  return std::move(writer.end_object()).finish().str();
}

/// The first `most` values, which are JSON, as a list: [1,2,"…[+4 items]"].
[[nodiscard]] inline std::string written_list(const std::vector<std::string>& values,
                                              std::size_t most) {
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(values.size(), most); ++i) {
    if (i > 0) text += ',';
    text += values[i];
  }
  if (values.size() > most) text += "," + json::quote(model::items_mark(values.size() - most));
  return text + "]";
}

}  // namespace enfold::budget::text

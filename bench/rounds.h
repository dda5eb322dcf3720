// SPDX-License-Identifier: Apache-2.0
// Interleaved rounds: in each one every contestant runs once for about the same time, so that a
// disturbance hits all of them and the ratios inside a round stay honest.
#pragma once

#include "bench/contestant.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace enfold::bench {

struct Pace {
  std::size_t rounds = 15;
  double seconds_each = 0.01;  ///< of one contestant in one round; at least one run
};

struct Measured {
  std::string name;
  std::vector<double> seconds;      ///< of one run, by round
  std::optional<std::size_t> heap;  ///< peak beyond the input
  [[nodiscard]] double median() const;
};

/// One job on one message.
struct Race {
  std::string title;
  std::string size;  ///< "20 KB"
  std::size_t bytes = 0;
  std::vector<Measured> rows;

  [[nodiscard]] const Measured& row(const std::string& name) const;
  /// Median over the rounds of time(`slow`) ÷ time(`fast`).
  [[nodiscard]] double ratio(const std::string& slow, const std::string& fast) const;
};

[[nodiscard]] std::vector<Measured> run(const std::vector<Contestant>& contestants, Pace pace);

/// Runs every contestant once and compares the results as JSON values. A tree may round a number:
/// values that differ by no more than 1e-15 of their size count as equal and are counted. The
/// differences in words; an unequal result ends the program.
[[nodiscard]] std::vector<std::string> check_agreement(const std::vector<Contestant>& contestants);

}  // namespace enfold::bench

// SPDX-License-Identifier: Apache-2.0
#include "bench/rounds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace enfold::bench {
namespace {

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

using Json = nlohmann::json;

bool same(const Json& a, const Json& b, std::size_t& rounded) {
  if (a.is_number() && b.is_number()) {
    const auto x = a.get<double>();
    const auto y = b.get<double>();
    if (x != y) ++rounded;
    return std::abs(x - y) <= 1e-15 * std::abs(x);
  }
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same(a[i], b[i], rounded)) return false;
    }
    return true;
  }
  if (!a.is_object()) return a == b;
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y) {
    if (x.key() != y.key() || !same(x.value(), y.value(), rounded)) return false;
  }
  return true;
}

std::string what_differs(const std::string& text, const std::string& first, std::size_t rounded) {
  if (text == first) return {};
  if (rounded != 0) return fmt::format("{} numbers rounded to another value", rounded);
  return "the same values in other bytes (numbers or escapes written anew)";
}

}  // namespace

double Measured::median() const { return median_of(seconds); }

const Measured& Race::row(const std::string& name) const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Measured& one) { return one.name == name; });
  if (found == rows.end()) std::abort();
  return *found;
}

double Race::ratio(const std::string& slow, const std::string& fast) const {
  const std::vector<double>& above = row(slow).seconds;
  const std::vector<double>& below = row(fast).seconds;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < above.size(); ++i) ratios.push_back(above[i] / below[i]);
  return median_of(std::move(ratios));
}

std::vector<Measured> run(const std::vector<Contestant>& contestants, Pace pace) {
  std::vector<Measured> rows;
  std::vector<std::size_t> times;
  for (const Contestant& contestant : contestants) {
    Measured row{.name = contestant.name};
    if (contestant.peak_heap) row.heap = contestant.peak_heap();
    double once = contestant.seconds_each(1);
    // A single short run says little: the clock is coarse and the caches are cold.
    if (once < pace.seconds_each / 4) once = contestant.seconds_each(20);
    const double fit = pace.seconds_each / std::max(once, 1e-9);
    times.push_back(static_cast<std::size_t>(std::clamp(fit, 1.0, 1e6)));
    rows.push_back(std::move(row));
  }
  for (std::size_t round = 0; round < pace.rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      // Everyone warms up: who came before has left caches and predictors full of its own.
      if (times[i] >= 4) static_cast<void>(contestants[i].seconds_each(times[i] / 4));
      rows[i].seconds.push_back(contestants[i].seconds_each(times[i]));
    }
  }
  return rows;
}

std::vector<std::string> check_agreement(const std::vector<Contestant>& contestants) {
  std::vector<std::string> notes;
  std::string first;
  Json wanted;
  for (const Contestant& contestant : contestants) {
    if (!contestant.output) continue;
    const std::string text = contestant.output();
    if (first.empty()) {
      first = text;
      wanted = Json::parse(first);
      continue;
    }
    std::size_t rounded = 0;
    if (text != first && !same(wanted, Json::parse(text), rounded)) {
      fmt::print(stderr, "error: {} made another result than {}\n", contestant.name,
                 contestants.front().name);
      std::exit(1);
    }
    const std::string difference = what_differs(text, first, rounded);
    if (!difference.empty()) notes.push_back(fmt::format("{}: {}", contestant.name, difference));
  }
  return notes;
}

}  // namespace enfold::bench

// SPDX-License-Identifier: Apache-2.0
// What it costs to question an archived answer, next to parsing its bytes once. Interleaved rounds
// of CPU time; ratios are medians of the ratios inside each round. Memory is the peak of the heap.
//   retrieve_bench [--quick]
#include "bench/corpus.h"
#include "bench/heap.h"
#include "bench/verdicts.h"
#include "enfold/json/write.h"
#include "enfold/retrieve/retrieve.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace enfold::bench {
namespace {

double thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double time_of(const std::function<void()>& work) {
  const double start = thread_time();
  work();
  return thread_time() - start;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

retrieve::Query query_of(const retrieve::QueryOptions& options) {
  return *retrieve::parse_query(options);
}

void ask(const std::string& bytes, const retrieve::Query& query) {
  const auto found = retrieve::retrieve_bytes(bytes, {}, query, {}, {.size = 100});
  if (!found) {
    fmt::print(stderr, "error: {}\n", found.error().message);
    std::exit(1);
  }
}

/// Median ratio of the times of two jobs, run in turn.
double ratio(const std::function<void()>& work, const std::function<void()>& base, int rounds) {
  std::vector<double> ratios;
  for (int i = 0; i < rounds; ++i) {
    const double baseline = time_of(base);
    ratios.push_back(time_of(work) / baseline);
  }
  return median_of(std::move(ratios));
}

int run(bool quick) {
  const std::size_t size = quick ? 1'000'000 : 10'000'000;
  const int rounds = quick ? 5 : 15;
  const std::string bytes = make_message(Corpus::structured, size);
  const auto parse = [&] {
    if (!json::parse(bytes)) std::exit(1);
  };
  const auto group = query_of({.sql = "select state, count(*) from items group by 1"});
  const auto find = query_of({.find = "a text that is nowhere"});
  const double by_group = ratio([&] { ask(bytes, group); }, parse, rounds);
  const auto opened = retrieve::open_answer(bytes, {});
  if (!opened) return 1;
  const auto ask_again = [&] {
    if (!retrieve::retrieve(**opened, group, {.size = 100})) std::exit(1);
  };
  ask_again();  // `enfold_fetch` keeps an answer opened after the first question
  const double by_second = ratio(ask_again, parse, rounds);
  const double by_find = ratio([&] { ask(bytes, find); }, parse, rounds);
  const std::size_t heap = peak_heap([&] { ask(bytes, group); });
  const double memory = static_cast<double>(heap) / static_cast<double>(bytes.size());
  Verdicts verdicts;
  verdicts.at_most("select … group by, times of parsing", 10, by_group);
  verdicts.at_most("a second query on the same handle, times of parsing", 3, by_second);
  verdicts.at_most("find, times of parsing", 2, by_find);
  verdicts.at_most("memory of select … group by, times of the answer", 1.5, memory);
  fmt::print("{}", verdicts.to_markdown());
  return 0;
}

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
  return enfold::bench::run(argc > 1 && std::string_view(argv[1]) == "--quick");
}

// SPDX-License-Identifier: Apache-2.0
#include "bench/child.h"
#include "bench/folder.h"
#include "bench/scale.h"
#include "enfold/store/archive.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

namespace enfold::bench {
namespace {

using Clock = std::chrono::steady_clock;
using store::Archive;
using store::ArchiveOptions;

constexpr double kLongestStall = 50;  // ms
constexpr std::chrono::seconds kLife = std::chrono::hours(1);

store::Time now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

/// Stores of one kind, each empty at first and in a place of its own.
class Stores {
 public:
  enum class Kind { sqlite, redis };
  explicit Stores(Kind kind) : kind_(kind) {}

  [[nodiscard]] std::string name() const { return kind_ == Kind::sqlite ? "SQLite" : "Redis"; }

  std::unique_ptr<Archive> open(const ArchiveOptions& options = {}) {
    const std::string place = fmt::format("{}/{}", folder_.path(), ++count_);
    if (kind_ == Kind::sqlite) return open_at(place, options);
    servers_.emplace_back(std::vector<std::string>{"redis-server", "--port", "0", "--unixsocket",
                                                   place, "--save", "", "--dir", folder_.path()},
                          -1, -1);
    return open_at("redis+unix://" + place, options);
  }

 private:
  /// A server that was just started needs a moment.
  static std::unique_ptr<Archive> open_at(const std::string& place, const ArchiveOptions& options) {
    auto archive = store::open_archive(place, options);
    for (int i = 0; !archive && i < 1000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      archive = store::open_archive(place, options);
    }
    if (archive) return *std::move(archive);
    fmt::print(stderr, "error: {}\n", archive.error().message);
    std::exit(1);
  }

  Kind kind_;
  Folder folder_;
  int count_ = 0;
  std::vector<Child> servers_;
};

/// An answer of about 40 KB, another one for each `seed`.
std::string answer(int seed) {
  std::string text = "[";
  for (int i = 0; text.size() < 40'000; ++i) {
    const int mixed = (i + 1) * 7'919 + seed * 104'729;
    text += fmt::format(
        R"({{"number":{},"title":"Worker {} stops after {} jobs when queue {} is empty","score":{}}},)",
        seed * 1'000 + i, mixed % 41, mixed % 1'013, mixed % 17, mixed % 1'000);
  }
  return text + "0]";
}

void put(Archive& archive, const std::string& principal, const std::string& bytes,
         store::Time time) {
  const auto receipt = archive.put(principal, bytes, {.tool = "records"}, time);
  if (receipt) return;
  fmt::print(stderr, "error: {}\n", receipt.error().message);
  std::exit(1);
}

/// Small answers, spread over `principals`.
void fill(Archive& archive, int count, int principals, store::Time time) {
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = thread; i < count; i += kThreads) {
        put(archive, fmt::format("principal {}", i % principals),
            fmt::format("{{\"answer\":{},\"text\":\"{:>300}\"}}", i, i), time);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

double put_time(Archive& archive, int seed) {
  const std::string bytes = answer(seed);
  const auto begin = Clock::now();
  put(archive, "principal 0", bytes, now());
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct Comparison {
  double little = 0;
  double much = 0;
  double ratio = 0;
};
/// The two take turns; the ratio is the median of the ratios of the rounds.
Comparison compare(Archive& little, Archive& much, int rounds) {
  std::vector<double> few, many, ratios;
  int seed = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> one, other;
    for (int i = 0; i < 20; ++i, ++seed) {
      one.push_back(put_time(little, seed));
      other.push_back(put_time(much, seed));
    }
    if (round == 0) continue;  // warms both up
    few.push_back(median_of(one));
    many.push_back(median_of(other));
    ratios.push_back(many.back() / few.back());
  }
  return {median_of(few), median_of(many), median_of(ratios)};
}

void compare_entries(Stores& stores, ScaleReport& report) {
  const int many = report.quick ? 20'000 : 100'000;
  const auto little = stores.open();
  const auto much = stores.open();
  fill(*little, 1'000, 1, now());
  fill(*much, many, 1, now());
  const Comparison found = compare(*little, *much, report.quick ? 5 : 15);
  report.row(
      fmt::format("{}: put with 1,000 and {} answers of one principal, ms", stores.name(), many),
      fmt::format("{:.3f}", found.little), fmt::format("{:.3f}", found.much), found.ratio, 1.3);
}

double statistics_time(Archive& archive) {
  const auto begin = Clock::now();
  if (!archive.statistics()) std::exit(1);
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void compare_principals(Stores& stores, ScaleReport& report) {
  const int many = report.quick ? 5'000 : 20'000;
  const auto little = stores.open();
  const auto much = stores.open();
  fill(*little, many, 1, now());
  fill(*much, many, many, now());
  const Comparison found = compare(*little, *much, report.quick ? 5 : 15);
  report.row(fmt::format("{}: put with 1 and {} principals, ms", stores.name(), many),
             fmt::format("{:.3f}", found.little), fmt::format("{:.3f}", found.much), found.ratio,
             1.3);
  report.line(fmt::format("{}: statistics with 1 and {} principals, ms", stores.name(), many),
              fmt::format("{:.2f}", statistics_time(*little)),
              fmt::format("{:.2f}", statistics_time(*much)));
  report.line(fmt::format("{}: statistics, a second time, ms", stores.name()),
              fmt::format("{:.2f}", statistics_time(*little)),
              fmt::format("{:.2f}", statistics_time(*much)));
}

/// The times of one put after the other, a millisecond apart, until `stops`.
std::vector<double> put_until(const std::atomic<bool>& stops, Archive& archive) {
  std::vector<double> times;
  for (int seed = 0; !stops || times.empty(); ++seed) {
    times.push_back(put_time(archive, seed));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return times;
}

std::vector<double> put_while(Archive& archive, const std::function<void()>& work) {
  std::atomic<bool> stops = false;
  std::thread worker([&] {
    work();
    stops = true;
  });
  std::vector<double> times = put_until(stops, archive);
  worker.join();
  return times;
}

void measure_stalls(Stores& stores, ScaleReport& report) {
  const int many = report.quick ? 20'000 : 100'000;
  const auto quiet = stores.open({.life = kLife});
  const auto archive = stores.open({.life = kLife});
  fill(*archive, many, 1, now() - 2 * kLife);
  double seconds = 0;
  const auto during = put_while(*archive, [&] {
    const auto begin = Clock::now();
    if (!archive->expire(now())) std::exit(1);
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  });
  const auto before = put_while(
      *quiet, [&] { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); });
  const double longest = *std::max_element(during.begin(), during.end());
  const std::string what =
      fmt::format("{}: longest put while {} expired answers are removed, ms", stores.name(), many);
  report.line(what, fmt::format("{:.1f}", *std::max_element(before.begin(), before.end())),
              fmt::format("{:.1f}", longest));
  report.line(fmt::format("{}: median put during the removal, ms", stores.name()),
              fmt::format("{:.2f}", median_of(before)), fmt::format("{:.2f}", median_of(during)));
  report.line(fmt::format("{}: time of the removal, s", stores.name()), "",
              fmt::format("{:.1f}", seconds));
  report.verdicts.at_most(what, kLongestStall, longest);
}

}  // namespace

void measure_archive(ScaleReport& report) {
  report.heading(
      "Archive",
      "A put stores an answer of 40 KB, as for an answer that is cut. The measurements with few "
      "and with many entries take turns; figures are medians. In the rows about expired answers "
      "there is one put in each millisecond. There the column few is without a clean-up, and the "
      "column many is during a clean-up.");
  for (const Stores::Kind kind : {Stores::Kind::sqlite, Stores::Kind::redis}) {
    Stores stores(kind);
    compare_entries(stores, report);
    compare_principals(stores, report);
    measure_stalls(stores, report);
  }
}

}  // namespace enfold::bench

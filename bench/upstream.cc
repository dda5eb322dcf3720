// SPDX-License-Identifier: Apache-2.0
// The server behind every gateway that is measured; over stdio, or over HTTP with --http PORT. With
// ENFOLD_BENCH_TOOLS=N it has N further tools, echo_1 to echo_N.
#include "enfold/server/run.h"

#include <cstdlib>
#include <fmt/format.h>

namespace {

using namespace enfold;
using level::Level;

struct Said {
  std::string text;
  static constexpr auto arguments() {
    return server::arguments(server::argument("text", &Said::text).describe("What to say again"));
  }
  static constexpr auto fields() {
    return level::fields(level::field("text", &Said::text, Level::minimal));
  }
};

Said echo(const Said& said) { return said; }

struct Wanted {
  std::int64_t count = 0;
  std::int64_t seed = 0;
  static constexpr auto arguments() {
    return server::arguments(
        server::argument("count", &Wanted::count).at_least(0).describe("How many records"),
        server::argument("seed", &Wanted::seed).describe("Another seed, other records"));
  }
};

struct Record {
  std::int64_t number = 0;
  std::string title;
  std::string state;
  std::string created_at;
  double score = 0;
  static constexpr auto fields() {
    return level::fields(level::field("number", &Record::number, Level::minimal),
                         level::field("title", &Record::title, Level::minimal),
                         level::field("state", &Record::state, Level::minimal),
                         level::field("created_at", &Record::created_at, Level::minimal),
                         level::field("score", &Record::score, Level::minimal));
  }
};

struct Records {
  std::vector<Record> items;
  static constexpr auto fields() {
    return level::fields(level::field("items", &Records::items, Level::minimal));
  }
};

Records records(const Wanted& wanted) {
  Records made;
  for (std::int64_t i = 0; i < wanted.count; ++i) {
    const std::int64_t mixed = (i + 1) * 7919 + wanted.seed * 104'729;
    made.items.push_back({wanted.seed * 100'000 + i,
                          fmt::format("Worker {} stops after {} jobs when queue {} is empty",
                                      mixed % 41, mixed % 1'013, mixed % 17),
                          mixed % 11 == 0 ? "failed" : "open",
                          fmt::format("2026-{:02}-{:02}T{:02}:{:02}:00Z", mixed % 12 + 1,
                                      mixed % 28 + 1, mixed % 24, mixed % 60),
                          static_cast<double>(mixed % 1'000) / 8});
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  server::Server upstream("bench-upstream", "1.0.0");
  upstream.tool("echo", "Says the same again", echo).read_only();
  upstream.tool("records", "Records of a tracker, as many as asked for", records).read_only();
  const char* const more = std::getenv("ENFOLD_BENCH_TOOLS");
  for (int i = 1; more != nullptr && i <= std::atoi(more); ++i) {
    upstream.tool(fmt::format("echo_{}", i), "Says the same again", echo).read_only();
  }
  server::Settings& settings = upstream.settings();
  settings.contract = "none";
  settings.local_tools = false;
  settings.redaction.reset();
  settings.log = [](const serve::LogLine&) {};
  return server::run(upstream, argc, argv);
}

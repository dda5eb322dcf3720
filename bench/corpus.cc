// SPDX-License-Identifier: Apache-2.0
#include "bench/corpus.h"

#include "enfold/json/write.h"

#include <array>
#include <cstdint>
#include <fmt/core.h>

namespace enfold::bench {
namespace {

class Random {
 public:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  template <class Array>
  std::string_view one_of(const Array& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::uint64_t state_ = 42;
};

constexpr std::array<std::string_view, 40> kWords{
    "the",     "a",       "of",     "to",      "order",   "fails",   "when",    "server",
    "returns", "empty",   "list",   "after",   "timeout", "reset",   "while",   "parsing",
    "header",  "config",  "path",   "value",   "pointer", "retry",   "request", "budget",
    "merge",   "branch",  "commit", "review",  "build",   "cache",   "layer",   "deploy",
    "region",  "cluster", "node",   "replica", "write",   "invoice", "parcel",  "customer"};
constexpr std::array<std::string_view, 8> kScripts{"naïve café", "Größe 42 µm", "日本語のテキスト",
                                                   "→ see §4",   "🚀 shipped",  "Привет, мир",
                                                   "żółta łódź", "مرحبا"};
constexpr std::array<std::string_view, 4> kStates{"open", "closed", "waiting", "merged"};

std::string prose(Random& random, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) {
    if (i != 0) text += ' ';
    switch (random.below(100)) {
      case 0:
      case 1: text += random.one_of(kScripts); break;
      case 2: text += fmt::format("\"{}\"", random.one_of(kWords)); break;
      case 3: text += fmt::format("{}\n", random.one_of(kWords)); break;
      default: text += random.one_of(kWords);
    }
  }
  return text;
}

std::string decimal(Random& random, std::uint64_t whole, unsigned digits) {
  std::uint64_t scale = 1;
  for (unsigned i = 0; i < digits; ++i) scale *= 10;
  return fmt::format("{}.{:0{}}", random.below(whole), 1 + random.below(scale - 1), digits);
}

void write_tags(Random& random, json::Writer& writer) {
  writer.key("tags").begin_array();
  for (std::uint64_t left = random.below(4); left != 0; --left) {
    writer.begin_object().member("name", random.one_of(kWords));
    writer.member("color", fmt::format("{:06x}", random.below(1U << 24)));
    writer.member("default", false).end_object();
  }
  writer.end_array();
}

void write_record(Random& random, std::size_t index, bool secret, json::Writer& writer) {
  const auto number = static_cast<std::int64_t>(index);
  writer.begin_object().member("id", 1'000'000 + number);
  writer.member("node_id", fmt::format("I_kw{:08x}", random.below(1ULL << 32)));
  writer.member("title", prose(random, 6)).member("state", random.one_of(kStates));
  writer.member("url", fmt::format("https://api.example.com/repos/acme/widget/issues/{}", index));
  writer.key("user").begin_object();
  writer.member("login", fmt::format("{}{}", random.one_of(kWords), index % 97));
  writer.member("id", static_cast<std::int64_t>(random.below(100'000'000)));
  writer.member("admin", random.below(10) == 0).key("avatar").null().end_object();
  write_tags(random, writer);
  writer.key("price").number(decimal(random, 500, 2));
  writer.key("position").begin_array();
  writer.number(decimal(random, 90, 6)).number("-" + decimal(random, 180, 6)).end_array();
  writer.member("comments", static_cast<std::int64_t>(random.below(50)));
  writer.member("created_at", fmt::format("2026-{:02}-{:02}T{:02}:12:55Z", 1 + random.below(12),
                                          1 + random.below(28), random.below(24)));
  std::string body = prose(random, 5 + random.below(50));
  if (secret) body += fmt::format(" key AKIA{:016X}", random.next());
  writer.member("body", body).end_object();
}

std::string make_payload(std::size_t bytes, bool secrets) {
  Random random;
  json::Writer records;
  records.begin_array();
  std::size_t count = 0;
  std::size_t written = 0;
  while (count == 0 || written + 400 < bytes) {
    json::Writer record;
    write_record(random, count, secrets && count % 20 == 0, record);
    json::Output one = std::move(record).finish();
    written += one.size() + 1;
    records.splice(std::move(one));
    ++count;
  }
  records.end_array();
  json::Writer writer;
  writer.begin_object().member("total_count", static_cast<std::int64_t>(count));
  writer.member("incomplete_results", false).key("items").splice(std::move(records).finish());
  writer.end_object();
  return std::move(writer).finish().str();
}

}  // namespace

std::string_view name(Corpus corpus) {
  constexpr std::array<std::string_view, 4> names{"structured", "text", "both", "secrets"};
  return names[static_cast<std::size_t>(corpus)];
}

std::string make_message(Corpus corpus, std::size_t bytes) {
  const auto block = [](std::string_view payload) {
    return fmt::format(R"([{{"type":"text","text":{}}}])", json::quote(payload));
  };
  switch (corpus) {
    case Corpus::text:
      return fmt::format(R"({{"content":{}}})", block(make_payload(bytes * 9 / 10, false)));
    case Corpus::both: {
      const std::string payload = make_payload(bytes * 9 / 19, false);
      return fmt::format(R"({{"content":{},"structuredContent":{}}})", block(payload), payload);
    }
    case Corpus::structured:
    case Corpus::secrets: break;
  }
  return fmt::format(R"({{"content":[],"structuredContent":{}}})",
                     make_payload(bytes, corpus == Corpus::secrets));
}

}  // namespace enfold::bench

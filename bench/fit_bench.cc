// SPDX-License-Identifier: Apache-2.0
// What it costs to fit a payload to a budget, next to parsing, hashing and counting the same bytes
// once. Interleaved rounds of CPU time; ratios are medians of the ratios inside each round.
//   fit_bench [--quick] [--only PAYLOAD]
#include "bench/corpus.h"
#include "bench/verdicts.h"
#include "enfold/base/hash.h"
#include "enfold/base/text.h"
#include "enfold/budget/fit.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace enfold::bench {
namespace {

constexpr std::array<std::size_t, 3> kBudgets{1'000, 4'000, 20'000};

struct Amount {
  const char* name;
  std::size_t bytes;
};
constexpr std::array<Amount, 5> kAmounts{{{"16 KB", 16'000},
                                          {"160 KB", 160'000},
                                          {"1.6 MB", 1'600'000},
                                          {"16 MB", 16'000'000},
                                          {"40 MB", 40'000'000}}};

double thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// So many bytes of different payloads are handled in one round: a processor soon knows a short
/// text by heart, and then guesses every branch in it right.
constexpr std::size_t kBytesInRound = 1'600'000;

std::size_t variants(std::size_t bytes) { return std::max<std::size_t>(1, kBytesInRound / bytes); }

/// Lists of records.
std::vector<std::string> records(std::size_t bytes) {
  const auto message = json::parse(make_message(Corpus::structured, bytes * variants(bytes)));
  const json::View items = *message->root().find("structuredContent")->find("items");
  std::vector<std::string> payloads;
  std::string list;
  for (const json::View item : items.items()) {
    list += list.empty() ? '[' : ',';
    list += item.raw();
    if (list.size() + 400 < bytes) continue;
    payloads.push_back(fmt::format(R"({{"incomplete_results":false,"items":{}]}})", list));
    list.clear();
  }
  if (payloads.empty()) payloads.push_back(std::string(items.raw()));
  return payloads;
}

/// A tool that prints: one JSON string, a failing line now and then.
std::vector<std::string> logs(std::size_t bytes) {
  std::vector<std::string> payloads;
  std::size_t line = 0;
  while (payloads.size() < variants(bytes)) {
    std::string text;
    for (; text.size() < bytes; ++line) {
      const std::size_t mixed = line * 2'654'435'761U % 100'000;
      text +=
          fmt::format("2026-11-15T{:02}:{:02}:{:02}.{:03}Z {} worker-{} request {:05} took {} ms",
                      line / 3600 % 24, line / 60 % 60, line % 60, mixed % 1000,
                      mixed < 700 ? "ERROR" : "INFO", mixed % 8, line, mixed % 431);
      text += mixed < 700 ? ": connection to \"replica\" failed after 3 tries\n" : "\n";
    }
    payloads.push_back(json::quote(text));
  }
  return payloads;
}

/// The values of one row of a table.
struct Order {
  std::size_t id, customer, cents;
  const char* status;
  std::size_t day, second;
};

Order order_at(std::size_t row) {
  static constexpr std::array<const char*, 5> kStatus{"paid", "open", "shipped", "paid", "refused"};
  const std::size_t mixed = row * 2'654'435'761U % 1'000'003;
  return {204'000 + row,  mixed % 4'000, mixed * 37 % 900'000, kStatus[mixed % kStatus.size()],
          mixed % 28 + 1, mixed % 86'400};
}

/// Texts of lines, each made by `line`, behind the text `first`.
template <class MakeLine>
std::vector<std::string> texts_of(std::size_t bytes, std::string_view first, MakeLine line) {
  std::vector<std::string> payloads;
  std::size_t row = 0;
  while (payloads.size() < variants(bytes)) {
    std::string text(first);
    while (text.size() < bytes) text += line(order_at(row++));
    payloads.push_back(json::quote(text));
  }
  return payloads;
}

std::vector<std::string> csv_texts(std::size_t bytes) {
  return texts_of(bytes, "order_id,customer,status,total,placed_at,note\n", [](const Order& one) {
    return fmt::format("SO-{},customer {},{},{}.{:02},2026-10-{:02}T{:02}:{:02}:{:02}Z,{}\n",
                       one.id, one.customer, one.status, one.cents / 100, one.cents % 100, one.day,
                       one.second / 3600, one.second / 60 % 60, one.second % 60,
                       one.cents % 50 == 0 ? "\"fragile, do not stack\"" : "");
  });
}

std::vector<std::string> json_lines_texts(std::size_t bytes) {
  return texts_of(bytes, "", [](const Order& one) {
    return fmt::format(
        R"({{"order_id":"SO-{}","customer":{{"id":{},"tier":"{}"}},"status":"{}","total":{}.{:02},"placed_at":"2026-10-{:02}T{:02}:{:02}:{:02}Z"}})"
        "\n",
        one.id, one.customer, one.customer % 9 == 0 ? "gold" : "basic", one.status, one.cents / 100,
        one.cents % 100, one.day, one.second / 3600, one.second / 60 % 60, one.second % 60);
  });
}

void write_tree(json::Writer& writer, std::size_t bytes, std::size_t seed) {
  if (bytes < 400) {
    writer.begin_object().member("image", fmt::format("registry.example.com/app-{}", seed % 97));
    writer.member("replicas", static_cast<std::int64_t>(seed % 7)).member("enabled", seed % 3 != 0);
    writer.key("ports").begin_array().integer(8080).integer(9090).end_array();
    writer.member("note", "restarts when the configuration of its region changes").end_object();
    return;
  }
  const std::size_t members = 3 + seed % 6;
  writer.begin_object().member("owner", fmt::format("team-{}", seed % 12));
  for (std::size_t i = 0; i < members; ++i) {
    writer.key(fmt::format("service_{}_{}", seed % 1000, i));
    write_tree(writer, bytes / members, seed * 31 + i + 1);
  }
  writer.end_object();
}

/// Configuration: maps of maps, no list to speak of.
std::vector<std::string> trees(std::size_t bytes) {
  std::vector<std::string> payloads;
  for (std::size_t seed = 7; payloads.size() < variants(bytes); ++seed) {
    json::Writer writer;
    write_tree(writer, bytes, seed);
    payloads.push_back(std::move(writer).finish().str());
  }
  return payloads;
}

void write_strings(json::Writer& writer, std::string_view key,
                   const std::vector<std::string>& strings) {
  if (strings.empty()) return;
  writer.key(key).begin_array();
  for (const std::string& text : strings) writer.string(text);
  writer.end_array();
}

/// The whole answer in its envelope, as it would be sent.
std::string answer_text(const budget::FitResult& fitted) {
  json::Writer writer;
  writer.begin_object().member("success", true).key("data").value(fitted.payload);
  writer.key("error").null().key("meta").begin_object().member("version", "response-v2");
  if (fitted.fidelity != model::Fidelity::full) {
    writer.member("content_fidelity", model::name(fitted.fidelity));
    write_strings(writer, "dropped_content_ids", fitted.dropped);
    writer.member("dropped_count", static_cast<std::int64_t>(fitted.dropped_count));
    write_strings(writer, "briefed", fitted.briefed);
    write_strings(writer, "clipped", fitted.clipped);
    writer.key("content_archive_hashes").begin_object().member("data", "492718305561").end_object();
    writer.key("warnings").begin_array().string("CONTENT_TRUNCATED").end_array();
    if (fitted.facts) writer.member("facts", *fitted.facts);
    if (fitted.index) writer.member("index", *fitted.index);
  }
  writer.end_object().end_object();
  return std::move(writer).finish().str();
}

budget::Size size_of(const std::string& text) {
  std::size_t lines = 1;  // minified JSON has no line feed, which find() sees at once
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    ++lines;
  }
  return {token::o200k_base().count(text), utf8::length(text), lines};
}

struct Row {
  std::string payload;
  const char* amount;
  std::size_t budget;
  double seconds;  ///< of one payload
  double seconds_per_byte;
  double ratio;             ///< to parse + SHA-256 + count
  double measurements = 0;  ///< of a whole answer
  double used = 0;          ///< tokens
  std::string_view fidelity;
};

class Bench {
 public:
  /// `only`: the payload that is measured; empty: all.
  Bench(bool quick, std::string_view only) : quick_(quick), only_(only) {}

  int run() {
    fmt::print(
        "## Fitting\n\n| payload | size | budget | fit ms | MB/s | ÷ (parse + SHA-256 + count) | "
        "answers measured | tokens used | level |\n|---|---|---:|---:|---:|---:|---:|---:|---|\n");
    race("records", records);
    race("log", logs);
    race("nested", trees);
    race("csv", csv_texts);
    race("json_lines", json_lines_texts);
    fmt::print("\n{}", parts_);
    judge();
    fmt::print("{}", verdicts_.to_markdown());
    return failed_ ? 1 : 0;
  }

 private:
  using Made = std::vector<std::string> (*)(std::size_t);

  void race(const std::string& name, Made make) {
    if (!only_.empty() && only_ != name) return;
    for (const Amount& amount : kAmounts) {
      if (quick_ && amount.bytes > 2'000'000) continue;
      measure(name, amount, make(amount.bytes));
    }
  }

  struct Base {
    double parse = 0, hash = 0, count = 0;
    [[nodiscard]] double sum() const { return parse + hash + count; }
  };

  static Base base(const std::vector<std::string>& texts) {
    Base total;
    for (const std::string& text : texts) {
      json::Buffer copy;
      std::copy(text.begin(), text.end(), copy.prepare(text.size()));
      copy.commit(text.size());
      const double begin = thread_time();
      const auto document = json::parse(std::move(copy));
      const double parsed = thread_time();
      volatile auto digest = sha256(text)[0];
      const double hashed = thread_time();
      volatile auto tokens = token::o200k_base().count(text);
      const double counted = thread_time();
      static_cast<void>(digest);
      static_cast<void>(tokens);
      if (!document) std::abort();
      total.parse += parsed - begin;
      total.hash += hashed - parsed;
      total.count += counted - hashed;
    }
    return total;
  }

  static Result<budget::FitResult> fit(json::View payload, std::size_t tokens,
                                       const budget::Measure& measure) {
    return budget::fit(payload, {tokens, 100'000'000, std::nullopt}, {}, nullptr,
                       token::o200k_base(), measure);
  }

  static double fit_seconds(const std::vector<json::Document>& documents, std::size_t tokens,
                            const budget::Measure& measure) {
    double total = 0;
    for (const json::Document& document : documents) {
      const double begin = thread_time();
      const auto fitted = fit(document.root(), tokens, measure);
      total += thread_time() - begin;
      if (!fitted) std::abort();
    }
    return total;
  }

  void measure(const std::string& name, const Amount& amount,
               const std::vector<std::string>& texts) {
    std::vector<json::Document> documents;
    std::size_t bytes = 0;
    for (const std::string& text : texts) {
      documents.push_back(*json::parse(text));
      bytes += text.size();
    }
    const budget::Measure sizing = [](const budget::FitResult& fitted) {
      return size_of(answer_text(fitted));
    };
    const int rounds = bytes > 10'000'000 ? 3 : 11;
    static_cast<void>(base(texts));
    std::vector<std::vector<double>> seconds(kBudgets.size());
    std::vector<std::vector<double>> ratios(kBudgets.size());
    std::vector<double> parse, hash, count;
    for (int round = 0; round < rounds; ++round) {
      const Base here = base(texts);
      parse.push_back(here.parse);
      hash.push_back(here.hash);
      count.push_back(here.count);
      for (std::size_t i = 0; i < kBudgets.size(); ++i) {
        seconds[i].push_back(fit_seconds(documents, kBudgets[i], sizing));
        ratios[i].push_back(seconds[i].back() / here.sum());
      }
    }
    const auto speed = [&](const std::vector<double>& of) {
      return static_cast<double>(bytes) / 1e6 / median_of(of);
    };
    parts_ += fmt::format("{}, {}: parse {:.0f} MB/s, SHA-256 {:.0f} MB/s, count {:.0f} MB/s\n",
                          name, amount.name, speed(parse), speed(hash), speed(count));
    const auto payloads = static_cast<double>(texts.size());
    for (std::size_t i = 0; i < kBudgets.size(); ++i) {
      Row row{name,
              amount.name,
              kBudgets[i],
              median_of(seconds[i]) / payloads,
              median_of(seconds[i]) / static_cast<double>(bytes),
              median_of(ratios[i])};
      look_at(documents, sizing, row);
      fmt::print("| {} | {} | {} | {:.3f} | {:.0f} | {:.2f} | {:.1f} | {:.0f} | {} |\n", name,
                 amount.name, row.budget, row.seconds * 1e3, speed(seconds[i]), row.ratio,
                 row.measurements, row.used, row.fidelity);
      std::fflush(stdout);
      rows_.push_back(std::move(row));
    }
  }

  // What comes out, on average.
  void look_at(const std::vector<json::Document>& documents, const budget::Measure& sizing,
               Row& row) {
    const auto payloads = static_cast<double>(documents.size());
    for (const json::Document& document : documents) {
      const auto fitted = fit(document.root(), row.budget, [&](const budget::FitResult& one) {
        row.measurements += 1 / payloads;
        return sizing(one);
      });
      const std::size_t tokens = sizing(*fitted).tokens;
      row.used += static_cast<double>(tokens) / payloads;
      row.fidelity = model::name(fitted->fidelity);
      if (tokens > row.budget) {
        fmt::print(stderr, "error: {} tokens in a budget of {}\n", tokens, row.budget);
        failed_ = true;
      }
    }
  }

  void judge() {
    for (const Row& row : rows_) {
      verdicts_.at_most(fmt::format("fit {}, {}, {} tokens: times parse + SHA-256 + count",
                                    row.payload, row.amount, row.budget),
                        2, row.ratio);
    }
    // Linear: a byte of a large payload costs no more than one of the smallest that is cut, nor of
    // the one before it.
    std::map<std::pair<std::string, std::size_t>, std::vector<const Row*>> series;
    for (const Row& row : rows_) {
      if (row.fidelity != "full") series[{row.payload, row.budget}].push_back(&row);
    }
    for (const auto& [key, rows] : series) {
      double most = 0;
      for (std::size_t i = 1; i < rows.size(); ++i) {
        most = std::max({most, rows[i]->seconds_per_byte / rows[0]->seconds_per_byte,
                         rows[i]->seconds_per_byte / rows[i - 1]->seconds_per_byte});
      }
      verdicts_.at_most(fmt::format("fit {}, {} tokens: growth of the time for a byte with size",
                                    key.first, key.second),
                        1.5, most);
    }
  }

  bool quick_;
  std::string_view only_;
  bool failed_ = false;
  std::string parts_;
  std::vector<Row> rows_;
  Verdicts verdicts_;
};

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
  bool quick = false;
  std::string_view only;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--quick") quick = true;
    if (option == "--only" && i + 1 < argc) only = argv[++i];
  }
  return enfold::bench::Bench(quick, only).run();
}

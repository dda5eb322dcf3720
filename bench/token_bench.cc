// SPDX-License-Identifier: Apache-2.0
// What counting tokens costs, next to npm tiktoken (WASM) and gpt-tokenizer (JavaScript) on the
// same texts in the same run, and what the worst texts cost. CPU time of the quickest round each;
// the turns of Enfold and of Node alternate.
//   token_bench [--quick]
#include "bench/corpus.h"
#include "bench/verdicts.h"
#include "enfold/token/tokenizer.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <thread>
#include <unistd.h>
#include <vector>

namespace enfold::bench {
namespace {

const std::string kRoot = ENFOLD_SOURCE_DIR;
const std::string kNode = kRoot + "/tests/peers/node_modules/.bin/node";

double thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_of(const std::function<void()>& work, int rounds) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const double begin = thread_time();
    work();
    best = std::min(best, thread_time() - begin);
  }
  return best;
}

/// In a thread that has counted nothing before.
double cold_seconds(const token::Tokenizer& encoding, const std::string& text) {
  double seconds = 0;
  std::thread([&] { seconds = seconds_of([&] { (void)encoding.count(text); }, 1); }).join();
  return seconds;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The prose of this project, as often as it takes.
std::string english(std::size_t bytes) {
  std::vector<std::filesystem::path> files{kRoot + "/LICENSE", kRoot + "/README.md",
                                           kRoot + "/ARCHITECTURE.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot + "/docs")) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  }
  std::sort(files.begin() + 3, files.end());
  std::string once;
  for (const auto& file : files) once += read_file(file);
  std::string text;
  while (!once.empty() && text.size() < bytes) text += once;
  return text;
}

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

std::string random_of(std::string_view alphabet, std::size_t bytes) {
  std::mt19937 random(7);  // NOLINT: the same bytes in every run
  std::string text;
  while (text.size() < bytes) text += alphabet[random() % alphabet.size()];
  return text;
}

std::string random_characters(std::uint32_t first, std::uint32_t last, std::size_t bytes) {
  std::mt19937 random(7);  // NOLINT
  std::string text;
  while (text.size() < bytes) {
    const auto point = first + static_cast<std::uint32_t>(random()) % (last - first + 1);
    text += static_cast<char>(0xE0 | point >> 12);
    text += static_cast<char>(0x80 | (point >> 6 & 63));
    text += static_cast<char>(0x80 | (point & 63));
  }
  return text;
}

struct Peer {
  double seconds = 0;
  token::TokenCount tokens = 0;
};

std::map<std::string, Peer> ask_peers(std::string_view encoding, const std::string& file,
                                      int rounds) {
  const std::string command = fmt::format("{} {}/tests/token_peers/bench.mjs {} {} {}", kNode,
                                          kRoot, encoding, file, rounds);
  std::map<std::string, Peer> peers;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return peers;
  char name[32];
  Peer peer;
  while (std::fscanf(pipe, "%31s %lf %zu", name, &peer.seconds, &peer.tokens) == 3) {
    peers[name] = peer;
  }
  pclose(pipe);
  return peers;
}

class Bench {
 public:
  explicit Bench(bool quick) : quick_(quick) {}

  int run() {
    if (access(kNode.c_str(), X_OK) != 0) {
      fmt::print(stderr, "error: the peers are missing\nhint: run tools/setup bench\n");
      return 1;
    }
    fmt::print(
        "## Counting tokens\n\n| text | encoding | MB | cold MB/s | MB/s | tiktoken MB/s | "
        "gpt-tokenizer MB/s | ÷ tiktoken | ÷ gpt-tokenizer |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
    race("minified JSON", make_message(Corpus::structured, 4'000'000), 120, 60);
    race("English", english(2'000'000), 50, 20);
    worst();
    early_exit();
    fmt::print("{}", verdicts_.to_markdown());
    return failed_ ? 1 : 0;
  }

 private:
  void race(const std::string& title, const std::string& text, double over_tiktoken,
            double over_gpt) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("enfold-token-bench-{}", getpid());
    std::ofstream(file, std::ios::binary) << text;
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    for (const token::Tokenizer* encoding : token::encodings()) {
      double ours = 1e9;
      double cold = 1e9;
      std::map<std::string, Peer> best;
      for (int turn = 0; turn < (quick_ ? 1 : 3); ++turn) {
        cold = std::min(cold, cold_seconds(*encoding, text));
        ours = std::min(ours, seconds_of([&] { (void)encoding->count(text); }, 25));
        for (const auto& [name, peer] : ask_peers(encoding->name(), file.string(), 2)) {
          Peer& kept = best[name];
          kept = kept.seconds > 0 && kept.seconds < peer.seconds ? kept : peer;
        }
      }
      const Peer& wasm = best["tiktoken"];
      const Peer& script = best["gpt-tokenizer"];
      agree(*encoding, text, wasm.tokens);
      fmt::print("| {} | {} | {:.1f} | {:.0f} | {:.0f} | {:.2f} | {:.2f} | {:.0f}× | {:.0f}× |\n",
                 title, encoding->name(), megabytes, megabytes / cold, megabytes / ours,
                 megabytes / wasm.seconds, megabytes / script.seconds, wasm.seconds / ours,
                 script.seconds / ours);
      const auto what = [&](const char* peer) {
        return fmt::format("{}, {}: times as fast as {}", title, encoding->name(), peer);
      };
      verdicts_.at_least(what("tiktoken"), over_tiktoken, wasm.seconds / ours);
      verdicts_.at_least(what("gpt-tokenizer"), over_gpt, script.seconds / ours);
    }
    std::filesystem::remove(file);
  }

  void agree(const token::Tokenizer& encoding, const std::string& text, token::TokenCount peer) {
    const token::TokenCount found = encoding.count(text);
    if (found == peer) return;
    fmt::print(stderr, "error: {} counts {}, tiktoken {}\n", encoding.name(), found, peer);
    failed_ = true;
  }

  void worst() {
    constexpr std::size_t size = 1'000'000;
    constexpr std::string_view base64 =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string all_bytes;
    for (int i = 0; i < 256; ++i) all_bytes += static_cast<char>(i);
    const std::vector<std::pair<std::string, std::string>> texts{
        {"aaaa…", repeated("a", size)},
        {"spaces", repeated(" ", size)},
        {"line feeds", repeated("\n", size)},
        {"dashes", repeated("-", size)},
        {"equals signs", repeated("=", size)},
        {"random a and b", random_of("ab", size)},
        {"random small letters", random_of("abcdefghijklmnopqrstuvwxyz", size)},
        {"random punctuation", random_of("!#$%&*+-.:;<=>?@^_|~", size)},
        {"base64", random_of(base64, size)},
        {"random bytes", random_of(all_bytes, size)},
        {"one kana", repeated("\u304b", size)},
        {"random kana", random_characters(0x3041, 0x3096, size)},
        {"random ideographs", random_characters(0x4E00, 0x9FFF, size)},
        {"combining marks", repeated("\u0301", size)},
        {"emoji", repeated("\U0001F468\u200D\U0001F469\u200D\U0001F467", size)},
    };
    fmt::print(
        "\n## Worst texts, 1 MB each\n\n| text | o200k_base MB/s | cl100k_base MB/s |\n"
        "|---|---:|---:|\n");
    double slowest = 1e9;
    for (const auto& [title, text] : texts) {
      std::vector<double> speeds;
      for (const token::Tokenizer* encoding : token::encodings()) {
        const double seconds = seconds_of([&] { (void)encoding->count(text); }, quick_ ? 1 : 3);
        speeds.push_back(static_cast<double>(text.size()) / 1e6 / seconds);
        slowest = std::min(slowest, speeds.back());
      }
      fmt::print("| {} | {:.1f} | {:.1f} |\n", title, speeds[0], speeds[1]);
    }
    verdicts_.at_least("slowest 1 MB, MB/s", 1, slowest);
  }

  void early_exit() {
    const std::string text = make_message(Corpus::structured, 40'000'000);
    fmt::print("\n## Does 40 MB fit in 4,000 tokens?\n\n");
    for (const token::Tokenizer* encoding : token::encodings()) {
      const double whole = seconds_of([&] { (void)encoding->count(text); }, 2);
      const double early = seconds_of([&] { (void)encoding->fits(text, 4'000); }, 50);
      fmt::print("{}: {:.3f} ms, counting all {:.1f} ms\n", encoding->name(), early * 1e3,
                 whole * 1e3);
      verdicts_.at_most(fmt::format("fits, {}: share of a full count, %", encoding->name()), 0.1,
                        early / whole * 100);
    }
  }

  bool quick_;
  bool failed_ = false;
  Verdicts verdicts_;
};

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
  return enfold::bench::Bench(argc > 1 && std::string_view(argv[1]) == "--quick").run();
}

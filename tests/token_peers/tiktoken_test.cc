// SPDX-License-Identifier: Apache-2.0
// Counts against npm tiktoken, which runs beside the test and says what each text costs.
#include "enfold/token/tokenizer.h"
#include "tests/support/cases.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

namespace enfold::token {
namespace {

const std::string kNode = ENFOLD_SOURCE_DIR "/tests/peers/node_modules/.bin/node";
const std::string kScript = ENFOLD_SOURCE_DIR "/tests/token_peers/vectors.mjs";
const std::string kCorpus = ENFOLD_SOURCE_DIR "/tests/golden/samples";

/// The beginning of a text, with everything but plain ASCII escaped.
std::string shown(const std::string& text) {
  std::string out;
  for (const char c : text.substr(0, 120)) {
    const auto byte = static_cast<unsigned char>(c);
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, byte < 0x20 || byte > 0x7e ? "\\x%02x" : "%c", byte);
    out += escaped;
  }
  return out;
}

class Peer {
 public:
  explicit Peer(const std::string& arguments)
      : pipe_(popen((kNode + " " + kScript + " " + arguments).c_str(), "r")) {}
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() {
    if (pipe_ != nullptr) pclose(pipe_);
  }

  struct Vector {
    std::string text;
    std::uint32_t o200k = 0;
    std::uint32_t cl100k = 0;
  };

  [[nodiscard]] bool next(Vector& vector) {
    std::uint32_t length = 0;
    if (!read(&length, sizeof length)) return false;
    vector.text.resize(length);
    return read(vector.text.data(), length) && read(&vector.o200k, 4) && read(&vector.cl100k, 4);
  }

  /// 0 when it said all that it had to say.
  [[nodiscard]] int close() {
    const int status = pipe_ == nullptr ? -1 : pclose(pipe_);
    pipe_ = nullptr;
    return status;
  }

 private:
  bool read(void* to, std::size_t size) {
    return pipe_ != nullptr && std::fread(to, 1, size, pipe_) == size;
  }
  FILE* pipe_;
};

struct Tally {
  std::size_t texts = 0;
  std::size_t bytes = 0;
  std::size_t tokens = 0;
  std::size_t differences = 0;
};

void compare(const Tokenizer& encoding, const std::string& text, TokenCount want, Tally& tally) {
  ++tally.texts;
  tally.bytes += text.size();
  tally.tokens += want;
  const TokenCount found = encoding.count(text);
  const bool at_limit = encoding.fits(text, want) && (want == 0 || !encoding.fits(text, want - 1));
  if (found == want && at_limit) return;
  if (++tally.differences <= 5) {
    ADD_FAILURE() << encoding.name() << ": tiktoken says " << want << ", found " << found
                  << (at_limit ? "" : ", and fits() differs") << " for " << text.size()
                  << " bytes: " << shown(text);
  }
}

void compare_all(const std::string& arguments, std::size_t at_least) {
  ASSERT_EQ(access(kNode.c_str(), X_OK), 0) << "the peers are missing; run: tools/setup test";
  Peer peer(arguments);
  Peer::Vector vector;
  Tally o200k;
  Tally cl100k;
  while (peer.next(vector)) {
    compare(o200k_base(), vector.text, vector.o200k, o200k);
    compare(cl100k_base(), vector.text, vector.cl100k, cl100k);
  }
  EXPECT_EQ(peer.close(), 0);
  EXPECT_GE(o200k.texts, at_least);
  EXPECT_EQ(o200k.differences, 0U);
  EXPECT_EQ(cl100k.differences, 0U);
  for (const auto& [name, tally] : {std::pair{"o200k_base", o200k}, {"cl100k_base", cl100k}}) {
    std::printf("[ peer ] %s: %zu texts, %zu bytes, %zu tokens, %zu differences from tiktoken\n",
                name, tally.texts, tally.bytes, tally.tokens, tally.differences);
  }
}

TEST(TokenPeers, generated_and_recorded_texts_cost_what_tiktoken_says) {
  const int count = testing::property_cases(6'000, 220'000);
  const std::uint64_t seed = testing::property_seed("tiktoken texts") >> 1;
  const int longest = testing::property_cases(16'000, 1'000'000);
  compare_all("texts " + std::to_string(seed) + " " + std::to_string(count) + " " + kCorpus + " " +
                  std::to_string(longest),
              static_cast<std::size_t>(count));
}

TEST(TokenPeers, assigned_code_points_cost_what_tiktoken_says) {
  const int step = testing::is_nightly() ? 1 : 151;
  compare_all("code_points " + std::to_string(step), testing::is_nightly() ? 1'000'000 : 5'000);
}

}  // namespace
}  // namespace enfold::token

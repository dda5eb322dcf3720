// SPDX-License-Identifier: Apache-2.0
// JSON and patterns spelled out of random bytes: few names, so that patterns meet members often,
// and number texts and escapes that a careless rewrite would change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <rapidcheck.h>
#include <string>
#include <vector>

namespace enfold::level::testing {

class Dice {
 public:
  explicit Dice(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] static Dice arbitrary() {
    return Dice(*rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>()));
  }
  /// 0 once the bytes are used up, so that small inputs give small values.
  std::size_t below(std::size_t bound) { return at_ < bytes_.size() ? bytes_[at_++] % bound : 0; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

inline std::string random_json(Dice& dice, int depth = 5) {
  static const std::vector<std::string> kScalars{
      "null",  "true",           "0",          "1.0", "1e2", "12345678901234567890123",
      R"("")", R"("x\u00e9\n")", R"("\ud800")"};
  static const std::vector<std::string> kKeys{R"("a")", R"("b")",      R"("c")",   R"("items")",
                                              R"("0")", R"("\u0061")", R"("a/b~")"};
  const std::size_t kind = depth == 0 ? 0 : dice.below(4);
  if (kind < 2) return kScalars[dice.below(kScalars.size())];
  const std::size_t count = dice.below(5);
  std::string out = kind == 2 ? "{" : "[ ";
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out += ", ";
    if (kind == 2) out += kKeys[dice.below(kKeys.size())] + ":";
    out += random_json(dice, depth - 1);
  }
  return out + (kind == 2 ? "}" : "]");
}

inline std::string random_pattern(Dice& dice, std::size_t min_length) {
  static const std::vector<std::string> kTokens{"a", "b", "c", "items", "0", "a~1b~0", "*", "**"};
  std::string out;
  for (std::size_t left = min_length + dice.below(4); left > 0; --left) {
    out += "/" + kTokens[dice.below(kTokens.size())];
  }
  return out;
}

}  // namespace enfold::level::testing

// SPDX-License-Identifier: Apache-2.0
// Arithmetic modulo an integer of any size, for exact `multipleOf`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace enfold::json::detail {

/// A non-negative integer, least significant limb first, without leading zero limbs.
class Magnitude {
 public:
  Magnitude() = default;
  explicit Magnitude(std::uint32_t value) {
    if (value != 0) limbs_.push_back(value);
  }
  [[nodiscard]] bool is_zero() const { return limbs_.empty(); }
  void multiply_add(std::uint32_t factor, std::uint32_t addend);

 private:
  friend class Modulus;
  void trim();
  std::vector<std::uint32_t> limbs_;
};

class Modulus {
 public:
  explicit Modulus(const Magnitude& value);  ///< not zero

  /// Replaces `rest`, which is below the modulus, by (rest * factor + addend) mod modulus.
  void multiply_add(Magnitude& rest, std::uint32_t factor, std::uint32_t addend) const;
  [[nodiscard]] Magnitude multiply(const Magnitude& a, const Magnitude& b) const;
  [[nodiscard]] Magnitude power_of_ten(std::uint64_t exponent) const;

 private:
  [[nodiscard]] bool exceeds(const Magnitude& rest) const;
  /// `rest` is below the modulus times 2^32.
  void reduce(Magnitude& rest) const;
  void subtract(Magnitude& rest, std::uint64_t times) const;
  /// rest * 2^32 + limb, reduced.
  void push_limb(Magnitude& rest, std::uint32_t limb) const;

  std::vector<std::uint32_t> limbs_;
  std::uint64_t single_ = 0;  ///< the modulus when it has one limb
};

}  // namespace enfold::json::detail

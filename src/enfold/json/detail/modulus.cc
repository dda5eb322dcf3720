// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/detail/modulus.h"

namespace enfold::json::detail {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace

void Magnitude::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

void Magnitude::multiply_add(std::uint32_t factor, std::uint32_t addend) {
  std::uint64_t carry = addend;
  for (std::uint32_t& limb : limbs_) {
    carry += std::uint64_t{limb} * factor;
    limb = low(carry);
    carry >>= 32;
  }
  if (carry != 0) limbs_.push_back(low(carry));
  trim();
}

Modulus::Modulus(const Magnitude& value) : limbs_(value.limbs_) {
  if (limbs_.size() == 1) single_ = limbs_[0];
}

void Modulus::multiply_add(Magnitude& rest, std::uint32_t factor, std::uint32_t addend) const {
  rest.multiply_add(factor, addend);
  reduce(rest);
}

void Modulus::push_limb(Magnitude& rest, std::uint32_t limb) const {
  rest.limbs_.insert(rest.limbs_.begin(), limb);
  rest.trim();
  reduce(rest);
}

bool Modulus::exceeds(const Magnitude& rest) const {
  if (rest.limbs_.size() != limbs_.size()) return rest.limbs_.size() < limbs_.size();
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    if (rest.limbs_[i] != limbs_[i]) return rest.limbs_[i] < limbs_[i];
  }
  return false;
}

// One step of long division; the quotient fits one limb. Estimates the quotient from the leading
// limbs, never too large, and repeats on the small remainder.
void Modulus::reduce(Magnitude& rest) const {
  if (single_ != 0) {
    std::uint64_t value = 0;
    for (std::size_t i = rest.limbs_.size(); i-- > 0;) {
      value = ((value << 32) | rest.limbs_[i]) % single_;
    }
    rest = Magnitude(low(value));
    return;
  }
  const std::size_t size = limbs_.size();
  const Wide top = (Wide{limbs_[size - 1]} << 32) | limbs_[size - 2];
  while (!exceeds(rest)) {
    Wide head = 0;
    for (std::size_t i = rest.limbs_.size(); i-- > size - 2;) head = (head << 32) | rest.limbs_[i];
    const auto guess = static_cast<std::uint64_t>(head / (top + 1));
    subtract(rest, guess == 0 ? 1 : guess);
  }
}

void Modulus::subtract(Magnitude& rest, std::uint64_t times) const {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < rest.limbs_.size(); ++i) {
    carry += i < limbs_.size() ? times * limbs_[i] : 0;
    const std::uint32_t take = low(carry);
    carry >>= 32;
    if (rest.limbs_[i] < take) ++carry;
    rest.limbs_[i] -= take;
  }
  rest.trim();
}

Magnitude Modulus::multiply(const Magnitude& a, const Magnitude& b) const {
  std::vector<std::uint32_t> product(a.limbs_.size() + b.limbs_.size());
  for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < b.limbs_.size(); ++k) {
      carry += std::uint64_t{a.limbs_[i]} * b.limbs_[k] + product[i + k];
      product[i + k] = low(carry);
      carry >>= 32;
    }
    product[i + b.limbs_.size()] = low(carry);
  }
  Magnitude rest;
  for (std::size_t i = product.size(); i-- > 0;) push_limb(rest, product[i]);
  return rest;
}

Magnitude Modulus::power_of_ten(std::uint64_t exponent) const {
  Magnitude result(1);
  reduce(result);
  Magnitude square(10);
  reduce(square);
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply(result, square);
    if (exponent > 1) square = multiply(square, square);
  }
  return result;
}

}  // namespace enfold::json::detail

// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/number.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

namespace enfold::json {
namespace {

TEST(Number, equal_values_are_equal_however_they_are_written) {
  const struct {
    std::string a;
    std::string b;
    bool equal;
  } rows[] = {
      {"1", "1.0", true},
      {"1", "10e-1", true},
      {"1", "0.001E+3", true},
      {"0", "-0.0e7", true},
      {"100", "1e2", true},
      {"-2.50", "-25e-1", true},
      {"1e400", "10e399", true},
      {"1e1000000000", "0.1e1000000001", true},
      {"123456789012345678901234567890", "123456789012345678901234567890.000", true},
      {"123456789012345678901234567890", "123456789012345678901234567891", false},
      {"9007199254740993", "9007199254740992", false},
      {"1", "-1", false},
      {"1e400", "1e401", false},
      {"0.1", "0.10000000000000000001", false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Number(row.a) == Number(row.b), row.equal) << row.a << " and " << row.b;
    if (row.equal) {
      EXPECT_EQ(Number(row.a).hash(), Number(row.b).hash()) << row.a;
    } else {
      EXPECT_NE(Number(row.a).hash(), Number(row.b).hash()) << row.a;
    }
  }
}

TEST(Number, orders_by_value) {
  const std::string ascending[] = {
      "-1e1000000000",        "-20",    "-3",    "-2.5",        "-1e-400", "0",
      "1e-1000000000",        "0.0099", "0.1",   "2.5",         "3",       "20",
      "99999999999999999999", "1e20",   "1e400", "1e1000000000"};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t k = 0; k < std::size(ascending); ++k) {
      EXPECT_EQ(Number(ascending[i]) <=> Number(ascending[k]), i <=> k)
          << ascending[i] << " and " << ascending[k];
    }
  }
}

TEST(Number, knows_integers_by_value) {
  for (const std::string text : {"0", "-0.0", "1.0", "12.50e1", "1e400", "-7", "120e-1"}) {
    EXPECT_TRUE(Number(text).is_integer()) << text;
  }
  for (const std::string text : {"0.5", "1e-1", "12.5", "1e-400", "125e-2"}) {
    EXPECT_FALSE(Number(text).is_integer()) << text;
  }
}

TEST(Number, reads_counts_and_saturates) {
  const struct {
    std::string text;
    std::optional<std::uint64_t> want;
  } rows[] = {
      {"0", 0},
      {"2.0", 2},
      {"12e3", 12'000},
      {"18446744073709551615", 18446744073709551615U},
      {"18446744073709551616", 18446744073709551615U},
      {"1e400", 18446744073709551615U},
      {"-1", std::nullopt},
      {"0.5", std::nullopt},
  };
  for (const auto& row : rows) EXPECT_EQ(Number(row.text).to_unsigned(), row.want) << row.text;
}

TEST(Number, divides_exactly) {
  const struct {
    std::string value;
    std::string divisor;
    bool want;
  } rows[] = {
      {"10", "2", true},
      {"7", "2", false},
      {"0", "0.3", true},
      {"-4.5", "1.5", true},
      {"0.0075", "0.0001", true},
      {"0.00751", "0.0001", false},
      {"19.99", "0.01", true},
      {"1e400", "0.5", true},
      {"1e308", "0.123456789", false},
      {"1e1000000000", "1024", true},
      {"1e1000000000", "3", false},
      {"1e-1000000000", "1e-1000000001", true},
      {"1e-1000000001", "1e-1000000000", false},
      {"123456789012345678901234567890", "30", true},
      {"123456789012345678901234567891", "30", false},
      {"15241578753238836750495351562536198787501905199875019052100",
       "123456789012345678901234567890", true},
      {"15241578753238836750495351562536198787501905199875019052101",
       "123456789012345678901234567890", false},
      {"340282366920938463463374607431768211456", "18446744073709551616", true},
      {"340282366920938463463374607431768211455", "18446744073709551616", false},
      {"1e100000", "123456789012345678901234567890", false},
      {"3e100000", "300000000000000000000000000000", true},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Number(row.value).is_multiple_of(Number(row.divisor)), row.want)
        << row.value << " by " << row.divisor;
  }
}

TEST(Number, a_text_of_a_million_digits_is_no_trouble) {
  const std::string nines(1'000'000, '9');
  EXPECT_TRUE(Number(nines).is_multiple_of(Number("999999999999999999999999999999999999")) ==
              (nines.size() % 36 == 0));
  EXPECT_TRUE(Number(nines).is_multiple_of(Number("9")));
  EXPECT_TRUE(Number(nines) < Number("1e1000000"));
}

RC_GTEST_PROP(NumberProperty, agrees_with_integer_arithmetic, (std::int64_t a, std::int64_t b)) {
  const std::string left = std::to_string(a);
  const std::string right = std::to_string(b);
  RC_ASSERT((Number(left) <=> Number(right)) == (a <=> b));
  if (b > 0) RC_ASSERT(Number(left).is_multiple_of(Number(right)) == (a % b == 0));
}

RC_GTEST_PROP(NumberProperty, a_product_is_a_multiple_and_its_neighbour_is_not,
              (std::uint64_t a, std::uint64_t b)) {
  RC_PRE(b > 1);
  __extension__ using Wide = unsigned __int128;
  const auto text = [](Wide value) {
    std::string digits;
    do {
      digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
      value /= 10;
    } while (value != 0);
    return digits;
  };
  const Wide product = Wide{a} * b;
  const std::string divisor = text(b);
  RC_ASSERT(Number(text(product)).is_multiple_of(Number(divisor)));
  RC_ASSERT(!Number(text(product + 1)).is_multiple_of(Number(divisor)));
}

}  // namespace
}  // namespace enfold::json

// SPDX-License-Identifier: Apache-2.0
#include "enfold/level/types.h"

#include "enfold/level/render.h"
#include "enfold/level/schema_of.h"
#include "enfold/schema/schema.h"

#include <gtest/gtest.h>
#include <limits>

namespace enfold::level {
namespace {

using std::chrono::sys_time;
using Seconds = std::chrono::duration<double>;

enum class Colour { red, green };
enum class WithGap { red, green = 2 };
enum class FarBehind { red, green = 100 };

TEST(Rounded, uses_the_exact_binary_value_and_keeps_large_numbers) {
  EXPECT_EQ(level::rounded(1.005, 2), "1");
  EXPECT_EQ(level::rounded(0.125, 2), "0.12");
  EXPECT_EQ(level::rounded(0.375, 2), "0.38");
  EXPECT_EQ(level::rounded(-12.345, 1), "-12.3");
  EXPECT_EQ(level::rounded(1e300, 2), "1e+300");
  EXPECT_EQ(level::rounded(9007199254740992.0, 2), "9007199254740992");
}

TEST(Types, an_enumeration_with_a_gap_has_no_names) {
  EXPECT_TRUE(model::NamedEnum<Colour>);
  EXPECT_FALSE(model::NamedEnum<WithGap>);
  EXPECT_FALSE(model::NamedEnum<FarBehind>);
}

TEST(Types, an_instant_is_read_only_if_its_type_can_hold_it) {
  const auto reads = []<class Time>(std::type_identity<Time>, const std::string& text) {
    const auto read = As<Time>::from(text);
    return read ? As<Time>::to(*read) : read.error().message;
  };
  const std::type_identity<sys_time<std::chrono::nanoseconds>> nanoseconds;
  const std::type_identity<sys_time<std::chrono::seconds>> seconds;
  const std::type_identity<sys_time<std::chrono::duration<std::int32_t>>> few_seconds;
  const std::string last = "9999-12-31T23:59:59Z";
  const std::string refused = "expected a time that is nearer to 1970, found \"" + last + "\"";
  EXPECT_EQ(reads(nanoseconds, last), refused);
  EXPECT_EQ(reads(nanoseconds, "0001-01-01T00:00:00Z"),
            "expected a time that is nearer to 1970, found \"0001-01-01T00:00:00Z\"");
  EXPECT_EQ(reads(nanoseconds, "2262-04-11T23:47:16.854775Z"), "2262-04-11T23:47:16.854775Z");
  EXPECT_EQ(reads(nanoseconds, "2026-07-28T12:30:00Z"), "2026-07-28T12:30:00Z");
  EXPECT_EQ(reads(seconds, last), last);
  EXPECT_EQ(reads(few_seconds, last), refused);
  EXPECT_EQ(reads(few_seconds, "2038-01-19T03:14:07Z"), "2038-01-19T03:14:07Z");
}

TEST(Types, a_point_without_decimals_is_no_time) {
  for (const char* text :
       {"2026-07-28T12:30:00.Z", "2026-07-28T12:30:00.", "2026-07-28T12:30:00.x"})
    EXPECT_FALSE(read_instant(text).has_value()) << text;
}

struct Times {
  Seconds plain{1.23456};
  std::optional<Seconds> held = Seconds(2.34567);
  std::optional<Seconds> none;
  static constexpr auto fields() {
    return level::fields(level::field<&Times::plain>().decimals(2),
                         level::field<&Times::held>().decimals(1), level::field<&Times::none>());
  }
};

TEST(Types, a_duration_is_rounded_like_any_number) {
  EXPECT_EQ(json::to_text(render(Times{}, Level::full).view()), R"({"plain":1.23,"held":2.3})");
}

struct NotNumbers {
  using Either = std::variant<double, std::string>;
  Seconds time{std::numeric_limits<double>::quiet_NaN()};
  std::optional<Seconds> held = Seconds(std::numeric_limits<double>::infinity());
  Either either = std::numeric_limits<double>::quiet_NaN();
  Seconds kept{std::numeric_limits<double>::quiet_NaN()};
  std::vector<Seconds> list{Seconds(1), Seconds(std::numeric_limits<double>::infinity())};
  std::map<std::string, Either> map{{"a", std::numeric_limits<double>::quiet_NaN()}, {"b", "x"}};
  static constexpr auto fields() {
    using N = NotNumbers;
    return level::fields(level::field<&N::time>(), level::field<&N::held>(),
                         level::field<&N::either>(), level::field<&N::kept>().required(),
                         level::field<&N::list>(), level::field<&N::map>());
  }
};

TEST(Types, what_is_no_number_is_left_out_or_null_and_the_schema_says_so) {
  const json::Value written = render(NotNumbers{}, Level::full);
  EXPECT_EQ(json::to_text(written.view()),
            R"({"kept":null,"list":[1,null],"map":{"a":null,"b":"x"}})");
  const auto schema = schema::Schema::compile(schema_of<NotNumbers>());
  ASSERT_TRUE(schema.has_value());
  EXPECT_TRUE(schema->validate(written.view())->valid);
}

}  // namespace
}  // namespace enfold::level

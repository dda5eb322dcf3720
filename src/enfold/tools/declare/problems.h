// SPDX-License-Identifier: Apache-2.0
// What is wrong with the arguments of a call. One list has the violations of the schema, the values
// that cannot be read, and what the request's own check refuses. A failure reports it in the order
// of the declaration.
#pragma once

#include "enfold/json/write.h"
#include "enfold/level/render.h"
#include "enfold/schema/schema.h"

#include <string>
#include <string_view>
#include <vector>

namespace enfold::tools {

/// An argument that does not match its declaration.
struct Problem {
  std::string place;     ///< JSON Pointer into the arguments
  std::string expected;  ///< X of "expected X, found Y"
  std::string found;     ///< Y
  schema::Violation::Kind kind = schema::Violation::Kind::other;
  std::string member{};  ///< the name of an unknown or missing argument
  /// "#" and the JSON Pointer of the keyword of the schema that does not hold. If reading or a
  /// request's own check reports the problem: "#/" and the name of a constraint.
  std::string rule{};
  json::Value received{};  ///< the value that a request's own check refuses; null: that at `place`
  friend bool operator==(const Problem&, const Problem&) = default;
};

[[nodiscard]] Problem problem_of(const schema::Violation& violation);

/// The schema to which "$ref" leads, a place below `root`; a schema without "$ref" as it is. Null:
/// there is no such place.
[[nodiscard]] json::View followed(json::View schema, json::View root);
/// The part of a schema that describes the value at a place of the arguments; null: none does.
/// `tokens`: the keys and indexes that lead to the place.
[[nodiscard]] json::View schema_at(json::View schema, const std::vector<std::string>& tokens);
/// The names of the members that the schema of an object declares.
[[nodiscard]] std::vector<std::string> members_of(json::View schema);

/// Sorts by the order in which the schema declares the members, unknown members last.
void sort_as_declared(std::vector<Problem>& problems, json::View schema);

/// Collects what a request's own check refuses:
///   void check(server::Problems& problems) const {
///     if (from > to) problems.add("from", "a date before `to`", from);
///   }
/// It runs for every struct of a request whose members could all be read, and also if one of them
/// breaks a limit of the schema, such as at_least(): all problems are reported at once.
class Problems {
 public:
  /// `out`: where problems are added. `sent`: the value that the struct which checks itself was
  /// read from. `place`: JSON Pointer to that value in the arguments.
  Problems(std::vector<Problem>& out, json::View sent, std::string place)
      : out_(&out), sent_(sent), place_(std::move(place)), before_(out.size()) {}

  /// `field`: the name of a member, or `filter.from` for a nested one. `constraint`: the name of
  /// the rule, for the details of the failure.
  template <class Received>
  void add(std::string_view field, std::string_view expected, const Received& received,
           std::string_view constraint = "check") {
    json::Writer writer;
    level::detail::write_value(as_field(received),
                               {.level = level::Level::full, .leaves_out_empty = false}, writer);
    add_found(field, expected, std::move(writer).finish_value(), constraint);
  }
  void add(std::string_view field, std::string_view expected) {
    add_found(field, expected, {}, "check");
  }
  /// Whether this check has added no problem.
  [[nodiscard]] bool empty() const { return out_->size() == before_; }

 private:
  template <class T>
  static decltype(auto) as_field(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      return std::string_view(value);
    } else {
      return (value);
    }
  }
  void add_found(std::string_view field, std::string_view expected, const json::Value& received,
                 std::string_view constraint);
  std::vector<Problem>* out_;
  json::View sent_;
  std::string place_;
  std::size_t before_;  ///< size of `out_` before this check
};

namespace detail {

/// Adds the problem that the value at `place` cannot be read, unless a problem with this value, or
/// with a part of it, is there already. `rule`: the name of the constraint.
void add_unread(std::vector<Problem>& problems, const std::string& place, std::string_view expected,
                json::View found, std::string_view rule);
/// Whether one of the problems is that the object at `place` has no such member.
[[nodiscard]] bool is_missing(const std::vector<Problem>& problems, const std::string& place,
                              std::string_view member);

}  // namespace detail
}  // namespace enfold::tools

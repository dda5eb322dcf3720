// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/declare/read_arguments.h"

#include <algorithm>

namespace enfold::tools {
namespace {

constexpr std::size_t kMostShown = 40;  // bytes

std::string shown(json::View found) { return std::string(found.raw().substr(0, kMostShown)); }

// X of a message "expected X, found Y": the report adds the other words itself.
std::string_view expectation(std::string_view message) {
  constexpr std::string_view opening = "expected ";
  if (message.starts_with(opening)) message.remove_prefix(opening.size());
  return message.substr(0, message.rfind(", found "));
}

}  // namespace

void Problems::add_found(std::string_view field, std::string_view expected,
                         const json::Value& received, std::string_view constraint) {
  std::string place(field.empty() ? "" : "/");
  place += field;
  std::replace(place.begin(), place.end(), '.', '/');
  Problem problem{std::move(place), std::string(expectation(expected)), shown(received.view())};
  problem.rule = "#/";
  problem.rule += constraint;
  problem.received = received;
  out_->push_back(std::move(problem));
}

namespace detail {

Problem out_of_range(std::string place, json::View found) {
  return {std::move(place), "a number within the range of its type", "number " + shown(found)};
}

Problem not_read(std::string place, std::string_view expected, json::View found) {
  Problem problem{std::move(place), std::string(expectation(expected)), shown(found)};
  problem.rule = "#/format";
  return problem;
}

void write_example(json::Writer& writer, std::string_view example, bool is_text) {
  writer.key("examples").begin_array();
  const Result<json::Document> parsed =
      is_text ? Result<json::Document>(fail(ErrorCode::invalid_input, "text"))
              : json::parse(std::string(example));
  parsed ? writer.value(parsed->root()) : writer.string(example);
  writer.end_array();
}

}  // namespace detail
}  // namespace enfold::tools

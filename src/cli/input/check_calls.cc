// SPDX-License-Identifier: Apache-2.0
#include "cli/input/check_calls.h"

#include "cli/input/input.h"
#include "enfold/base/text.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::cli {
namespace {

constexpr std::string_view kExample =
    R"(write [{"name": "finds it", "tool": "search", "arguments": {"query": "tea"}}])";

tl::unexpected<Error> invalid_call(std::string message, std::string where) {
  return fail(ErrorCode::invalid_input, std::move(message), std::move(where),
              std::string(kExample));
}

/// The members of a call that `enfold check` reads.
const std::vector<std::string> kMembers{"tool", "arguments", "name", "error", "save"};
/// Members that only the test runners of this project use, on the same files.
const std::vector<std::string> kIgnoredMembers{"expect",  "throws", "meta", "contract", "vary",
                                               "varying", "era",    "sdk",  "task"};

Status check_members(json::View call, const std::string& where) {
  for (const json::Member& member : call.members()) {
    const std::string name = member.key.string();
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is_in(kMembers) || is_in(kIgnoredMembers)) continue;
    std::string place = where;
    json::append_token(place, name);
    std::vector<std::string> known = kMembers;
    known.insert(known.end(), kIgnoredMembers.begin(), kIgnoredMembers.end());
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a known member of a call, found {}", json::quote(name)),
                std::move(place),
                did_you_mean(name, known, fmt::format("there are: {}", fmt::join(kMembers, ", "))));
  }
  return {};
}

// Reads `error` (whether the call is to fail) and `save` (the values that later calls use).
Status read_error_and_save(json::View view, const std::string& where, PlannedCall& call) {
  if (const auto fails = view.find("error")) {
    if (!fails->is_boolean()) {
      return invalid_call(
          fmt::format("expected true or false as error, found {}", json::name(fails->kind())),
          where + "/error");
    }
    call.fails = fails->boolean();
  }
  const auto saves = view.find("save");
  if (!saves) return {};
  if (!saves->is_object()) {
    return invalid_call(
        fmt::format("expected save as an object, found {}", json::name(saves->kind())),
        where + "/save");
  }
  for (const json::Member& one : saves->members()) {
    const std::string name = one.key.string();
    if (!one.value.is_string() || !json::Pointer::parse(one.value.string())) {
      return invalid_call(fmt::format("expected a JSON Pointer into the result, found {}",
                                      json::to_text(one.value)),
                          json::below(where + "/save", name));
    }
    call.saves[name] = one.value.string();
  }
  return {};
}

// `index`: position in the list, from 0.
Result<PlannedCall> read_call(json::View view, std::size_t index) {
  const std::string where = fmt::format("/{}", index);
  if (!view.is_object()) {
    return invalid_call(
        fmt::format("expected a call as an object, found {}", json::name(view.kind())), where);
  }
  ENFOLD_TRY(check_members(view, where));
  PlannedCall call;
  const auto tool = json::string_member(view, "tool");
  if (!tool) return invalid_call("expected the name of a tool, found none", where + "/tool");
  call.tool = *tool;
  call.name = json::string_member(view, "name").value_or(fmt::format("call {}", index + 1));
  const auto arguments = view.find("arguments");
  if (arguments && !arguments->is_object()) {
    return invalid_call(
        fmt::format("expected arguments as an object, found {}", json::name(arguments->kind())),
        where + "/arguments");
  }
  call.arguments = arguments ? json::Value(*arguments) : json::parse_own("{}");
  ENFOLD_TRY(read_error_and_save(view, where, call));
  return call;
}

// Copies a value and replaces "${variable}" in its strings; write() is called once.
class VariableSubstitution {
 public:
  explicit VariableSubstitution(const SavedValues& saved) : saved_(saved) {}

  void write(json::View value) {
    if (value.is_object()) {
      writer.begin_object();
      for (const json::Member& member : value.members()) {
        writer.key(member.key);
        write(member.value);
      }
      writer.end_object();
    } else if (value.is_array()) {
      writer.begin_array();
      for (const json::View item : value.items()) write(item);
      writer.end_array();
    } else if (value.is_string()) {
      write_text(value.string());
    } else {
      writer.value(value);
    }
  }

  json::Writer writer;                 ///< has the copy after write()
  std::optional<std::string> missing;  ///< a variable that was not saved; nullopt: none

 private:
  // "${" without "}" is text. "${}" is the variable with the empty name.
  void write_text(const std::string& text) {
    std::string out;
    std::size_t at = 0;
    for (;;) {
      const std::size_t begin = text.find("${", at);
      const std::size_t end = begin == std::string::npos ? begin : text.find('}', begin);
      if (end == std::string::npos) break;
      const std::string name = text.substr(begin + 2, end - begin - 2);
      const auto found = saved_.find(name);
      if (found == saved_.end()) {
        missing = name;
        break;
      }
      if (begin == 0 && end + 1 == text.size()) {
        writer.value(found->second);
        return;
      }
      const json::View value = found->second.view();
      out += text.substr(at, begin - at);
      out += value.is_string() ? value.string() : json::to_text(value);
      at = end + 1;
    }
    writer.string(out + text.substr(at));
  }

  const SavedValues& saved_;
};

}  // namespace

Result<std::vector<PlannedCall>> read_calls(const std::string& file) {
  ENFOLD_TRY(json::Buffer bytes, read_all(file, {}));
  ENFOLD_TRY(const json::Document document, json::parse(std::move(bytes)));
  if (!document.root().is_array()) {
    return invalid_call(
        fmt::format("expected a list of calls, found {}", json::name(document.root().kind())), {});
  }
  std::vector<PlannedCall> calls;
  for (const json::View item : document.root().items()) {
    ENFOLD_TRY(PlannedCall call, read_call(item, calls.size()));
    calls.push_back(std::move(call));
  }
  return calls;
}

Result<json::Value> substitute_variables(const json::Value& arguments, const SavedValues& saved) {
  VariableSubstitution substitution(saved);
  substitution.write(arguments.view());
  if (substitution.missing) {
    return fail(ErrorCode::invalid_input,
                fmt::format("nothing was saved as {}", json::quote(*substitution.missing)), {},
                "an earlier call saves it: \"save\": {\"id\": \"/structuredContent/id\"}");
  }
  return std::move(substitution.writer).finish_value();
}

}  // namespace enfold::cli

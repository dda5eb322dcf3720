// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/call/handles.h"

#include "enfold/contract/errors/failures.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "enfold/redact/redact.h"
#include "enfold/retrieve/retrieve.h"
#include "enfold/tools/fetch_tool.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

namespace failures = contract::failures;

// The limit for all archived values in a call together. Servers built with the MCP SDKs accept
// messages of at most ten megabytes; the difference is for the other arguments.
constexpr std::size_t kMaxArchivedBytes = std::size_t{8} << 20;
constexpr std::size_t kMaxHandles = 64;  // in a call

// `place`: JSON Pointer into the arguments.
model::Response invalid_argument(const std::string& place, std::string message,
                                 std::string advice) {
  return contract::make_failure(
      failures::Validation{.message = fmt::format("{}: {}", place, message),
                           .field = place,
                           .extra = {.remediation = {std::move(advice)}}});
}

class HandleReplacer {
 public:
  explicit HandleReplacer(const HandleSource& source) : source_(source) {}

  tl::expected<json::Value, model::Response> run(json::View arguments) {
    write(arguments, "");
    if (failure_) return tl::unexpected(std::move(*failure_));
    return std::move(writer_).finish_value();
  }

 private:
  void write(json::View value, const std::string& place) {
    if (failure_) return;
    if (value.is_object() && value.find(kHandleKey)) {
      replace(value, place);
    } else if (value.is_object()) {
      writer_.begin_object();
      for (const json::Member& member : value.members()) {
        writer_.key(member.key);
        write(member.value, json::below(place, member.key.string()));
        if (failure_) return;
      }
      writer_.end_object();
    } else if (value.is_array()) {
      writer_.begin_array();
      std::size_t i = 0;
      for (const json::View item : value.items()) {
        write(item, fmt::format("{}/{}", place, i++));
        if (failure_) return;
      }
      writer_.end_array();
    } else {
      writer_.value(value);
    }
  }

  // Replaces {"$enfold": HANDLE} at `place` by the archived value.
  void replace(json::View reference, const std::string& place) {
    const auto handle = reference.find(kHandleKey);
    const auto pointer = reference.find("pointer");
    const std::size_t expected_members = pointer ? 2 : 1;
    if (!handle->is_string() || (pointer && !pointer->is_string()) ||
        reference.size() != expected_members) {
      failure_ = invalid_argument(
          place, "expected a handle, and perhaps a pointer, as texts",
          R"(Write {"$enfold": "HANDLE"} or {"$enfold": "HANDLE", "pointer": "/items"}.)");
      return;
    }
    if (++handles_ > kMaxHandles) {
      failure_ =
          invalid_argument(place, fmt::format("expected at most {} handles in a call", kMaxHandles),
                           "Use fewer in one call.");
      return;
    }
    write_archived(handle->string(), pointer ? pointer->string() : std::string(), place);
  }

  // Writes the value at `pointer` in the archived answer.
  void write_archived(const std::string& handle, const std::string& pointer,
                      const std::string& place) {
    const auto entry = tools::find_entry(*source_.archive, source_.principal, handle, source_.now);
    const auto bytes = entry ? source_.archive->get(source_.principal, entry->handle, source_.now)
                             : Result<std::string>(tl::unexpected(entry.error()));
    if (!bytes) {
      failure_ = retrieve::archive_failure(bytes.error(), handle);
      return;
    }
    const auto found = retrieve::retrieve_bytes(
        *bytes, entry->meta.media_type,
        retrieve::Query{.selection = retrieve::select::At{pointer}, .within = {}},
        Limits{.max_bytes = kLargestDocument});
    if (!found) {
      failure_ = contract::make_failure(
          failures::Other{.message = fmt::format("{}: {}", place, found.error().message),
                          .code = "NOT_FOUND",
                          .type = model::ErrorType::not_found,
                          .extra = {.remediation = {found.error().hint.empty()
                                                        ? "Look with enfold_fetch what there is."
                                                        : found.error().hint}}});
      return;
    }
    bytes_ += found->value->raw().size();
    if (bytes_ > kMaxArchivedBytes) {
      failure_ = invalid_argument(
          place, fmt::format("expected at most {} bytes of archived values", kMaxArchivedBytes),
          "Choose a part with \"pointer\".");
      return;
    }
    if (const auto marker = redact::find_marker(found->value.view())) {
      failure_ = invalid_argument(
          place,
          fmt::format("the archived value holds the marker of a secret that was taken "
                      "out ([REDACTED:{}] at {})",
                      marker->label, marker->pointer),
          "Choose a part without it with \"pointer\", or ask the user for its value.");
      return;
    }
    writer_.value(found->value);
  }

  const HandleSource& source_;
  json::Writer writer_;
  std::optional<model::Response> failure_;  // the first failure; nothing is written after it
  std::size_t handles_ = 0;                 // handles in the call so far
  std::size_t bytes_ = 0;                   // of the archived values written so far
};

}  // namespace

bool has_handles(json::View arguments) {
  if (arguments.is_object() && arguments.find(kHandleKey)) return true;
  for (const json::View item : arguments.items()) {
    if (has_handles(item)) return true;
  }
  for (const json::Member& member : arguments.members()) {
    if (has_handles(member.value)) return true;
  }
  return false;
}

tl::expected<json::Value, model::Response> replace_handles(json::View arguments,
                                                           const HandleSource& source) {
  return HandleReplacer(source).run(arguments);
}

}  // namespace enfold::gateway

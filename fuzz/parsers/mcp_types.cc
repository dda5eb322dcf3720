// SPDX-License-Identifier: Apache-2.0
// Any JSON as each part of a protocol message: whatever is read can be written, and is the same
// when it is read again. Parts without a writer are read only.
#include "enfold/json/write.h"
#include "enfold/mcp/era_2025/messages.h"
#include "enfold/mcp/era_2026/messages.h"
#include "enfold/mcp/types/catalog.h"
#include "enfold/mcp/types/hidden_text.h"
#include "enfold/mcp/types/notifications.h"
#include "enfold/mcp/types/result.h"
#include "fuzz/check.h"

namespace enfold::fuzz {
namespace {

template <class Write>
json::Value written(Write write) {
  json::Writer writer;
  write(writer);
  return std::move(writer).finish_value();
}
template <class Write>
json::Value object_of(Write write) {
  return mcp::make_object([&](json::Writer& writer) { write(writer); });
}

void check_notifications(json::View value, std::string_view input) {
  (void)mcp::read_progress(value);
  (void)mcp::read_log_message(value);
  const auto filter = mcp::read_filter(value);
  const auto again = written([&](json::Writer& w) { mcp::write_filter(w, filter); });
  require(mcp::read_filter(again.view()) == filter, "a filter comes back", input);
}

void check_results(json::View value, std::string_view input) {
  (void)mcp::read_elicit_result(value);
  (void)mcp::read_roots(value);
  (void)mcp::read_tool_result(value);
  const auto inputs = mcp::read_input_responses(value);
  const auto again = object_of([&](json::Writer& w) { mcp::write_input_responses(w, inputs); });
  require(mcp::read_input_responses(again.view()) == inputs, "inputs come back", input);
  const auto required = mcp::read_input_required(value);
  if (!required || (required->requests.empty() && !required->state)) return;
  const auto same = mcp::read_input_required(
      object_of([&](json::Writer& w) { mcp::write_input_required(w, *required); }).view());
  require(same && same->requests == required->requests && same->state == required->state,
          "questions come back", input);
}

void check_tool(json::View value, std::string_view input) {
  if (const auto clean = mcp::without_hidden_text(value))
    require(!mcp::without_hidden_text(clean->view()), "hidden text is removed at once", input);
  const auto tool = mcp::read_tool(value);
  if (!tool) return;
  (void)mcp::read_tool_hints(tool->annotations);
  for (const mcp::Era era : {mcp::Era::sessions, mcp::Era::stateless}) {
    const auto again =
        mcp::read_tool(written([&](json::Writer& w) { write(w, *tool, era); }).view());
    require(again && again->name == tool->name && again->description == tool->description &&
                again->input_schema == tool->input_schema,
            "a tool comes back", input);
  }
}

void check(std::string_view input) {
  const auto document = json::parse(input);
  if (!document) return;
  const json::View value = document->root();
  check_notifications(value, input);
  check_results(value, input);
  check_tool(value, input);
  if (const auto id = mcp::read_id(value)) {
    const auto again = written([&](json::Writer& w) { mcp::write_id(w, *id); });
    require(mcp::read_id(again.view()) == id, "an id comes back", input);
  }
  const mcp::RpcError error = mcp::read_error(value);
  const auto again = written([&](json::Writer& w) { mcp::write_error(w, error); });
  require(mcp::read_error(again.view()) == error, "an error comes back", input);
  mcp::ClientConfig config;
  config.info = json::parse_own(R"({"name":"c","version":"1"})");
  (void)mcp::era_2025::read_initialize_result(value, config);
  (void)mcp::era_2026::read_discover_result(value, config);
  (void)mcp::era_2026::read_request_meta(value);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}

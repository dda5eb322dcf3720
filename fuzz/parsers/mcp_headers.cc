// SPDX-License-Identifier: Apache-2.0
// Any header fields, schema and arguments of a call over HTTP: headers that are made from a call
// agree with it, a text survives its way through a header, and a trace context that is read can be
// written. The input has up to three parts with record separators (0x1E) between them: lines of
// fields, or one value; a schema or a message; arguments.
#include "enfold/gateway/observe/trace.h"
#include "enfold/mcp/peer/server_peer.h"
#include "enfold/mcp/wire/headers.h"
#include "enfold/mcp/wire/http.h"
#include "fuzz/check.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace enfold::fuzz {
namespace {

std::string_view take(std::string_view& rest, char end) {
  const std::string_view part = rest.substr(0, rest.find(end));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

std::vector<mcp::HeaderField> fields_in(std::string_view block) {
  std::vector<mcp::HeaderField> fields;
  while (!block.empty() && fields.size() < 32) {
    std::string_view line = take(block, '\n');
    const std::string_view name = take(line, ':');
    fields.push_back({name, line});
  }
  return fields;
}

void check_value(std::string_view value, std::string_view input) {
  (void)mcp::decode_header_value(value);
  (void)mcp::accepts(value, "text/event-stream");
  const std::string encoded = mcp::encode_header_value(value);
  require(mcp::decode_header_value(encoded) == std::string(value), "a text comes back", input);
  require(std::ranges::none_of(encoded, [](char c) { return c == '\r' || c == '\n'; }),
          "a header is one line", input);
  const auto trace = gateway::read_trace(value, value);
  if (!trace) return;
  const auto again = gateway::read_trace(gateway::write_traceparent(*trace), trace->state);
  require(again == trace, "a trace context comes back", input);
}

void check_params(json::View schema, json::View arguments, std::string_view input) {
  const auto declared = mcp::read_param_headers(schema);
  if (!declared) {
    require(!declared.error().message.empty(), "a refused schema says why", input);
    return;
  }
  const std::vector<mcp::Header> headers = mcp::param_headers(*declared, arguments);
  std::vector<mcp::HeaderField> fields;
  for (const mcp::Header& header : headers) fields.push_back({header.name, header.value});
  require(!mcp::check_param_headers(*declared, fields, arguments), "own headers agree", input);
}

void check(std::string_view input) {
  std::string_view rest = input;
  const std::string_view block = take(rest, '\x1e');
  const std::string_view body = take(rest, '\x1e');
  check_value(block, input);
  const std::vector<mcp::HeaderField> fields = fields_in(block);
  mcp::ServerConfig config;
  config.info = json::parse_own(R"({"name":"s","version":"1"})");
  for (const std::string_view method : {"POST", "GET", "DELETE", "PUT"}) {
    const mcp::Route route = mcp::route(method, fields, json::Buffer(body), config);
    if (const auto* refused = std::get_if<mcp::Rejection>(&route))
      require(refused->status >= 400 && refused->status < 600, "a refusal has a status", input);
  }
  const auto schema = json::parse(body);
  if (!schema) return;
  const auto params = schema->root();
  const auto made = mcp::standard_headers("2026-07-28", "tools/call", params);
  std::vector<mcp::HeaderField> own;
  for (const mcp::Header& header : made) own.push_back({header.name, header.value});
  require(!mcp::check_headers(own, "2026-07-28", "tools/call", params), "own headers agree", input);
  const auto arguments = json::parse(rest);
  check_params(params, arguments ? arguments->root() : params, input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "enfold/mcp/wire/error.h"

#include <array>
#include <fmt/core.h>

namespace enfold::mcp {
namespace {

constexpr std::array<ErrorRow, 12> kRows{{
    {code::parse_error, "parse error", 400, true},
    {code::invalid_request, "invalid request", 400, true},
    {code::method_not_found, "method not found", 404, true},
    {code::invalid_params, "invalid params", 200, true},
    {code::internal_error, "internal error", 200, true},
    {code::bad_request, "bad request", 400, true},
    {code::session_not_found, "session not found", 404, true},
    {code::resource_not_found, "resource not found", 0, true},
    {code::url_elicitation, "url elicitation required", 0, true},
    {code::header_mismatch, "header mismatch", 400, false},
    {code::missing_capability, "missing required client capability", 400, false},
    {code::unsupported_version, "unsupported protocol version", 400, false},
}};

template <class Fill>
json::Value object(Fill fill) {
  json::Writer writer;
  writer.begin_object();
  fill(writer);
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace

std::span<const ErrorRow> error_rows() { return kRows; }

int http_status(Era era, std::int64_t code) {
  if (era == Era::sessions) return 200;
  for (const ErrorRow& row : kRows) {
    if (row.code == code && row.stateless_status != 0) return row.stateless_status;
  }
  return 200;
}

RpcError for_era(RpcError error, Era era) {
  if (era == Era::stateless) {
    if (error.code == code::resource_not_found) error.code = code::invalid_params;
    if (error.code == code::url_elicitation) error.code = code::internal_error;
  }
  return error;
}

RpcError to_rpc_error(const Error& error) {
  RpcError out{mapping(error.code).json_rpc, error.message, std::nullopt};
  if (!error.where.empty() || !error.hint.empty()) {
    out.data = object([&](json::Writer& writer) {
      if (!error.where.empty()) writer.member("where", error.where);
      if (!error.hint.empty()) writer.member("hint", error.hint);
    });
  }
  return out;
}

RpcError method_not_found(std::string_view method) {
  return {code::method_not_found, fmt::format("Method not found: {}", method), std::nullopt};
}

RpcError invalid_params(std::string message) {
  return {code::invalid_params, std::move(message), std::nullopt};
}

RpcError invalid_request(std::string message) {
  return {code::invalid_request, std::move(message), std::nullopt};
}

RpcError unsupported_version(std::string_view requested, std::span<const std::string> supported) {
  return {code::unsupported_version, fmt::format("Unsupported protocol version: {}", requested),
          object([&](json::Writer& writer) {
            writer.key("supported").begin_array();
            for (const std::string& version : supported) writer.string(version);
            writer.end_array().member("requested", requested);
          })};
}

RpcError missing_capability(std::string message, json::Value needed) {
  return {code::missing_capability, std::move(message),
          object([&](json::Writer& writer) { writer.member("requiredCapabilities", needed); })};
}

RpcError header_mismatch(std::string_view header, std::string message) {
  return {code::header_mismatch, std::move(message),
          object([&](json::Writer& writer) { writer.member("header", header); })};
}

RpcError resource_not_found(Era era, std::string_view uri) {
  return {era == Era::sessions ? code::resource_not_found : code::invalid_params,
          fmt::format("Resource not found: {}", uri),
          object([&](json::Writer& writer) { writer.member("uri", uri); })};
}

RpcError read_error(json::View error) {
  RpcError out;
  if (const auto found = error.find("code")) {
    if (const auto number = found->integer()) out.code = *number;
  }
  if (const auto found = error.find("message")) out.message = found->string();
  if (const auto found = error.find("data")) out.data = json::Value(*found);
  return out;
}

void write_error(json::Writer& writer, const RpcError& error) {
  writer.begin_object().member("code", error.code).member("message", error.message);
  if (error.data) writer.member("data", *error.data);
  writer.end_object();
}

}  // namespace enfold::mcp

// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/request_id.h"

#include "enfold/base/text.h"

namespace enfold::contract {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

}  // namespace

std::string make_request_id(std::span<const std::uint8_t, 6> random, std::string_view prefix) {
  std::string id;
  id.reserve(prefix.size() + 1 + 2 * random.size());
  id.append(prefix).append("_").append(to_hex(random));
  return id;
}

std::string request_id_from(json::View context) {
  for (const std::string_view key :
       {"request_id", "requestId", "correlation_id", "correlationId"}) {
    const auto member = context.find(key);
    if (!member || !member->is_string()) continue;
    if (std::string id(trimmed(member->string(), kBlanks)); !id.empty()) return id;
  }
  return {};
}

}  // namespace enfold::contract

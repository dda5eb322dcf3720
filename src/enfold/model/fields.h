// SPDX-License-Identifier: Apache-2.0
// The fields of each model struct, with their names. Code that handles all fields, such as the
// canonical JSON form, iterates over these lists.
#pragma once

#include "enfold/model/response.h"

#include <tuple>
#include <utility>

namespace enfold::model {

#define ENFOLD_FIELD(name) std::pair(#name, &S::name)

constexpr auto fields(const Failure*) {
  using S = Failure;
  return std::tuple(ENFOLD_FIELD(kind), ENFOLD_FIELD(code), ENFOLD_FIELD(type),
                    ENFOLD_FIELD(message), ENFOLD_FIELD(remediation), ENFOLD_FIELD(details),
                    ENFOLD_FIELD(retry_after));
}
constexpr auto fields(const Warning*) {
  using S = Warning;
  return std::tuple(ENFOLD_FIELD(code), ENFOLD_FIELD(severity), ENFOLD_FIELD(message),
                    ENFOLD_FIELD(context));
}
constexpr auto fields(const Page*) {
  using S = Page;
  return std::tuple(ENFOLD_FIELD(cursor), ENFOLD_FIELD(has_more), ENFOLD_FIELD(total),
                    ENFOLD_FIELD(page_size), ENFOLD_FIELD(offset), ENFOLD_FIELD(next_offset),
                    ENFOLD_FIELD(before), ENFOLD_FIELD(after), ENFOLD_FIELD(returned));
}
constexpr auto fields(const RateLimit*) {
  using S = RateLimit;
  return std::tuple(ENFOLD_FIELD(limit), ENFOLD_FIELD(remaining), ENFOLD_FIELD(reset_at),
                    ENFOLD_FIELD(period), ENFOLD_FIELD(retry_after));
}
constexpr auto fields(const Telemetry*) {
  using S = Telemetry;
  return std::tuple(ENFOLD_FIELD(duration_ms), ENFOLD_FIELD(cache_hit),
                    ENFOLD_FIELD(downstream_calls));
}
constexpr auto fields(const ArchiveEntry*) {
  using S = ArchiveEntry;
  return std::tuple(ENFOLD_FIELD(handle), ENFOLD_FIELD(hash));
}
constexpr auto fields(const Reduction*) {
  using S = Reduction;
  return std::tuple(ENFOLD_FIELD(level), ENFOLD_FIELD(dropped_ids), ENFOLD_FIELD(archive),
                    ENFOLD_FIELD(briefed), ENFOLD_FIELD(clipped), ENFOLD_FIELD(columnar),
                    ENFOLD_FIELD(facts), ENFOLD_FIELD(index));
}
constexpr auto fields(const Tool*) {
  using S = Tool;
  return std::tuple(ENFOLD_FIELD(id), ENFOLD_FIELD(version), ENFOLD_FIELD(tier),
                    ENFOLD_FIELD(capabilities));
}
constexpr auto fields(const UpgradeHint*) {
  using S = UpgradeHint;
  return std::tuple(ENFOLD_FIELD(feature), ENFOLD_FIELD(tier), ENFOLD_FIELD(reason));
}
constexpr auto fields(const Response*) {
  using S = Response;
  return std::tuple(ENFOLD_FIELD(outcome), ENFOLD_FIELD(payload), ENFOLD_FIELD(wrapping),
                    ENFOLD_FIELD(shape), ENFOLD_FIELD(failure), ENFOLD_FIELD(warnings),
                    ENFOLD_FIELD(page), ENFOLD_FIELD(rate_limit), ENFOLD_FIELD(telemetry),
                    ENFOLD_FIELD(reduction), ENFOLD_FIELD(tool), ENFOLD_FIELD(upgrade_hints),
                    ENFOLD_FIELD(request_id), ENFOLD_FIELD(message), ENFOLD_FIELD(level),
                    ENFOLD_FIELD(blocks), ENFOLD_FIELD(metadata));
}

#undef ENFOLD_FIELD

template <class Struct>
concept Fielded = requires(const Struct* s) { fields(s); };

/// each_field(visit, a, b…) calls visit("name", a.name, b.name…) for each field of objects of one
/// type.
template <class Visit, class First, class... Rest>
void each_field(Visit&& visit, First& first, Rest&... rest) {
  const auto visit_one = [&](const auto& field) {
    visit(field.first, first.*field.second, rest.*field.second...);
  };
  std::apply([&](const auto&... field) { (visit_one(field), ...); }, fields(&first));
}

}  // namespace enfold::model

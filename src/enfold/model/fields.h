// SPDX-License-Identifier: Apache-2.0
// Every field of the model with its name, once. What needs all fields (the canonical JSON form,
// the carry of a conversion) walks this list instead of repeating it.
#pragma once

#include "enfold/model/response.h"

namespace enfold::model {

// each_field(visit, a, b…) calls visit("name", a.name, b.name…) for objects of one type.
template <class Visit, class... T>
void each_field_of(const Failure*, Visit&& visit, T&... s) {
  visit("kind", s.kind...);
  visit("code", s.code...);
  visit("type", s.type...);
  visit("message", s.message...);
  visit("remediation", s.remediation...);
  visit("details", s.details...);
  visit("retry_after", s.retry_after...);
}
template <class Visit, class... T>
void each_field_of(const Warning*, Visit&& visit, T&... s) {
  visit("code", s.code...);
  visit("severity", s.severity...);
  visit("message", s.message...);
  visit("context", s.context...);
}
template <class Visit, class... T>
void each_field_of(const Page*, Visit&& visit, T&... s) {
  visit("cursor", s.cursor...);
  visit("has_more", s.has_more...);
  visit("total", s.total...);
  visit("page_size", s.page_size...);
  visit("offset", s.offset...);
  visit("next_offset", s.next_offset...);
  visit("before", s.before...);
  visit("after", s.after...);
  visit("returned", s.returned...);
}
template <class Visit, class... T>
void each_field_of(const RateLimit*, Visit&& visit, T&... s) {
  visit("limit", s.limit...);
  visit("remaining", s.remaining...);
  visit("reset_at", s.reset_at...);
  visit("period", s.period...);
  visit("retry_after", s.retry_after...);
}
template <class Visit, class... T>
void each_field_of(const Telemetry*, Visit&& visit, T&... s) {
  visit("duration_ms", s.duration_ms...);
  visit("cache_hit", s.cache_hit...);
  visit("downstream_calls", s.downstream_calls...);
}
template <class Visit, class... T>
void each_field_of(const ArchiveEntry*, Visit&& visit, T&... s) {
  visit("handle", s.handle...);
  visit("hash", s.hash...);
}
template <class Visit, class... T>
void each_field_of(const Reduction*, Visit&& visit, T&... s) {
  visit("level", s.level...);
  visit("dropped_ids", s.dropped_ids...);
  visit("archive", s.archive...);
  visit("briefed", s.briefed...);
  visit("clipped", s.clipped...);
  visit("columnar", s.columnar...);
  visit("facts", s.facts...);
  visit("index", s.index...);
}
template <class Visit, class... T>
void each_field_of(const Tool*, Visit&& visit, T&... s) {
  visit("id", s.id...);
  visit("version", s.version...);
  visit("tier", s.tier...);
  visit("capabilities", s.capabilities...);
}
template <class Visit, class... T>
void each_field_of(const UpgradeHint*, Visit&& visit, T&... s) {
  visit("feature", s.feature...);
  visit("tier", s.tier...);
  visit("reason", s.reason...);
}
template <class Visit, class... T>
void each_field_of(const Response*, Visit&& visit, T&... s) {
  visit("outcome", s.outcome...);
  visit("payload", s.payload...);
  visit("wrapping", s.wrapping...);
  visit("shape", s.shape...);
  visit("failure", s.failure...);
  visit("warnings", s.warnings...);
  visit("page", s.page...);
  visit("rate_limit", s.rate_limit...);
  visit("telemetry", s.telemetry...);
  visit("reduction", s.reduction...);
  visit("tool", s.tool...);
  visit("upgrade_hints", s.upgrade_hints...);
  visit("request_id", s.request_id...);
  visit("message", s.message...);
  visit("level", s.level...);
  visit("blocks", s.blocks...);
  visit("metadata", s.metadata...);
}

template <class Struct>
concept Fielded = requires(const Struct* s, Struct& value) {
  each_field_of(s, [](const char*, auto&) {}, value);
};

template <class Visit, class First, class... Rest>
void each_field(Visit&& visit, First& first, Rest&... rest) {
  using Struct = std::remove_const_t<First>;
  each_field_of(static_cast<const Struct*>(nullptr), visit, first, rest...);
}

}  // namespace enfold::model

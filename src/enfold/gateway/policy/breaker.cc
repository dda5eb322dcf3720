// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/breaker.h"

namespace enfold::gateway {

const Breaker& Breakers::worst() const {
  const Breaker* worst = &common_;
  for (const auto& [principal, one] : by_principal_) {
    if (one.failures() > worst->failures()) worst = &one;
  }
  return *worst;
}

void Breakers::record_failure(const std::set<std::string>& principals, Breaker::Time now) {
  for (const std::string& principal : principals) {
    by_principal_.try_emplace(principal, common_).first->second.record_failure(now);
  }
  if (!principals.empty()) return;
  common_.record_failure(now);
  for (auto& [principal, one] : by_principal_) one.record_failure(now);
}

}  // namespace enfold::gateway

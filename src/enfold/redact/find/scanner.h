// SPDX-License-Identifier: Apache-2.0
// Finds secrets in texts by a policy.
#pragma once

#include "enfold/redact/find/anchors.h"
#include "enfold/redact/redact.h"

#include <string>
#include <string_view>
#include <vector>

namespace enfold::redact::detail {

class Scanner {
 public:
  explicit Scanner(const Policy& policy) : policy_(policy), prefilter_(policy) {}  ///< borrows it

  [[nodiscard]] std::vector<Secret> find(std::string_view text) const;
  [[nodiscard]] const Prefilter& prefilter() const { return prefilter_; }
  [[nodiscard]] const Policy& policy() const { return policy_; }

 private:
  [[nodiscard]] std::vector<Secret> find(std::string_view text, int escape_levels) const;

  const Policy& policy_;
  Prefilter prefilter_;
};

/// Replaces each secret by `replacement(secret, its text)`.
template <class Replacement>
[[nodiscard]] std::string replace(std::string_view text, const std::vector<Secret>& secrets,
                                  const Replacement& replacement) {
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  for (const Secret& secret : secrets) {
    out.append(text, done, secret.begin - done);
    out += replacement(secret, text.substr(secret.begin, secret.end - secret.begin));
    done = secret.end;
  }
  out.append(text, done);
  return out;
}

}  // namespace enfold::redact::detail

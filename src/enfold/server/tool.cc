// SPDX-License-Identifier: Apache-2.0
// The setters whose bodies need much of the standard library: each program that includes the header
// would compile them.
#include "enfold/server/tool.h"

namespace enfold::server {

Tool& Tool::capability(std::string text) {
  spec_->capabilities.push_back(std::move(text));
  return *this;
}

Tool& Tool::policy(budget::Policy policy) { return set(spec_->policy, std::move(policy)); }

Tool& Tool::annotate(std::string_view hint, bool value) {
  std::erase_if(spec_->annotations, [&](const auto& one) { return one.first == hint; });
  spec_->annotations.emplace_back(hint, value);
  return *this;
}

}  // namespace enfold::server

// SPDX-License-Identifier: Apache-2.0
// The pages of the admin API about the configuration file: its text without secrets, its errors,
// and reloading it.
#pragma once

#include "enfold/gateway/admin/pages/source.h"

namespace enfold::gateway {

class ConfigPages {
 public:
  explicit ConfigPages(const AdminSource& source) : source_(source) {}

  void show(const Respond& respond) const;
  void check(const Respond& respond) const;
  void reload(const Respond& respond) const;

 private:
  /// `was_applied`: of a reload, the member "applied"; nullopt: the reply has no such member.
  [[nodiscard]] net::HttpResponse reply(const std::vector<Error>& problems,
                                        std::optional<bool> was_applied) const;

  const AdminSource& source_;
};

}  // namespace enfold::gateway

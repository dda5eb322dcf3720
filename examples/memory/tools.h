// SPDX-License-Identifier: Apache-2.0
// The tools: plain functions from a request and the storage to an answer.
#pragma once

#include "answers.h"
#include "enfold/server/server.h"
#include "requests.h"
#include "storage.h"

namespace memory {

using server::Answer;
using server::Context;

/// What a handler works on.
struct Desk {
  std::shared_ptr<Storage> storage;
  std::string default_scope;
};

[[nodiscard]] Answer<Stored> store(const Desk& desk, const Store& asked, Context& context);
[[nodiscard]] Answer<Got> get(const Desk& desk, const ById& asked, Context& context);
[[nodiscard]] Answer<Updated> update(const Desk& desk, const Update& asked, Context& context);
[[nodiscard]] Answer<Deleted> remove(const Desk& desk, const Delete& asked, Context& context);
[[nodiscard]] Answer<Moved> move(const Desk& desk, const Move& asked, Context& context);
[[nodiscard]] Answer<Found> list(const Desk& desk, const List& asked, Context& context);
[[nodiscard]] Answer<Found> search(const Desk& desk, const Search& asked, Context& context);
[[nodiscard]] Answer<Associated> associate(const Desk& desk, const Associate& asked,
                                           Context& context);
[[nodiscard]] Answer<Found> associations(const Desk& desk, const Associations& asked,
                                         Context& context);
[[nodiscard]] Answer<Scopes> list_scopes(const Desk& desk, const ListScopes& asked,
                                         Context& context);

}  // namespace memory

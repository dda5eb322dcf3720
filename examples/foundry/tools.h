// SPDX-License-Identifier: Apache-2.0
// The tools `spec` and `task`: functions from a request and the folder to an answer.
#pragma once

#include "answers.h"
#include "enfold/server/answer.h"
#include "enfold/server/context.h"
#include "folder.h"
#include "requests.h"

namespace foundry {

using server::Answer;
using server::Context;

inline constexpr std::string_view kDeleteFlag = "spec_delete";
inline constexpr std::string_view kOrderFlag = "spec_order";

/// What a handler works on.
struct Desk {
  std::shared_ptr<Folder> folder;
  std::string approval;  ///< what `move` to completed asks for; empty: nothing
};

[[nodiscard]] Answer<SpecAnswer> spec(const Desk& desk, const SpecCall& asked, Context& context);
[[nodiscard]] Answer<TaskAnswer> task(const Desk& desk, const TaskCall& asked, Context& context);

/// SPEC_NOT_FOUND, with the one that was probably meant.
[[nodiscard]] enfold::model::Response spec_not_found(const Desk& desk, const std::string& id);
/// Why nobody may write to a specification now.
[[nodiscard]] std::optional<enfold::model::Response> write_refusal(const Spec& spec);
[[nodiscard]] enfold::model::Response missing(std::string_view field, std::string_view action);

/// The tasks that a task still waits for.
[[nodiscard]] std::vector<std::string> unmet(const Spec& spec, const Task& task);
/// An order in which every task comes after those that it depends on; without those in a circle.
[[nodiscard]] std::vector<std::string> order_of(const Spec& spec);

}  // namespace foundry

// SPDX-License-Identifier: Apache-2.0
#include "tools.h"

#include "enfold/contract/legacy/domain_failures.h"
#include "scope.h"

#include <algorithm>
#include <fmt/core.h>

namespace memory {
namespace {

namespace failures = enfold::contract::failures;
using enfold::contract::make_failure;

constexpr std::size_t kTitle = 60;
constexpr std::size_t kNear = 10;

enfold::model::Response not_found(const std::string& id) {
  return make_failure(failures::NotFound{
      .resource_type = "Memory",
      .resource_id = id,
      .code = "MEMORY_NOT_FOUND",
      .extra = {.remediation = {"Find its id with memory_search or memory_list."}}});
}

std::string first_line(const std::string& content) {
  std::string_view text = content;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return level::preview_of(text.substr(0, text.find_first_of("\r\n")), kTitle);
}

Metadata made_metadata(const std::string& content) {
  return {{"title", first_line(content)}, {"words", std::to_string(words_of(content).size())}};
}

// A tag is one line: that is how tags are told apart in the database.
std::optional<enfold::model::Response> tag_refusal(const std::vector<std::string>& tags) {
  for (const std::string& tag : tags) {
    if (!tag.empty() && tag.find('\n') == std::string::npos) continue;
    return make_failure(failures::Validation{
        .message =
            fmt::format("tags: expected words on one line, found {}", enfold::json::quote(tag)),
        .field = "tags"});
  }
  return std::nullopt;
}

tl::expected<std::string, enfold::model::Response> optional_scope(
    const std::optional<std::string>& asked) {
  return asked ? normal_scope(*asked) : tl::expected<std::string, enfold::model::Response>("");
}

// Some ids may lead nowhere; the rest is done, and the answer says both.
void tell_missing(Context& context, const std::vector<std::string>& missing) {
  if (missing.empty()) return;
  context.mark_partial();
  context.warn("PARTIAL_FAILURE", fmt::format("{} of the ids lead to no memory", missing.size()));
}

Answer<Found> found(Result<Listing> listing, const server::PageArguments& asked, Context& context,
                    std::optional<std::string> expression = std::nullopt) {
  if (!listing) return tl::unexpected(listing.error());
  const std::size_t returned = listing->memories.size();
  context.set_page(asked, returned, static_cast<std::size_t>(listing->total));
  context.say(fmt::format("{} of {} memories", returned, listing->total), Level::standard);
  return Found{listing->total, std::move(listing->memories), std::move(expression)};
}

}  // namespace

Answer<Stored> store(const Desk& desk, const Store& asked, Context& context) {
  const auto scope = normal_scope(asked.scope.value_or(desk.default_scope));
  if (!scope) return scope.error();
  if (const auto refused = tag_refusal(asked.tags)) return *refused;
  Result<Kept> kept =
      desk.storage->add({asked.content, *scope, asked.category, asked.tags,
                         asked.metadata ? *asked.metadata : made_metadata(asked.content)});
  if (!kept) return tl::unexpected(kept.error());
  context.say(fmt::format("Stored in {}", *scope), Level::standard);
  return Stored{.memory_id = kept->memory.id,
                .created_at = kept->memory.created_at,
                .scope = *scope,
                .scope_changed = asked.scope != *scope,
                .metadata = kept->memory.metadata,
                .metadata_made = !asked.metadata,
                .duplicate_of = kept->duplicate_of,
                .memory = std::move(kept->memory),
                .associations = std::move(kept->associated)};
}

Answer<Got> get(const Desk& desk, const ById& asked, Context& /*context*/) {
  Result<std::optional<Memory>> found = desk.storage->find(asked.memory_id);
  if (!found) return tl::unexpected(found.error());
  if (!*found) return not_found(asked.memory_id);
  Result<Listing> near = desk.storage->associations(asked.memory_id, 1, {0, kNear});
  if (!near) return tl::unexpected(near.error());
  return Got{std::move(**found), std::move(near->memories)};
}

Answer<Updated> update(const Desk& desk, const Update& asked, Context& context) {
  if (!asked.content && !asked.category && !asked.tags && !asked.metadata) {
    return make_failure(failures::Validation{
        .message = "expected something to change: content, category, tags or metadata"});
  }
  if (asked.tags) {
    if (const auto refused = tag_refusal(*asked.tags)) return *refused;
  }
  Result<std::optional<Memory>> changed = desk.storage->change(
      asked.memory_id, {asked.content, asked.category, asked.tags, asked.metadata},
      asked.if_revision);
  if (!changed) return tl::unexpected(changed.error());
  if (!*changed) return not_found(asked.memory_id);
  context.say("Updated", Level::standard);
  return Updated{(*changed)->updated_at, (*changed)->revision, std::move(**changed)};
}

Answer<Deleted> remove(const Desk& desk, const Delete& asked, Context& context) {
  Deleted deleted;
  for (const std::string& id : asked.memory_ids) {
    Result<std::optional<Memory>> before = desk.storage->find(id);
    const Result<bool> gone = desk.storage->remove(id);
    if (!before) return tl::unexpected(before.error());
    if (!gone) return tl::unexpected(gone.error());
    *gone ? deleted.memories.push_back(std::move(before->value()))
          : deleted.missing_ids.push_back(id);
  }
  deleted.deleted_count = static_cast<std::int64_t>(deleted.memories.size());
  if (deleted.memories.empty()) return not_found(asked.memory_ids.front());
  tell_missing(context, deleted.missing_ids);
  context.say(fmt::format("Deleted {} memories", deleted.deleted_count), Level::standard);
  return deleted;
}

Answer<Moved> move(const Desk& desk, const Move& asked, Context& context) {
  const auto scope = normal_scope(asked.scope);
  if (!scope) return scope.error();
  Moved moved{.scope = *scope, .scope_changed = *scope != asked.scope};
  for (const std::string& id : asked.memory_ids) {
    const Result<bool> done = desk.storage->move(id, *scope);
    if (!done) return tl::unexpected(done.error());
    if (!*done) {
      moved.missing_ids.push_back(id);
      continue;
    }
    Result<std::optional<Memory>> now = desk.storage->find(id);
    if (!now) return tl::unexpected(now.error());
    if (*now) moved.memories.push_back(std::move(**now));
  }
  moved.moved_count = static_cast<std::int64_t>(moved.memories.size());
  if (moved.memories.empty()) return not_found(asked.memory_ids.front());
  tell_missing(context, moved.missing_ids);
  context.say(fmt::format("Moved {} memories to {}", moved.moved_count, *scope), Level::standard);
  return moved;
}

Answer<Found> list(const Desk& desk, const List& asked, Context& context) {
  const auto offset = asked.offset();
  if (!offset) return offset.error();
  const auto scope = optional_scope(asked.scope);
  if (!scope) return scope.error();
  return found(desk.storage->list({*scope, asked.category, asked.tag}, {*offset, asked.size()}),
               asked, context);
}

Answer<Found> search(const Desk& desk, const Search& asked, Context& context) {
  const auto offset = asked.offset();
  if (!offset) return offset.error();
  const auto scope = optional_scope(asked.scope);
  if (!scope) return scope.error();
  const std::string expression = text_expression(asked.query, asked.match);
  if (expression.empty()) {
    return make_failure(failures::Validation{
        .message = "query: expected at least one word, found none", .field = "query"});
  }
  return found(desk.storage->search(expression, {*scope, asked.category, asked.tag},
                                    {*offset, asked.size()}),
               asked, context, expression);
}

Answer<Associated> associate(const Desk& desk, const Associate& asked, Context& context) {
  if (asked.memory_id == asked.other_id) {
    return make_failure(failures::SelfReference{.item_id = asked.memory_id});
  }
  Associated associated{.associated = asked.strength > 0};
  for (const std::string& id : {asked.memory_id, asked.other_id}) {
    Result<std::optional<Memory>> memory = desk.storage->find(id);
    if (!memory) return tl::unexpected(memory.error());
    if (!*memory) return not_found(id);
    associated.memories.push_back(std::move(**memory));
  }
  const Result<bool> done =
      associated.associated
          ? desk.storage->associate(asked.memory_id, asked.other_id, asked.strength)
          : desk.storage->dissociate(asked.memory_id, asked.other_id);
  if (!done) return tl::unexpected(done.error());
  if (!*done) {
    return make_failure(failures::NotFound{
        .resource_type = "Association",
        .resource_id = asked.memory_id + " and " + asked.other_id,
        .code = "ASSOCIATION_NOT_FOUND",
        .extra = {.remediation = {"memory_associations shows what a memory is associated with."}}});
  }
  context.say(associated.associated ? "Associated" : "No longer associated", Level::standard);
  return associated;
}

Answer<Found> associations(const Desk& desk, const Associations& asked, Context& context) {
  const auto offset = asked.offset();
  if (!offset) return offset.error();
  const Result<std::optional<Memory>> memory = desk.storage->find(asked.memory_id);
  if (!memory) return tl::unexpected(memory.error());
  if (!*memory) return not_found(asked.memory_id);
  return found(desk.storage->associations(asked.memory_id, asked.steps, {*offset, asked.size()}),
               asked, context);
}

Answer<Scopes> list_scopes(const Desk& desk, const ListScopes& asked, Context& context) {
  const auto inside = optional_scope(asked.inside);
  if (!inside) return inside.error();
  const Result<std::vector<ScopeCount>> counts = desk.storage->scopes(*inside);
  if (!counts) return tl::unexpected(counts.error());
  Scopes scopes;
  for (const ScopeCount& one : *counts) {
    std::int64_t all = 0;
    for (const ScopeCount& other : *counts) {
      const bool within = other.scope == one.scope || other.scope.starts_with(one.scope + "/");
      if (within) all += other.memories;
    }
    scopes.scopes.push_back({one.scope, one.memories, all, one.updated_at});
  }
  context.say(fmt::format("{} scopes", scopes.scopes.size()), Level::standard);
  return scopes;
}

}  // namespace memory

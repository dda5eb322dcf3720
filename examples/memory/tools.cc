// SPDX-License-Identifier: Apache-2.0
#include "tools.h"

#include "enfold/contract/legacy/domain_failures.h"
#include "scope.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace memory {
namespace {

namespace failures = enfold::contract::failures;
using enfold::contract::make_failure;

constexpr std::size_t kNear = 10;

enfold::model::Response not_found(const std::string& id) {
  return make_failure(failures::NotFound{
      .resource_type = "Memory",
      .resource_id = id,
      .code = "MEMORY_NOT_FOUND",
      .extra = {.remediation = {"Find its id with memory_search or memory_list."}}});
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

// Some ids may lead nowhere; the rest is done, and the answer says both. If all do, the call fails.
std::optional<enfold::model::Response> missing_refusal(const Done& done, Context& context) {
  if (done.missing.empty()) return std::nullopt;
  if (done.memories.empty() && done.missing.size() == 1) return not_found(done.missing.front());
  const std::string all = fmt::format("{}", fmt::join(done.missing, ", "));
  if (done.memories.empty()) {
    return make_failure(failures::Other{
        .message = fmt::format("None of these memories was found: {}", all),
        .code = "MEMORY_NOT_FOUND",
        .extra = {.remediation = {"Find their ids with memory_search or memory_list."}}});
  }
  context.mark_partial();
  context.warn("PARTIAL_FAILURE", fmt::format("Not found: {}", all));
  return std::nullopt;
}

std::int64_t count(const std::vector<Memory>& memories) {
  return static_cast<std::int64_t>(memories.size());
}

std::string counted(std::int64_t memories) {
  return fmt::format("{} {}", memories, memories == 1 ? "memory" : "memories");
}

// `find` returns the memories of one page.
template <class Request, class Find>
Answer<Found> found(const Request& asked, Context& context, Find find,
                    std::optional<std::string> expression = std::nullopt) {
  const auto rows = [&](std::size_t from, std::size_t count) -> Result<Found> {
    ENFOLD_TRY(Listing listing, find(Slice{from, count}));
    context.say(fmt::format("{} found", counted(listing.total)), Level::standard);
    return Found{listing.total, std::move(listing.memories), expression};
  };
  return context.page(asked, rows, &Found::memories, &Found::total_count);
}

}  // namespace

Answer<Stored> store(const Desk& desk, const Store& asked, Context& context) {
  const auto scope = normal_scope(asked.scope.value_or(desk.default_scope));
  if (!scope) return scope.error();
  if (const auto refused = tag_refusal(asked.tags)) return *refused;
  Result<Kept> kept =
      desk.storage->add({asked.content, *scope, asked.category, asked.tags, asked.metadata});
  if (!kept) return tl::unexpected(kept.error());
  context.say(fmt::format("Stored in {}", *scope), Level::standard);
  return Stored{.memory_id = kept->memory.id,
                .created_at = kept->memory.created_at,
                .scope = *scope,
                .scope_changed = asked.scope && *asked.scope != *scope,
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
  Result<Done> done = desk.storage->remove(asked.memory_ids);
  if (!done) return tl::unexpected(done.error());
  if (const auto refused = missing_refusal(*done, context)) return *refused;
  context.say(fmt::format("Deleted {}", counted(count(done->memories))), Level::standard);
  return Deleted{count(done->memories), std::move(done->missing), std::move(done->memories)};
}

Answer<Moved> move(const Desk& desk, const Move& asked, Context& context) {
  const auto scope = normal_scope(asked.scope);
  if (!scope) return scope.error();
  Result<Done> done = desk.storage->move(asked.memory_ids, *scope);
  if (!done) return tl::unexpected(done.error());
  if (const auto refused = missing_refusal(*done, context)) return *refused;
  context.say(fmt::format("Moved {} to {}", counted(count(done->memories)), *scope),
              Level::standard);
  return Moved{.moved_count = count(done->memories),
               .scope = *scope,
               .scope_changed = *scope != asked.scope,
               .missing_ids = std::move(done->missing),
               .memories = std::move(done->memories)};
}

Answer<Found> list(const Desk& desk, const List& asked, Context& context) {
  ENFOLD_TRY(const std::string scope, optional_scope(asked.scope));
  return found(asked, context, [&](Slice slice) {
    return desk.storage->list({scope, asked.category, asked.tag}, slice);
  });
}

Answer<Found> search(const Desk& desk, const Search& asked, Context& context) {
  ENFOLD_TRY(const std::string scope, optional_scope(asked.scope));
  const Query query = desk.storage->read_query(asked.query, asked.match);
  if (query.is_empty()) {
    return failures::Validation{.message = "query: expected at least one word, found none",
                                .field = "query"};
  }
  return found(
      asked, context,
      [&](Slice slice) {
        return desk.storage->search(query, {scope, asked.category, asked.tag}, slice);
      },
      query.whole);
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
  ENFOLD_TRY(const std::optional<Memory> memory, desk.storage->find(asked.memory_id));
  if (!memory) return not_found(asked.memory_id);
  return found(asked, context, [&](Slice slice) {
    return desk.storage->associations(asked.memory_id, asked.steps, slice);
  });
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
  const std::size_t size = scopes.scopes.size();
  context.say(fmt::format("{} {}", size, size == 1 ? "scope" : "scopes"), Level::standard);
  return scopes;
}

}  // namespace memory

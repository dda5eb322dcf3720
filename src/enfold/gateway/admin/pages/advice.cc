// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/advice.h"

#include "enfold/base/text.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace enfold::gateway {
namespace {

constexpr std::uint64_t kMinCutAnswers = 5;     // that advice on the target needs
constexpr std::size_t kSmallTarget = 1'000;     // tokens; no smaller target is advised
constexpr std::size_t kLargeDefinition = 200;   // tokens
constexpr std::chrono::minutes kMinUnused{10};  // without a call, that advice to deny a tool needs
constexpr std::chrono::seconds kMaxCacheTtl{300};

// The name as a key of TOML, quoted if it must be: JSON strings are TOML strings too.
std::string toml_key(const std::string& name) {
  const bool is_bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_alphanumeric(c) || c == '_' || c == '-';
  });
  return is_bare ? name : json::quote(name);
}

// The header of the configuration's table with the settings of this tool.
std::string table_of(const SeenTool& seen) {
  if (seen.upstream.empty()) return fmt::format("[tools.{}]", toml_key(seen.tool));
  return fmt::format("[upstreams.{}.tools.{}]", toml_key(seen.upstream), toml_key(seen.tool));
}

// Calls with the arguments of an earlier call, and whether they got the same answer.
struct Repeats {
  std::size_t same = 0;
  std::size_t different = 0;
  std::chrono::seconds longest{0};  ///< from a call to a repetition with the same answer
};

Repeats repeats_in(const std::vector<SeenCall>& calls) {
  Repeats repeats;
  std::map<std::uint64_t, const SeenCall*> first;
  for (const SeenCall& call : calls) {
    const auto [earlier, is_new] = first.try_emplace(call.arguments_hash, &call);
    if (is_new) continue;
    if (call.answer->source->raw() == earlier->second->answer->source->raw()) {
      ++repeats.same;
      repeats.longest =
          std::max(repeats.longest,
                   std::chrono::floor<std::chrono::seconds>(call.time - earlier->second->time));
    } else {
      ++repeats.different;
    }
  }
  return repeats;
}

void advise_cache(const SeenTool& seen, std::vector<Advice>& all) {
  if (seen.is_cached || !seen.only_reads) return;
  const Repeats repeats = repeats_in(seen.recorded);
  if (repeats.same < 2 || repeats.different > 0 || repeats.longest.count() < 1) return;
  const auto ttl = std::min(repeats.longest, kMaxCacheTtl);
  all.push_back(
      {fmt::format("{} of the {} recorded calls repeated the arguments of an earlier call, up to "
                   "{} s later, and each got the same answer; the tool declares that it only reads",
                   repeats.same, seen.recorded.size(), repeats.longest.count()),
       fmt::format("{}\ncache_ttl = \"{}s\"\n", table_of(seen), ttl.count())});
}

void advise_target(const SeenTool& seen, std::vector<Advice>& all) {
  if (seen.cut < kMinCutAnswers || seen.target == 0) return;
  const std::uint64_t mean_tokens = seen.cut_tokens / seen.cut;
  if (seen.opened_again == 0 && seen.target >= 2 * kSmallTarget && mean_tokens > kSmallTarget) {
    all.push_back({fmt::format("{} recent answers were cut to {} tokens on average, and the "
                               "original of none was opened; the key is at the top of the file and "
                               "holds for all tools",
                               seen.cut, mean_tokens),
                   fmt::format("target = {}\n", std::max(seen.target / 2, kSmallTarget))});
  } else if (seen.opened_again > seen.cut) {
    all.push_back({fmt::format("the originals of the {} recent answers that were cut were opened "
                               "{} times; the key is at the top of the file and holds for all "
                               "tools",
                               seen.cut, seen.opened_again),
                   fmt::format("target = {}\n", seen.target * 2)});
  }
}

void advise_deny(const SeenTool& seen, std::vector<Advice>& all) {
  if (seen.calls > 0 || seen.definition_tokens < kLargeDefinition || seen.upstream.empty() ||
      seen.watched < kMinUnused) {
    return;
  }
  all.push_back({fmt::format("its definition costs {} tokens in every list of tools, and it was "
                             "not called in the {} minutes since the start",
                             seen.definition_tokens,
                             std::chrono::floor<std::chrono::minutes>(seen.watched).count()),
                 fmt::format("[upstreams.{}]\ntools_deny = [{}]\n", toml_key(seen.upstream),
                             json::quote(seen.tool))});
}

}  // namespace

std::vector<Advice> advise(const SeenTool& seen) {
  std::vector<Advice> all;
  advise_cache(seen, all);
  advise_target(seen, all);
  advise_deny(seen, all);
  return all;
}

}  // namespace enfold::gateway

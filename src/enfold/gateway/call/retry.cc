// SPDX-License-Identifier: Apache-2.0
// What is done instead of asking, and instead of failing, where the configuration allows it and
// asking twice does no harm: an answer that is still good, a second try, another upstream, an
// answer that was good.
#include "enfold/contract/errors/warning_codes.h"
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/policy/selection.h"
#include "enfold/model/content.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

using std::chrono::seconds;

std::int64_t whole_seconds(std::chrono::microseconds time) {
  return std::chrono::duration_cast<seconds>(time).count();
}

CacheKey key_of(const ToolAnswering& about) {
  return {about.plan.principal, about.upstream_number, about.tool->spec.name,
          about.plan.arguments->raw()};
}

model::Warning stale_warning(std::chrono::microseconds age, std::chrono::microseconds fresh) {
  json::Writer context;
  context.begin_object().member("cache_age_seconds", whole_seconds(age));
  context.member("max_freshness_seconds", whole_seconds(fresh)).end_object();
  return contract::make_warning(
      "STALE_CACHE",
      fmt::format("The server is down; this is what it said {} s ago", whole_seconds(age)),
      std::move(context).finish_value());
}

model::Warning fallback_warning(const std::string& from, const std::string& to) {
  json::Writer context;
  context.begin_object().member("upstream", from).member("fallback", to).end_object();
  return contract::make_warning("FALLBACK_USED",
                                fmt::format("{} is down; {} answered in its place", from, to),
                                std::move(context).finish_value());
}

// The call may not have reached anybody, or nobody lived to answer it.
bool is_down(const client::CallFailure& failure) {
  return failure.error.code == ErrorCode::unavailable || failure.error.code == ErrorCode::timed_out;
}

// Of whom nothing is known may have it.
bool may_have(const Upstream& upstream, const std::string& tool) {
  return is_offered(upstream.settings, tool) &&
         (upstream.tools.is_empty() || upstream.tools.has(tool));
}

}  // namespace

// Without a contract there is nowhere to say that an answer is old.
bool Gateway::answer_from_cache(Relay& relay, const std::shared_ptr<ToolAnswering>& about,
                                bool stale_too) {
  if (!about->may_repeat || relay.call().inputs.any()) return false;
  const std::chrono::microseconds fresh = about->rules.cache_ttl.value_or(seconds(0));
  std::chrono::microseconds at_most = fresh;
  if (stale_too && about->plan.contract) {
    at_most = std::max<std::chrono::microseconds>(fresh,
                                                  about->rules.stale_if_error.value_or(seconds(0)));
  }
  if (at_most.count() == 0) return false;
  auto found = cache_.find(key_of(*about), at_most, host_.clock());
  if (!found) return false;
  about->from_cache = true;
  if (found->age > fresh) about->plan.warnings.push_back(stale_warning(found->age, fresh));
  if (about->plan.contract) {
    shape(relay, std::move(found->result), about);
  } else {
    client::CallResult result = std::move(found->result);
    note_passed(*about, result);
    relay.reply(mcp::Relayed{std::move(*result)});
  }
  return true;
}

void Gateway::keep_answer(const json::Value& result, const ToolAnswering& about) {
  const bool wanted = about.rules.cache_ttl || about.rules.stale_if_error;
  if (!wanted || !about.may_repeat || about.first_failure) return;
  if (!is_finished_answer(result.view())) return;
  if (model::is_failed_result(result.view())) return;
  cache_.put(key_of(about), result, host_.clock());
}

bool Gateway::recover(Relay& relay, const std::shared_ptr<ToolAnswering>& about,
                      const client::CallFailure& failure) {
  if (about->first_failure) {
    recover_from_fallback(relay, about);
    return true;
  }
  if (!about->may_repeat || !is_down(failure)) return false;
  Upstream& upstream = upstream_of(*relay.link());
  const bool broke = failure.error.code == ErrorCode::unavailable;
  const bool may_come_back = upstream.breaker.wait(loop_.now()).count() == 0;
  if (broke && !about->was_repeated && may_come_back) {
    about->was_repeated = true;
    // Whoever has failed is still busy with it.
    loop_.defer([this, alive = alive_, self = relay.shared_from_this(), about] {
      if (*alive && !self->is_ended()) send_on(*self, upstream_of(*self->link()), about);
    });
    return true;
  }
  const std::shared_ptr<serve::Port> port = relay.port();
  if (about->rules.fallback && about->plan.contract && port) {
    for (const auto& other : upstreams_) {
      if (other->settings.name != *about->rules.fallback || other.get() == &upstream) continue;
      if (!may_have(*other, about->tool->spec.name)) break;
      about->first_failure = failure;
      about->plan.warnings.push_back(fallback_warning(about->upstream, other->settings.name));
      relay.turn_to(link_for(visitor_of(*port), relay.call(), *other));
      send_on(relay, *other, about);
      return true;
    }
  }
  return answer_from_cache(relay, about, true);
}

// Nobody called this one, so what it says of the call is nobody's business: an older answer of the
// first, or else what the first failed with.
void Gateway::recover_from_fallback(Relay& relay, const std::shared_ptr<ToolAnswering>& about) {
  std::erase_if(about->plan.warnings,
                [](const model::Warning& one) { return one.code == "FALLBACK_USED"; });
  if (!answer_from_cache(relay, about, true)) fail_tool_call(relay, about, *about->first_failure);
}

}  // namespace enfold::gateway

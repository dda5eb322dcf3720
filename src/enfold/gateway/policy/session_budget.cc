// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/session_budget.h"

#include "enfold/contract/errors/error_codes.h"
#include "enfold/mcp/types/overlay.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::uint64_t kShrinkDivisor = 5;       // answers that may reach the last 1/5 get smaller
constexpr std::size_t kMaxClients = 100;          // budgets of one principal
constexpr std::size_t kMaxClientNameLength = 64;  // longer names are cut
constexpr std::string_view kSessionMeta = "dev.enfold/session";

model::Warning make_budget_warning(std::string_view code, std::string message, std::uint64_t used,
                                   std::uint64_t cap) {
  json::Writer context;
  context.begin_object();
  context.member("used", static_cast<std::int64_t>(used));
  context.member("budget", static_cast<std::int64_t>(cap)).end_object();
  return contract::make_warning(code, std::move(message), std::move(context).finish_value());
}

std::optional<json::Value> result_object(const mcp::Reply& reply) {
  if (const auto* relayed = std::get_if<mcp::UpstreamResult>(&reply)) return relayed->result;
  const auto* complete = std::get_if<mcp::CompleteResult>(&reply);
  if (complete == nullptr) return std::nullopt;
  if (const auto* value = std::get_if<json::Value>(&complete->object)) return *value;
  const std::string text = std::get_if<json::Output>(&complete->object)->str();
  const auto parsed = json::parse(std::string_view(text));
  return parsed ? std::optional(parsed->value()) : std::nullopt;
}

}  // namespace

SessionBudget::Share SessionBudget::reserve(std::size_t wanted) {
  const std::uint64_t left = cap_ > spent() ? cap_ - spent() : 0;
  Share share{wanted};
  if (left < budget::kSmallestBudget) {
    share.tokens = std::min(wanted, budget::kSmallestBudget);
    share.warning = make_budget_warning(
        "SESSION_BUDGET_EXCEEDED", "This session's tokens are used up; fetch only what is needed",
        spent(), cap_);
  } else if (wanted + cap_ / kShrinkDivisor > left) {
    share.tokens = std::min<std::size_t>(
        wanted, std::max<std::size_t>(budget::kSmallestBudget, static_cast<std::size_t>(left / 2)));
    share.warning = make_budget_warning("SESSION_BUDGET_APPROACHING",
                                        fmt::format("{} tokens are left for this session", left),
                                        spent(), cap_);
  }
  reserved_ += share.tokens;
  return share;
}

void SessionBudget::settle(const Share& share, std::uint64_t tokens) {
  reserved_ -= share.tokens;
  used_ += tokens;
}

// Clients choose their names, so the number of budgets is limited: a principal with too many names
// loses, of its own budgets, the one with the fewest used and reserved tokens.
std::shared_ptr<SessionBudget> SessionBudgets::of(const std::string& principal,
                                                  std::string_view client, std::uint64_t cap) {
  auto& budgets = by_principal_[principal];
  const std::string name(client.substr(0, kMaxClientNameLength));
  if (const auto known = budgets.find(name); known != budgets.end()) return known->second;
  if (budgets.size() >= kMaxClients) {
    budgets.erase(
        std::ranges::min_element(budgets, {}, [](const auto& one) { return one.second->spent(); }));
  }
  return budgets.emplace(name, std::make_shared<SessionBudget>(cap)).first->second;
}

std::uint64_t count_tokens(const mcp::Reply& reply, const token::Tokenizer& tokenizer) {
  const auto object = result_object(reply);
  if (!object) return 0;
  std::uint64_t tokens = 0;
  if (const auto content = object->view().find("content")) {
    for (const json::View block : content->items()) {
      const auto text = block.find("text");
      if (text && text->is_string()) tokens += tokenizer.count(text->string());
    }
  }
  const auto structured = object->view().find("structuredContent");
  if (tokens == 0 && structured) tokens = tokenizer.count(structured->raw());
  return tokens;
}

mcp::Reply with_session_usage(mcp::Reply reply, const SessionBudget& budget) {
  const auto object = result_object(reply);
  if (!object || !std::holds_alternative<mcp::CompleteResult>(reply)) return reply;
  json::Writer writer;
  mcp::Overlay()
      .member("_meta",
              [&](json::Writer& out) {
                const auto meta = mcp::object_member(object->view(), "_meta");
                mcp::Overlay()
                    .member(kSessionMeta,
                            [&](json::Writer& inner) {
                              inner.begin_object();
                              inner.member("used", static_cast<std::int64_t>(budget.used()));
                              inner.member("budget", static_cast<std::int64_t>(budget.cap()));
                              inner.end_object();
                            })
                    .write(out, meta.value_or(json::View()));
              })
      .write(writer, object->view());
  mcp::CompleteResult out = mcp::complete(std::move(writer).finish_value());
  out.cache = std::get_if<mcp::CompleteResult>(&reply)->cache;
  return out;
}

}  // namespace enfold::gateway

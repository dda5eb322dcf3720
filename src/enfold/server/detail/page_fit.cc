// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/page_fit.h"

#include "enfold/base/hash.h"

#include <fmt/core.h>

namespace enfold::server {
namespace {

model::Number number(std::size_t value) {
  return model::Number::of(static_cast<std::int64_t>(value));
}

// The cursor of the page that begins after the first `rows` rows of the draft.
std::string cursor_after(std::size_t rows, const PageDraft& draft, const PageOwner& owner) {
  json::Writer position;
  position.begin_object();
  if (draft.keys.empty()) {
    position.key("offset").integer(static_cast<std::int64_t>(draft.offset + rows));
  } else {
    position.member("after", draft.keys.at(rows - 1));
  }
  position.member("list", name_of_list(owner.tool, draft.list)).end_object();
  const json::Value written = std::move(position).finish_value();
  return contract::sign_cursor(written.view(), owner.key, owner.principal);
}

// The pagination of a page that has the first `rows` rows of the draft.
model::Page page_of(std::size_t rows, const PageDraft& draft, const PageOwner& owner) {
  model::Page page{.has_more = draft.more || rows < draft.rows,
                   .page_size = number(draft.size),
                   .returned = number(rows)};
  if (draft.total) page.total = number(*draft.total);
  if (draft.keys.empty()) page.offset = number(draft.offset);
  if (*page.has_more) page.cursor = cursor_after(rows, draft, owner);
  return page;
}

// The payload with only the first `rows` rows. `cursor`: added to the payload; set only for
// contract `none`, which has no other place for it.
json::Value first_rows(const json::Value& payload, std::size_t rows, const PageDraft& draft,
                       const std::optional<std::string>& cursor) {
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : payload->members()) {
    writer.key(member.key);
    if (!member.key.equals(draft.member) || rows == draft.rows) {
      writer.value(member.value);
      continue;
    }
    writer.begin_array();
    std::size_t index = 0;
    for (const json::View row : member.value.items()) {
      if (index++ == rows) break;
      writer.value(row);
    }
    writer.end_array();
  }
  if (cursor) writer.member("next_cursor", *cursor);
  writer.end_object();
  return std::move(writer).finish_value();
}

}  // namespace

std::string name_of_list(const std::string& tool, std::string_view list) {
  constexpr std::size_t prefix = 7;   // "sha256:"
  constexpr std::size_t digits = 12;  // of the hash: enough to distinguish lists
  return sha256_name(tool + '\n' + std::string(list)).substr(prefix, digits);
}

Status check_page_budget(const answer::AnswerPlan& plan, const answer::ToolRequest& request,
                         const PageOwner& owner) {
  // Larger than any envelope of a page with a cursor and one short row.
  constexpr budget::Budget always_enough{.tokens = 1'000, .characters = 4'000, .lines = {}};
  constexpr budget::Size short_row{.tokens = 32, .characters = 128, .lines = 0};
  const budget::Budget& budget = plan.fit.budget;
  if (!plan.contract || (budget.tokens >= always_enough.tokens &&
                         budget.characters >= always_enough.characters && !budget.lines)) {
    return {};
  }
  // The draft does not depend on the cursor of the call: a client that got the first page gets all
  // pages. A page whose key is much longer than this one may exceed the budget.
  const PageDraft draft{
      .member = "items", .size = 1'000, .more = true, .keys = {"18446744073709551615"}};
  answer::ToolContext additions;
  additions.page = page_of(1, draft, owner);
  additions.warnings.push_back({.code = "CONTENT_TRUNCATED", .message = "Cut"});
  model::Response sample;
  sample.payload = json::parse_own(R"({"items":[{}]})");
  sample.reduction = model::Reduction{.level = model::Fidelity::summary,
                                      .dropped_ids = {"/items/0/description", "/result"},
                                      .archive = {{"999999999999", "sha256:0123..."}}};
  // With fixed texts in place of those that differ from call to call, so that the budget that the
  // refusal names is accepted by the next call.
  answer::AnswerPlan typical = plan;
  if (!typical.request_id.empty()) typical.request_id = "req_a1b2c3d4e5f6";
  const auto size = answer::size_of_response(typical, {request.level, std::chrono::seconds(1)},
                                             std::move(sample), additions);
  if (!size) return {};
  const budget::Size needed{size->tokens + short_row.tokens,
                            size->characters + short_row.characters, size->lines};
  if (budget::within(needed, budget)) return {};
  const auto refuse = [&](std::size_t least, std::string_view unit, std::size_t found) {
    return fail(ErrorCode::budget_too_small,
                fmt::format("expected a budget of at least {} {} for a page of {}, found {}", least,
                            unit, owner.tool, found),
                "budget", fmt::format("Raise the budget to {} {} or more.", least, unit));
  };
  if (needed.tokens > budget.tokens) return refuse(needed.tokens, "tokens", budget.tokens);
  if (needed.characters > budget.characters) {
    return refuse(needed.characters, "characters", budget.characters);
  }
  return refuse(needed.lines, "lines", budget.lines.value_or(0));
}

answer::BeginResult begin_page(const json::Value& payload, const PageDraft& draft,
                               const answer::ToolContext& additions, const answer::AnswerPlan& plan,
                               const answer::ToolRequest& request, const PageOwner& owner) {
  const auto begin_with = [&](std::size_t rows) {
    answer::ToolContext with_page = additions;
    with_page.page = page_of(rows, draft, owner);
    model::Response response;
    response.payload =
        first_rows(payload, rows, draft, plan.contract ? std::nullopt : with_page.page->cursor);
    return answer::process_tool_response(plan, request, std::move(response), std::move(with_page));
  };
  const auto fits = [](const answer::BeginResult& result) {
    return std::holds_alternative<answer::ShapedAnswer>(result);
  };
  answer::BeginResult best = begin_with(draft.rows);
  if (fits(best)) return best;
  if (draft.rows > 1) best = begin_with(1);
  if (auto* prepared = std::get_if<answer::PreparedAnswer>(&best)) {
    prepared->keeps_page = draft.rows > 0;  // a single row that does not fit is cut
    return best;
  }
  // Binary search for the most rows that fit. `best` is the answer with `fitting` rows.
  std::size_t fitting = 1;
  std::size_t too_many = draft.rows;
  while (too_many - fitting > 1) {
    const std::size_t middle = fitting + (too_many - fitting) / 2;
    answer::BeginResult tried = begin_with(middle);
    if (fits(tried)) {
      best = std::move(tried);
      fitting = middle;
    } else {
      too_many = middle;
    }
  }
  return best;
}

}  // namespace enfold::server

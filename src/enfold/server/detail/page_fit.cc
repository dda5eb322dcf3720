// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/page_fit.h"

#include "enfold/base/hash.h"

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

model::Page page_of(std::size_t rows, const PageDraft& draft, const PageOwner& owner) {
  model::Page page{.has_more = draft.more || rows < draft.rows,
                   .page_size = number(draft.size),
                   .returned = number(rows)};
  if (draft.total) page.total = number(*draft.total);
  if (draft.keys.empty()) page.offset = number(draft.offset);
  if (*page.has_more) page.cursor = cursor_after(rows, draft, owner);
  return page;
}

// The payload with its first `rows` rows. `cursor`: set for contract `none`, whose only place for
// it is the payload.
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
  constexpr std::size_t prefix = 7;  // "sha256:"; twelve digits of the hash are enough
  return sha256_name(tool + '\n' + std::string(list)).substr(prefix, 12);
}

answer::BeginResult begin_page(const json::Value& payload, const PageDraft& draft,
                               const answer::ToolContext& additions, const answer::AnswerPlan& plan,
                               const answer::ToolRequest& request, const PageOwner& owner) {
  const auto begin_with = [&](std::size_t rows) {
    answer::ToolContext more = additions;
    more.page = page_of(rows, draft, owner);
    model::Response response;
    response.payload =
        first_rows(payload, rows, draft, plan.contract ? std::nullopt : more.page->cursor);
    return answer::process_tool_response(plan, request, std::move(response), std::move(more));
  };
  const auto fits = [](const answer::BeginResult& result) {
    return std::holds_alternative<answer::ShapedAnswer>(result);
  };
  answer::BeginResult best = begin_with(draft.rows);
  if (fits(best) || draft.rows < 2) return best;
  best = begin_with(1);
  if (!fits(best)) return best;
  // Between `some`, which fits, and `many`, which does not.
  std::size_t some = 1;
  std::size_t many = draft.rows;
  while (many - some > 1) {
    const std::size_t middle = some + (many - some) / 2;
    answer::BeginResult tried = begin_with(middle);
    if (fits(tried)) {
      best = std::move(tried);
      some = middle;
    } else {
      many = middle;
    }
  }
  return best;
}

}  // namespace enfold::server

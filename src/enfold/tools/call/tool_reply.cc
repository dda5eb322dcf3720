// SPDX-License-Identifier: Apache-2.0
#include "enfold/tools/call/tool_reply.h"

#include "enfold/base/hash.h"

namespace enfold::tools {
namespace {

Result<answer::Receipt> store_original(const answer::Prepared& prepared, const CallPlan& plan,
                                       const AnswerServices& services) {
  if (!services.settings->keeps_originals) {
    return fail(ErrorCode::unsupported, "there is no archive");
  }
  ENFOLD_TRY(const store::Receipt receipt,
             services.archive->put(plan.principal, prepared.to_store(),
                                   {.tool = plan.tool.id,
                                    .arguments_hash = sha256_name(plan.arguments->raw()),
                                    .media_type = prepared.media_type},
                                   store_time(*services.host)));
  return answer::Receipt{receipt.handle, receipt.hash};
}

}  // namespace

ToolReply reply_of(answer::ShapedAnswer&& answer) {
  return {mcp::complete(std::move(answer.result)),
          answer.outcome,
          std::move(answer.code),
          answer.fidelity,
          answer.tokens,
          answer.archived_bytes};
}

ToolReply store_and_finish(answer::Prepared prepared, const CallPlan& plan,
                           const AnswerServices& services) {
  const Result<answer::Receipt> stored = store_original(prepared, plan, services);
  return reply_of(answer::finish(std::move(prepared), stored, plan));
}

ToolReply reply_with_failure(model::Response failed, const CallPlan& plan,
                             answer::Duration duration) {
  return reply_of(answer::answer_failure(std::move(failed), plan, duration));
}

}  // namespace enfold::tools

// SPDX-License-Identifier: Apache-2.0
// JSON and text without a contract.
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/generic_form.h"
#include "enfold/contract/envelopes/members.h"

namespace enfold::contract::detail {
namespace {

using model::Outcome;
using model::Response;

Result<Response> read_json(json::View document, ReadContext& context) {
  Response response;
  auto inside =
      document.is_string() ? parse_json_text(document, context.options.limits) : std::nullopt;
  response.payload = inside ? std::move(*inside) : json::Value(document);
  decide_outcome(response, ErrorFlag::none, context);
  return response;
}

void render_json(const Response& response, const RenderOptions& /*options*/, json::Writer& writer) {
  if (response.payload) {
    writer.value(*response.payload);
  } else if (response.failure) {
    writer.begin_object().member("error", response.failure->message).end_object();
  } else {
    writer.null();
  }
}

}  // namespace

void merge_outer(Reading& envelope, Reading around, bool is_error) {
  Response& response = envelope.response;
  response.blocks.insert(response.blocks.end(), around.response.blocks.begin(),
                         around.response.blocks.end());
  if (around.response.metadata) {
    response.metadata = joined_members(response.metadata, around.response.metadata);
    // A residue "metadata: null" would remove the metadata again.
    if (envelope.origin.contract == name(Id::generic)) {
      std::erase_if(envelope.origin.residue,
                    [](const json::Change& change) { return change.pointer == "/metadata"; });
    }
  }
  for (model::Warning& warning : around.response.warnings) {
    // A contradiction is reported only if the merged answer is a failure.
    const bool is_contradiction = warning.code == "CONTRADICTORY_OUTCOME";
    if (is_contradiction ? is_error || !succeeded(response) : warning.code == "SCHEMA_MISMATCH") {
      response.warnings.push_back(std::move(warning));
    }
  }
  if (!is_error || !succeeded(response)) {
    if (!around.rule.empty()) envelope.rule += ", inside an answer where " + around.rule;
    return;
  }
  response.outcome = Outcome::failed;
  response.failure = std::move(around.response.failure);
  if (response.failure)
    response.failure->read_from_data = false;  // the payload is that of the envelope
  envelope.rule = around.rule + ", against the envelope inside";
  envelope.origin.residue.clear();  // the residue is that of a success
}

const Envelope kJson{.read = read_json, .render = render_json};

}  // namespace enfold::contract::detail

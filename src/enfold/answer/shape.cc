// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/shape.h"

#include "enfold/answer/provenance.h"
#include "enfold/answer/withhold.h"
#include "enfold/base/hash.h"
#include "enfold/contract/errors/error_codes.h"
#include "enfold/model/canonical.h"
#include "enfold/model/content.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::answer {
namespace {

// Whether a JSON-RPC result has a member of a tool's answer, such as `content`.
bool holds_answer(json::View result) {
  for (const json::Member& member : result.members()) {
    if (model::is_answer_member(member.key)) return true;
  }
  return false;
}

// The MCP result whose foreign members are written beside the answer. Null: Enfold or a typed tool
// made the answer, it was not read from an MCP result, or the whole result is the payload. The
// latter holds for a JSON-RPC result without any member of a tool's answer, and for a result that
// is not complete (`resultType`).
json::View result_with_members(const ReadAnswer& answer) {
  if (answer.from != contract::Id::mcp || answer.is_made_here) return {};
  const json::View source = answer.source.view();
  const json::View result = stored_value(answer).view();  // `answer` keeps it alive
  const auto type = result.find("resultType");
  if (type && !type->equals("complete")) return {};
  return source.find("jsonrpc") && !holds_answer(result) ? json::View() : result;
}

constexpr std::string_view kRequestIdMeta = "dev.enfold/request_id";

// Whether a member of the `_meta` that was read is written again. Members that Enfold writes itself
// are not.
bool is_kept(const json::Member& member, const ReadAnswer& answer, const ShapeSettings& settings) {
  return !member.key.equals(settings.meta_not_copied) &&
         (settings.request_id_in_meta.empty() || !member.key.equals(kRequestIdMeta)) &&
         !(answer.upstream && is_enfold_meta(member.key));
}

// The `_meta` of the result that was read; null: none.
json::View foreign_meta(json::View result) {
  for (const json::Member& member : result.members()) {
    if (member.key.equals("_meta") && member.value.is_object()) return member.value;
  }
  return {};
}

// Whether write_foreign_members writes `_meta`. `meta`: foreign_meta of the result that was read.
bool writes_meta(json::View meta, const ReadAnswer& answer, const ShapeSettings& settings) {
  if (!settings.request_id_in_meta.empty() || answer.upstream) return true;
  if (!meta.is_object() || meta.size() == 0) return meta.is_object();
  return std::ranges::any_of(meta.members(), [&](const json::Member& member) {
    return is_kept(member, answer, settings);
  });
}

// Writes the foreign members into the open object of a result, then `_meta`: that of the result
// that was read, the request id, and what separate_upstream_words moved. An empty `_meta` that was
// read is written too.
void write_foreign_members(const ReadAnswer& answer, const ShapeSettings& settings,
                           json::Writer& writer) {
  json::View meta;  // as foreign_meta finds it
  for (const json::Member& member : result_with_members(answer).members()) {
    if (model::is_answer_member(member.key)) continue;
    if (member.key.equals("_meta") && member.value.is_object()) {
      if (!meta.is_object()) meta = member.value;
    } else {
      writer.key(member.key).value(member.value);
    }
  }
  if (!writes_meta(meta, answer, settings)) return;
  writer.key("_meta").begin_object();
  for (const json::Member& member : meta.members()) {
    if (is_kept(member, answer, settings)) writer.key(member.key).value(member.value);
  }
  const std::string& id = settings.request_id_in_meta;
  if (!id.empty()) writer.member(kRequestIdMeta, id);
  if (answer.upstream) writer.member(kUpstreamMeta, *answer.upstream);
  writer.end_object();
}

using contract::Id;
using contract::Reading;

contract::ReadOptions read_options(const ShapeSettings& settings, const Call& call) {
  return {.detect_envelopes = settings.detect_envelopes,
          .unwrap_results = settings.position == contract::Position::wrapped,
          .tool = call.tool,
          .limits = settings.limits};
}

// The outcome was decided before redaction; reading the redacted answer again must not change the
// outcome. `decided`: the reading before redaction, `later`: that of the redacted answer.
void keep_outcome(const Reading& decided, Reading& later) {
  later.rule = decided.rule;
  later.response.outcome = decided.response.outcome;
  if (succeeded(decided.response)) {
    later.response.failure.reset();
  } else if (!later.response.failure) {
    later.response.failure = decided.response.failure;
    later.response.failure->message = "The tool failed";  // the redacted answer has no message
  }
}

model::Warning secret_warning(std::size_t count) {
  return contract::make_warning("SECRET_REDACTED", fmt::format("{} secret{} replaced by a marker",
                                                               count, count == 1 ? "" : "s"));
}

Status redact_answer(const ShapeSettings& settings, const Call& call, ReadAnswer& answer) {
  if (!settings.redaction) return {};
  Result<redact::RedactionResult> clean = redact::redact(answer.source.view(), *settings.redaction);
  if (!clean) return tl::unexpected(clean.error());
  answer.redactions = clean->count;
  if (!clean->changed) return {};
  answer.source = clean->value;
  Result<Reading> again =
      contract::read(answer.from, answer.source.view(), read_options(settings, call));
  if (!again) return tl::unexpected(again.error());
  keep_outcome(answer.reading, *again);
  answer.reading = std::move(*again);
  answer.reading.response.warnings.push_back(secret_warning(clean->count));
  return {};
}

// Whether a response is a success that holds only a payload, and the payload holds no secrets: true
// for nearly every answer of a typed tool. A quick test, which searches the payload directly; if it
// is false, the caller redacts the JSON form of the whole response. It is always false if the
// policy exempts places, because their pointers refer to that JSON form.
bool is_clean(const model::Response& response, const redact::Policy& policy, const Call& call) {
  const bool plain =
      response.payload && !response.failure && response.warnings.empty() && !response.page &&
      !response.rate_limit && !response.telemetry && !response.reduction &&
      response.upgrade_hints.empty() && response.request_id.empty() && response.message.empty() &&
      response.blocks.empty() && !response.metadata && response.tool.capabilities.empty();
  if (!plain || !policy.allow_pointers.empty() || policy.broken_places) return false;
  if (!call.tool_is_clean && !is_clean_tool(response.tool.id, response.tool.version, policy)) {
    return false;
  }
  const Result<redact::RedactionResult> clean = redact::redact(response.payload->view(), policy);
  return clean && !clean->changed;
}

// Applies the projection of the tool that was called; the answer may name another tool.
void show_at_level(const ShapeSettings& settings, const Call& call, Reading& reading) {
  model::Response& response = reading.response;
  if (settings.projections == nullptr || !response.payload || response.failure) return;
  const std::string& tool = call.tool.empty() ? response.tool.id : call.tool;
  if (!settings.projections->has(tool)) return;
  response.level = settings.level;
  response.payload = settings.projections->project(response.payload->view(), tool, settings.level);
  reading.origin.altered = true;
}

// Adds request id and duration, unless the answer has its own.
void add_call(Call call, model::Response& response) {
  if (response.request_id.empty()) response.request_id = std::move(call.request_id);
  if (!call.duration_ms) return;
  if (!response.telemetry) response.telemetry.emplace();
  if (!response.telemetry->duration_ms) response.telemetry->duration_ms = call.duration_ms;
}

contract::ConvertOptions convert_options(const ReadAnswer& answer, const ShapeSettings& settings) {
  contract::ConvertOptions options{.extensions = settings.extensions};
  options.render.members = settings.members;
  options.render.form_of_whole = answer.whole;
  // The id is made of the hash of the answer, so that a file converts to the same bytes every time.
  // In a concise answer it is short, because few tokens are left for all that is not payload.
  if (answer.reading.response.request_id.empty() && settings.contract == Id::scalpel_v1) {
    constexpr std::size_t prefix = 7;  // "sha256:"
    const std::size_t digits = answer.reading.origin.concise ? 4 : 12;
    options.render.fallback_request_id =
        "req_" + sha256_name(answer.source->raw()).substr(prefix, digits);
  }
  return options;
}

void write_text_block(json::Writer& writer, const json::Output& envelope) {
  writer.begin_object().member("type", "text").key("text").string_holding(envelope).end_object();
}

}  // namespace

json::Value stored_value(const ReadAnswer& answer) {
  const json::View source = answer.source.view();
  const bool in_message = answer.from == contract::Id::mcp && source.find("jsonrpc");
  if (!in_message || answer.is_made_here) return answer.source;
  const auto result = source.find("result");
  return result && !result->find("jsonrpc") ? json::Value(*result) : answer.source;
}

std::vector<json::Member> foreign_members(const ReadAnswer& answer) {
  std::vector<json::Member> found;
  for (const json::Member& member : result_with_members(answer).members()) {
    if (!model::is_answer_member(member.key)) found.push_back(member);
  }
  return found;
}

bool is_clean_tool(std::string_view name, std::string_view version, const redact::Policy& policy) {
  return redact::find_secrets(name, policy).empty() &&
         redact::find_secrets(version, policy).empty();
}

Result<ReadAnswer> read_answer(const json::Document& answer, std::optional<Id> from,
                               const ShapeSettings& settings, const Call& call) {
  Result<ReadAnswer> understood =
      read_answer(answer.value(), from ? *from : contract::detect(answer.root(), settings.position),
                  settings, call);
  if (!understood) return understood;
  for (model::Warning& warning : json_warnings(answer)) {
    understood->reading.response.warnings.push_back(std::move(warning));
  }
  return understood;
}

Result<ReadAnswer> read_answer(const json::Value& answer, Id from, const ShapeSettings& settings,
                               const Call& call) {
  // Constructed in place: moving a response is slow, and every answer passes here.
  Result<ReadAnswer> understood(tl::in_place);
  understood->from = from;
  understood->source = answer;
  Result<Reading> reading = contract::read(from, answer.view(), read_options(settings, call));
  if (!reading) {
    understood = tl::unexpected(reading.error());
    return understood;
  }
  understood->reading = std::move(*reading);
  if (Status status = redact_answer(settings, call, *understood); !status) {
    understood = tl::unexpected(status.error());
    return understood;
  }
  model::Response& response = understood->reading.response;
  show_at_level(settings, call, understood->reading);
  add_call(call, response);
  return understood;
}

ReadAnswer read_text_answer(std::string_view text, const ShapeSettings& settings,
                            const Call& call) {
  ReadAnswer understood;
  understood.from = Id::text;
  const std::string clean =
      settings.redaction ? redact::redact_text(text, *settings.redaction) : std::string(text);
  understood.source = json::string_value(clean);
  understood.reading = contract::read_text(clean);
  understood.reading.response.tool.id = call.tool;
  add_call(call, understood.reading.response);
  return understood;
}

Result<ReadAnswer> read_response(const model::Response& response, std::string rule,
                                 const ShapeSettings& settings, Call call) {
  return read_response(model::Response(response), std::move(rule), settings, std::move(call));
}

Result<ReadAnswer> read_response(model::Response&& given, std::string rule,
                                 const ShapeSettings& settings, Call call) {
  Result<ReadAnswer> out(tl::in_place);
  ReadAnswer& understood = *out;
  model::Response& response = understood.reading.response;
  response = std::move(given);
  if (settings.redaction && !is_clean(response, *settings.redaction, call)) {
    // The JSON form of the model has every string of the response.
    Result<redact::RedactionResult> clean =
        redact::redact(model::to_json(response).view(), *settings.redaction);
    if (!clean) {
      out = tl::unexpected(clean.error());
      return out;
    }
    understood.redactions = clean->count;
    if (clean->changed) {
      model::Response redacted;
      if (Status status = model::overlay(redacted, clean->value.view()); !status) {
        out = tl::unexpected(status.error());
        return out;
      }
      response = std::move(redacted);
      response.warnings.push_back(secret_warning(clean->count));
    }
  }
  add_call(std::move(call), response);
  understood.reading.rule = std::move(rule);
  understood.is_made_here = true;
  if (response.payload) understood.source = *response.payload;
  return out;
}

Result<json::Output> write_envelope(const ReadAnswer& answer, const ShapeSettings& settings) {
  const contract::ConvertOptions options = convert_options(answer, settings);
  return contract::write(answer.reading, settings.contract, options);
}

Result<json::Output> write_result(const ReadAnswer& answer, const ShapeSettings& settings) {
  Result<json::Output> envelope = write_envelope(answer, settings);
  if (!envelope) return envelope;
  json::Writer writer;
  const bool in_text = settings.channels != Channels::structured;
  // Reserves room for the bytes that are copied: the whole envelope with escapes into the text
  // block, and the bytes that the envelope owns, not those that it refers to, into
  // structuredContent.
  const std::size_t escaped = in_text ? envelope->size() + envelope->size() / 4 : 0;
  constexpr std::size_t other_members = 160;
  writer.reserve(escaped + envelope->own_bytes() + other_members);
  writer.begin_object().key("content").begin_array();
  if (in_text) write_text_block(writer, *envelope);
  const bool hides_source = forbids_source(answer, settings);
  for (const json::Value& block : answer.reading.response.blocks) {
    if (!hides_source || is_archive_link(block.view())) writer.value(block);
  }
  writer.end_array();
  if (settings.channels != Channels::text) {
    writer.key("structuredContent").splice(std::move(*envelope));
  }
  writer.member("isError", !succeeded(answer.reading.response));
  if (!settings.extensions && !hides_source) {
    write_foreign_members(answer, settings, writer);
  } else if (!settings.extensions && !settings.request_id_in_meta.empty()) {
    // Members that the upstream wrote may hold source code, so only the request id is written.
    writer.key("_meta")
        .begin_object()
        .member(kRequestIdMeta, settings.request_id_in_meta)
        .end_object();
  }
  writer.end_object();
  return std::move(writer).finish();
}

bool has_foreign_meta(const ReadAnswer& answer, const ShapeSettings& settings) {
  if (forbids_source(answer, settings)) return false;
  return writes_meta(foreign_meta(result_with_members(answer)), answer, settings);
}

std::vector<model::Warning> json_warnings(const json::Document& document) {
  std::vector<model::Warning> warnings;
  const json::Oddities& odd = document.oddities();
  const auto place = [&](std::uint32_t offset) {
    return json::describe_place(document.bytes(), offset);
  };
  if (odd.duplicate_key_count != 0) {
    warnings.push_back(contract::make_warning(
        "DUPLICATE_KEYS",
        fmt::format("{} repeated member name{}, the first at {}; readers take "
                    "the last",
                    odd.duplicate_key_count, odd.duplicate_key_count == 1 ? "" : "s",
                    place(odd.duplicate_keys.front()))));
  }
  if (odd.lone_surrogate) {
    warnings.push_back(contract::make_warning(
        "LONE_SURROGATE",
        fmt::format("A string holds half of a surrogate pair at {}", place(*odd.lone_surrogate))));
  }
  if (odd.wide_object) {
    warnings.push_back(contract::make_warning(
        "WIDE_OBJECT", fmt::format("An object has a very large number of members at {}",
                                   place(*odd.wide_object))));
  }
  return warnings;
}

}  // namespace enfold::answer

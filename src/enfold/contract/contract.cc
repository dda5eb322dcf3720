// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/contract.h"

#include "enfold/base/text.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/generic_form.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/contract/errors/source_code.h"
#include "enfold/json/pointer.h"
#include "enfold/schema/schema.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::contract {
namespace {

using detail::envelope;

json::Value render_to_value(Id id, const model::Response& response,
                            const RenderOptions& options = {}) {
  json::Writer writer;
  envelope(id).render(response, options, writer);
  return std::move(writer).finish_value();
}

Result<Reading> read_envelope(Id id, json::View document, const ReadOptions& options) {
  if (!document.is_object()) {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("expected an object in {}, found {}", name(id), json::name(document.kind())),
        "", "name the contract with --from, or use --from json");
  }
  detail::ReadContext context{.options = options, .rule = {}};
  ENFOLD_TRY(model::Response response, envelope(id).read(document, context));
  detail::read_other_flags(document, response, context);
  if (response.tool.id.empty()) response.tool.id = options.tool;
  Reading reading{std::move(response),
                  {.contract = std::string(name(id)), .residue = {}},
                  std::move(context.rule),
                  json::Value(document)};

  auto* const find_slot = envelope(id).find_slot;
  const auto slot = find_slot != nullptr ? find_slot(document) : std::nullopt;
  // A slot without an extension is data of the tool, or a part of the envelope that `read` above
  // has read already.
  if (slot && detail::is_extension(*slot)) {
    ENFOLD_TRY(detail::apply_extension(*slot, reading));
  } else {
    reading.origin.residue = json::diff(render_to_value(id, reading.response).view(), document);
  }
  std::vector<model::Warning>& warnings = reading.response.warnings;
  reading.stated_warnings = warnings.size();
  std::ranges::move(context.warnings, std::back_inserter(warnings));
  detail::warn_of_violations(id, document, options.limits, reading);
  return reading;
}

// The MCP result or envelope inside {"output": …}, {"result": …} or a JSON text; n8n and others
// store results like this. nullopt: there is neither inside, or there are other members beside it.
std::optional<json::Value> wrapped_answer(json::View document, const Limits& limits) {
  constexpr int most_layers = 8;
  json::Value value(document);
  for (int layer = 0; layer < most_layers; ++layer) {
    const json::View view = value.view();
    std::optional<json::Value> inside;
    if (view.is_string()) {
      inside = detail::parse_json_text(view, limits);
    } else if (view.is_object() && view.size() == 1) {
      for (const char* key : {"output", "result"}) {
        if (const auto found = view.find(key)) inside = json::Value(*found);
      }
    }
    if (!inside) return std::nullopt;
    const Id id = detect(inside->view(), Position::wrapped);
    if (id != Id::json) return inside;
    value = std::move(*inside);
  }
  return std::nullopt;
}

// Reads an MCP result or JSON that is not wrapped (wrapped_answer), and an envelope inside it.
// Every return names the same variable, so that the response is not moved.
Result<Reading> read_unwrapped(Id id, json::View document, const ReadOptions& options) {
  detail::ReadContext context{.options = options, .rule = {}};
  Result<model::Response> response = envelope(id).read(document, context);
  Result<Reading> reading(tl::in_place);  // constructed in place: moving a response is slow
  if (!response) {
    reading = tl::unexpected(response.error());
    return reading;
  }
  reading->response = std::move(*response);
  reading->origin.contract = name(id);
  reading->rule = std::move(context.rule);
  if (reading->response.tool.id.empty()) reading->response.tool.id = options.tool;

  // An envelope in the payload is read, so that it is not written inside a second envelope. A text
  // may also hold a whole MCP result.
  const auto& payload = context.data ? context.data : reading->response.payload;
  const bool may_hold_result = options.unwrap_results && context.from_text;
  const Position position = may_hold_result ? Position::wrapped : Position::inside_result;
  const bool looks_inside = payload && options.detect_envelopes;
  const Id inner = looks_inside ? detect(payload->view(), position) : Id::json;
  if (inner == Id::json) return reading;
  Result<Reading> inside = read(inner, payload->view(), options);
  if (!inside) return reading;
  detail::merge_outer(*inside, std::move(*reading), context.is_error);
  reading = std::move(inside);
  return reading;
}

// Reads an MCP result or JSON without a contract, also if it is wrapped.
Result<Reading> read_raw(Id id, json::View document, const ReadOptions& options) {
  if (id == Id::json) {
    if (const auto inside = wrapped_answer(document, options.limits)) {
      return read(detect(inside->view(), Position::wrapped), inside->view(), options);
    }
  }
  return read_unwrapped(id, document, options);
}

// scalpel-v1 has its extension slot inside the payload, so the payload must be an object.
bool has_slot(Id id, const model::Response& response) {
  if (id == Id::scalpel_v1) return response.payload && response.payload->view().is_object();
  return id == Id::response_v2 || id == Id::generic;
}

// Whether the response has content blocks or metadata that stood outside its envelope and for which
// the contract has no members.
bool has_parts_outside_envelope(const model::Response& response, Id id) {
  return !response.blocks.empty() || (response.metadata && id != Id::generic);
}

// Whether a document is valid in contract `to`, and is a success if and only if the response is.
bool is_valid_output(Id to, json::View document, const model::Response& response) {
  if (const schema::Schema* schema = validator(to)) {
    const auto validation = schema->validate(document);
    if (!validation || !validation->valid) return false;
  }
  ReadOptions options;
  options.limits.max_bytes = kLargestDocument;
  const Result<Reading> again = read(to, document, options);
  return again && succeeded(again->response) == succeeded(response);
}

// Applies `changes` to the rendered document. If all of them together make it invalid, tries the
// first kMostTries one by one and applies only those that keep it valid.
json::Value restore_residue(Id to, const json::Value& rendered,
                            const std::vector<json::Change>& changes,
                            const model::Response& response) {
  constexpr std::size_t kMostTries = 16;  // each validates the whole document
  json::Value all = json::apply(rendered.view(), changes);
  if (is_valid_output(to, all.view(), response)) return all;
  json::Value kept = rendered;
  for (std::size_t i = 0; i < std::min(changes.size(), kMostTries); ++i) {
    json::Value more = json::apply(kept.view(), {changes[i]});
    if (is_valid_output(to, more.view(), response)) kept = std::move(more);
  }
  return kept;
}

// Whether the reader warned that the envelope breaks its contract.
bool breaks_contract(const Reading& reading) {
  const auto& warnings = reading.response.warnings;
  return std::any_of(warnings.begin() + static_cast<std::ptrdiff_t>(reading.stated_warnings),
                     warnings.end(),
                     [](const model::Warning& one) { return one.code == "CONTRACT_VIOLATION"; });
}

// The changes of the residue that may be applied to the rendered document. If the response was
// altered, or its envelope broke the contract, only changes that add members. If the response has
// warnings that its envelope did not state, no changes of the warnings: they would remove these.
std::vector<json::Change> applicable_residue(const Reading& reading, json::View rendered) {
  std::vector<json::Change> residue = reading.origin.residue;
  if (reading.response.warnings.size() != reading.stated_warnings) {
    std::erase_if(residue, [](const json::Change& change) {
      return change.pointer == "/meta/warnings" || change.pointer == "/meta/warning_details";
    });
  }
  if (!reading.origin.altered && !breaks_contract(reading)) return residue;
  std::vector<json::Change> additions;
  for (const json::Change& change : residue) {
    const auto pointer = json::Pointer::parse(change.pointer);
    if (change.before || !pointer || pointer->resolve(rendered)) continue;
    additions.push_back(change);
  }
  return additions;
}

// Whether scalpel-v1 may show a change in a failure: its pointer is a plain name (source_code.h),
// and so is its new value, unless that is an empty container, a number, a boolean or null.
bool is_plain(const json::Change& change) {
  if (!is_plain_name(change.pointer)) return false;
  if (!change.after) return true;
  const json::View after = change.after->view();
  if (after.is_container()) return after.size() == 0;
  return !after.is_string() || is_plain_name(after.string());
}

// scalpel-v1 shows no source code in a failure, neither in its members nor in the restored residue.
Reading without_source(const Reading& reading) {
  Reading shown = reading;
  withhold_source(shown.response);
  std::erase_if(shown.origin.residue, [](const json::Change& one) { return !is_plain(one); });
  return shown;
}

// Whether the schema names the member in `properties` or `required`.
bool names_member(json::View schema, std::string_view member) {
  const auto properties = schema.find("properties");
  if (properties && properties->find(member)) return true;
  const auto required = schema.find("required");
  if (!required) return false;
  for (const json::View name : required->items()) {
    if (name.equals(member)) return true;
  }
  return false;
}

Result<json::Output> write_reading(const Reading& reading, Id to, const ConvertOptions& options) {
  RenderOptions render_options = options.render;
  render_options.extension.reset();
  const bool is_same_contract = reading.origin.contract == name(to);
  // Only response-v2 has a member for the warnings of the reader.
  const bool keeps_warnings = to == Id::response_v2 || !breaks_contract(reading);
  const bool expresses_all =
      is_same_contract && keeps_warnings && !has_parts_outside_envelope(reading.response, to);
  const bool may_extend = options.extensions && !reading.origin.concise;
  if (may_extend && has_slot(to, reading.response) && !expresses_all) {
    ENFOLD_TRY(render_options.extension, detail::make_extension(to, reading, options.render));
  }
  json::Writer writer;
  // A conditional expression (?:) would copy the response for every contract.
  if (to == Id::generic) {
    envelope(to).render(detail::with_flat_shape(reading), render_options, writer);
  } else {
    envelope(to).render(reading.response, render_options, writer);
  }
  const bool restores = is_same_contract && options.render.members == Members::strict;
  if (!restores || reading.origin.residue.empty()) return std::move(writer).finish();
  const json::Value rendered = std::move(writer).finish_value();
  json::Writer out;
  out.value(restore_residue(to, rendered, applicable_residue(reading, rendered.view()),
                            reading.response));
  return std::move(out).finish();
}

constexpr std::string_view kBlanks = " \t\r\n\f\v";

}  // namespace

std::optional<Id> from_name(std::string_view name) {
  for (const Description& one : kDescriptions) {
    if (one.name == name) return one.id;
  }
  return std::nullopt;
}

std::optional<json::Value> schema(Id id) {
  const std::string_view file = describe(id).schema;
  if (file.empty()) return std::nullopt;
  const std::string wanted = std::string(file) + ".json";
  for (const EmbeddedFile& one : detail::schema_files()) {
    if (one.name == wanted) return json::parse_own(one.text);
  }
  return std::nullopt;
}

Id detect(json::View document, Position position) {
  constexpr std::array order{Id::response_v2, Id::scalpel_v1,  Id::generic,
                             Id::mcp,         Id::response_v1, Id::memory};
  if (!document.is_object()) return Id::json;
  for (const Id id : order) {
    if (position != Position::document && id == Id::memory) continue;
    if (position == Position::inside_result && id == Id::mcp) continue;
    if (envelope(id).detects(document)) return id;
  }
  return Id::json;
}

bool describes_envelope(json::View schema) {
  const auto all = [&](std::initializer_list<std::string_view> marks) {
    return std::ranges::all_of(marks,
                               [&](std::string_view mark) { return names_member(schema, mark); });
  };
  return all({"success", "data", "meta"}) || all({"tier", "tool_id", "upgrade_hints", "error"}) ||
         all({"toolName", "responseType"}) || all({"success", "schema_version", "error"});
}

Result<Reading> read(Id id, json::View document, const ReadOptions& options) {
  return is_envelope(id) ? read_envelope(id, document, options) : read_raw(id, document, options);
}

ShapeStatement shape_of(const model::Response& response) {
  detail::GenericForm form = detail::to_generic_form(response);
  return {form.shape, std::move(form.shape_reason), std::move(form.response.page),
          std::move(form.page_reason)};
}

WholeReading read_whole(const model::Response& response) { return detail::whole_of(response); }

void move_blocks_to_metadata(model::Response& response) {
  if (response.blocks.empty()) return;
  json::Writer writer;
  if (response.wrapping == model::Wrapping::content && response.payload) {
    detail::write_blocks(response, writer);
    response.payload = std::move(writer).finish_value();
    response.blocks.clear();
    return;
  }
  writer.begin_object().key("content").begin_array();
  for (const json::Value& block : response.blocks) writer.value(block);
  writer.end_array().end_object();
  response.blocks.clear();
  response.metadata = detail::joined_members(response.metadata, std::move(writer).finish_value());
}

Reading read_text(std::string_view text) {
  const ReadOptions options;
  detail::ReadContext context{.options = options, .rule = {}};
  model::Response response;
  response.payload = json::string_value(text);
  response.wrapping = model::Wrapping::text;
  detail::decide_outcome(response, detail::ErrorFlag::none, context);
  return {.response = std::move(response),
          .origin = {.contract = "text", .residue = {}},
          .rule = std::move(context.rule),
          .envelope = {}};
}

std::optional<Members> members_from_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> names{"strict", "minimal", "standard", "verbose",
                                                  "debug"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Members>(found - names.begin());
}

void render(Id id, const model::Response& response, const RenderOptions& options,
            json::Writer& writer) {
  if (id != Id::scalpel_v1 || !response.failure) {
    return envelope(id).render(response, options, writer);
  }
  model::Response shown = response;
  withhold_source(shown);
  envelope(id).render(shown, options, writer);
}

Result<json::Output> write(const Reading& reading, Id to, const ConvertOptions& options) {
  const bool hides_source = to == Id::scalpel_v1 && reading.response.failure;
  return hides_source ? write_reading(without_source(reading), to, options)
                      : write_reading(reading, to, options);
}

const schema::Schema* validator(Id id) {
  static const auto schemas = [] {
    std::map<Id, schema::Schema> compiled;
    for (const Description& one : all()) {
      const std::optional<json::Value> document = schema(one.id);
      if (document) compiled.emplace(one.id, schema::Schema::compile(*document).value());
    }
    return compiled;
  }();
  const auto found = schemas.find(id);
  return found != schemas.end() ? &found->second : nullptr;
}

std::string make_request_id(std::span<const std::uint8_t, 6> random, std::string_view prefix) {
  std::string id;
  id.reserve(prefix.size() + 1 + 2 * random.size());
  id.append(prefix).append("_").append(to_hex(random));
  return id;
}

std::string request_id_from(json::View meta) {
  for (const std::string_view key :
       {"dev.enfold/request_id", "request_id", "requestId", "correlation_id", "correlationId"}) {
    const auto member = meta.find(key);
    if (!member || !member->is_string()) continue;
    if (std::string id(trimmed(member->string(), kBlanks)); !id.empty()) return id;
  }
  return {};
}

}  // namespace enfold::contract

// SPDX-License-Identifier: Apache-2.0
#include "enfold/contract/contract.h"

#include "enfold/base/text.h"
#include "enfold/contract/envelopes/contracts.h"
#include "enfold/contract/envelopes/generic_form.h"
#include "enfold/contract/envelopes/members.h"
#include "enfold/schema/schema.h"

#include <fmt/core.h>

namespace enfold::contract {
namespace {

constexpr std::array<Description, 8> kDescriptions{{
    {Id::response_v2, "response-v2", "current", "success, data, error, meta: the default envelope",
     "", "response-v2"},
    {Id::response_v1, "response-v1", "deprecated",
     "flat envelope of the time before response-v2, behind the flag response_contract_v2", "2.0.0",
     "response-v1"},
    {Id::generic, "generic", "current",
     "toolName, responseType and what belongs to it: for workflow programs", "", "generic"},
    {Id::scalpel_v1, "scalpel-v1", "current",
     "tier, tool, capabilities, upgrade hints around an unchanged payload", "", "scalpel-v1"},
    {Id::memory, "memory", "current", "success and the payload's members at the root", "",
     "memory"},
    {Id::mcp, "mcp", "input", "an MCP tool result or JSON-RPC response without an envelope", "",
     "mcp-result"},
    {Id::json, "json", "input", "any other JSON", "", ""},
    {Id::text, "text", "input", "text that is not JSON", "", ""},
}};

const detail::Envelope& envelope(Id id) {
  using namespace detail;
  static constexpr std::array<const Envelope*, 8> table{
      &kResponseV2, &kResponseV1, &kGeneric, &kScalpelV1, &kMemory, &kMcp, &kJson, &kJson};
  return *table.at(static_cast<std::size_t>(id));
}

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
  detail::ReadContext context{options, {}};
  ENFOLD_TRY(model::Response response, envelope(id).read(document, context));
  if (response.tool.id.empty()) response.tool.id = options.tool;
  Reading reading{std::move(response),
                  {std::string(name(id)), {}},
                  std::move(context.rule),
                  json::Value(document)};

  auto* const find_slot = envelope(id).find_slot;
  const auto slot = find_slot != nullptr ? find_slot(document) : std::nullopt;
  if (slot && detail::is_extension(*slot)) {  // without `from` the member belongs to the tool
    ENFOLD_TRY(detail::apply_extension(*slot, reading));
    return reading;
  }
  reading.origin.residue = json::diff(render_to_value(id, reading.response).view(), document);
  return reading;
}

// What a wrapper without other content holds, if that is an MCP result or an envelope: n8n and
// others keep results as {"output": …} or as text.
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

// Reads an MCP result or JSON without a contract.
Result<Reading> read_raw(Id id, json::View document, const ReadOptions& options) {
  if (id == Id::json) {
    if (const auto inside = wrapped_answer(document, options.limits)) {
      return read(detect(inside->view(), Position::wrapped), inside->view(), options);
    }
  }
  detail::ReadContext context{options, {}};
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

  // A tool that already answers in an envelope is not wrapped again, nor is a result in a text.
  const auto& payload = context.data ? context.data : reading->response.payload;
  const bool any = options.unwrap_results && context.from_text;
  const Position position = any ? Position::wrapped : Position::inside_result;
  const Id inner = payload ? detect(payload->view(), position) : Id::json;
  if (inner == Id::json) return reading;
  Result<Reading> inside = read(inner, payload->view(), options);
  if (!inside) return reading;
  detail::merge_outer(*inside, std::move(*reading));
  reading = std::move(inside);
  return reading;
}

bool names(json::View schema, std::string_view member) {
  const auto properties = schema.find("properties");
  if (properties && properties->find(member)) return true;
  const auto required = schema.find("required");
  if (!required) return false;
  for (const json::View name : required->items()) {
    if (name.equals(member)) return true;
  }
  return false;
}

constexpr std::string_view kBlanks = " \t\r\n\f\v";

}  // namespace

std::span<const Description> all() { return kDescriptions; }
const Description& describe(Id id) { return kDescriptions.at(static_cast<std::size_t>(id)); }
std::string_view name(Id id) { return describe(id).name; }

bool is_envelope(Id id) { return id < Id::mcp; }

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
    return std::ranges::all_of(marks, [&](std::string_view mark) { return names(schema, mark); });
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
  detail::ReadContext context{options, {}};
  model::Response response;
  response.payload = json::string_value(text);
  response.wrapping = model::Wrapping::text;
  detail::decide_outcome(response, detail::ErrorFlag::none, context);
  return {std::move(response), {"text", {}}, std::move(context.rule), {}};
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
  envelope(id).render(response, options, writer);
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

std::string request_id_from(json::View context) {
  for (const std::string_view key :
       {"request_id", "requestId", "correlation_id", "correlationId"}) {
    const auto member = context.find(key);
    if (!member || !member->is_string()) continue;
    if (std::string id(trimmed(member->string(), kBlanks)); !id.empty()) return id;
  }
  return {};
}

}  // namespace enfold::contract

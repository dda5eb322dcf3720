// SPDX-License-Identifier: Apache-2.0
// Answers of every form that a tool may give, with budgets and settings, made from a string of
// choices: the same for properties, which draw it, and for fuzzers, which change it.
#pragma once

#include "enfold/answer/fit/prepare.h"
#include "tests/budget/payloads.h"
#include "tests/budget/typed_schema.h"

#include <cstdint>
#include <fmt/core.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace enfold::testing {

/// Says what does not hold, and does not come back when it does not.
using Claim = std::function<void(bool holds, const std::string& what)>;

/// Numbers from bytes; when these have run out, numbers that follow from all of them.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {
    for (const char c : bytes) {
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
  }
  std::size_t below(std::size_t limit) {
    if (limit <= 256 && at_ < bytes_.size()) {
      return static_cast<unsigned char>(bytes_[at_++]) % limit;
    }
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<std::size_t>((state_ >> 11U) % limit);
  }
  bool chance(std::size_t of_ten) { return below(10) < of_ten; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t state_ = 14695981039346656037U;
};

struct PipelineCase {
  std::string bytes;  ///< of the answer
  bool is_text = false;
  std::optional<model::Response> made;  ///< by a tool of our own; then there are no bytes
  std::optional<contract::Id> from = contract::Id::mcp;
  answer::FitSettings settings;
  answer::Call call{.tool = "list_items", .request_id = "req_0123456789ab"};
  bool exact = true;  ///< the tokenizer counts, it does not estimate
  std::shared_ptr<const budget::OutputSchema> schema;  ///< that `settings` points to; or null

  [[nodiscard]] Result<answer::PreparedAnswer> prepare() const {
    ENFOLD_TRY(answer::ReadAnswer understood, read());
    return answer::prepare(std::move(understood), settings);
  }
  [[nodiscard]] Result<answer::ReadAnswer> read() const {
    if (is_text) return answer::read_text_answer(bytes, settings.shape, call);
    if (made) return answer::read_response(*made, "made", settings.shape, call);
    ENFOLD_TRY(const json::Document document, json::parse(bytes));
    return answer::read_answer(document, from, settings.shape, call);
  }
};

namespace detail {

inline constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg==";

inline json::Value draw_payload(Choices& choices) {
  const auto kind = static_cast<int>(choices.below(kPayloadKinds));
  const std::size_t size = 1 + choices.below(choices.chance(1) ? 50 : 10);
  return random_payload(kind, size, choices.below(std::size_t{1} << 40U));
}

// Members that places in the tool's own result could be mistaken for.
inline json::Value with_confusing_names(const json::Value& payload, Choices& choices) {
  json::Writer writer;
  writer.begin_object();
  constexpr std::string_view names[] = {"content",           "result", "data",    "items", "text",
                                        "structuredContent", "enfold", "success", "error"};
  bool placed = false;
  for (const std::string_view name : names) {
    if (!choices.chance(4)) continue;
    writer.key(name);
    if (!placed) {
      writer.value(payload);
    } else if (choices.chance(5)) {
      writer.begin_array().integer(1).string("two").begin_object().end_object().end_array();
    } else {
      writer.begin_object().key("content").begin_array().integer(7).end_array().end_object();
    }
    placed = true;
  }
  if (!placed) writer.key("items").value(payload);
  return std::move(writer.end_object()).finish_value();
}

inline std::string long_text(Choices& choices) {
  Dice dice(choices.below(std::size_t{1} << 40U));
  switch (choices.below(4)) {
    case 0: return paragraph(dice, 2 + choices.below(40));
    case 1: return log_text(2 + choices.below(30), choices.below(1000));
    case 2: return std::string(choices.below(1200), 'y');
    default: return odd_text(dice);
  }
}

inline void draw_block(json::Writer& writer, Choices& choices) {
  writer.begin_object();
  switch (choices.below(7)) {
    case 0:
      writer.member("type", "image").member("data", kPng).member("mimeType", "image/png");
      break;
    case 1:
      writer.member("type", "audio")
          .member("data", std::string(4 * choices.below(1200), 'A'))
          .member("mimeType", "audio/wav");
      break;
    case 2:
      writer.member("type", "resource").key("resource").begin_object();
      writer.member("uri", "x:1").member("blob", std::string(4 * choices.below(200), 'A'));
      writer.end_object();
      break;
    case 3:
      writer.member("type", "resource").key("resource").begin_object();
      writer.member("uri", "x:2").member("text", long_text(choices)).end_object();
      break;
    case 4:
      writer.member("type", "resource_link").member("uri", "file:///a").member("name", "a");
      break;
    default: writer.member("type", "text").member("text", long_text(choices));
  }
  writer.end_object();
}

// Of an answer that was cut before it came here.
inline model::Reduction draw_reduction(Choices& choices) {
  model::Reduction reduction;
  reduction.level = choices.chance(7) ? model::Fidelity::partial : model::Fidelity::summary;
  for (std::size_t i = 1 + (choices.chance(2) ? choices.below(4) : 0); i > 0; --i) {
    reduction.archive.push_back({fmt::format("{:012}", choices.below(1'000'000'000'000)),
                                 "sha256:" + std::string(64, 'e')});
  }
  reduction.dropped_ids = {"/items/20..499"};
  if (choices.chance(3)) reduction.briefed = {"/items/4", "/items/7..9"};
  if (choices.chance(2)) reduction.clipped = {"/items/2/body"};
  if (choices.chance(4)) {
    reduction.facts = json::parse_own(R"({"/items":{"count":500,"values":{"status":{"ok":497}}}})");
  }
  return reduction;
}

inline json::Value in_envelope(const json::Value& payload, Choices& choices) {
  constexpr contract::Id envelopes[] = {contract::Id::response_v2, contract::Id::generic,
                                        contract::Id::scalpel_v1};
  model::Response response;
  response.payload = payload;
  response.tool.id = choices.chance(9) ? "other_tool" : long_text(choices);
  if (choices.chance(3)) response.request_id = choices.chance(5) ? "req_9" : long_text(choices);
  if (choices.chance(3)) response.message = long_text(choices);
  for (std::size_t i = choices.chance(3) ? choices.below(12) : 0; i > 0; --i) {
    response.warnings.push_back({.message = long_text(choices)});
  }
  if (choices.chance(2)) {
    response.outcome = model::Outcome::failed;
    response.failure = model::Failure{.message = long_text(choices)};
    response.failure->remediation = {long_text(choices)};
    if (choices.chance(5)) response.failure->details = payload;
    if (choices.chance(3)) response.payload.reset();
  }
  if (choices.chance(3)) response.reduction = draw_reduction(choices);
  json::Writer writer;
  contract::RenderOptions options{.fallback_request_id = "req_0"};
  contract::render(envelopes[choices.below(3)], response, options, writer);
  json::Value document = std::move(writer).finish_value();
  if (!choices.chance(3)) return document;
  // A member that nobody knows.
  const char* place = document->find("meta") ? "/meta/trace" : "/x_unknown";
  return json::apply(document.view(), {{place, std::nullopt, json::string_value("abc")}});
}

inline json::Value draw_result(Choices& choices) {
  const bool confusing = choices.chance(2);
  json::Value payload = draw_payload(choices);
  if (confusing) payload = with_confusing_names(payload, choices);
  const bool enveloped = choices.chance(3);
  const json::Value said = enveloped ? in_envelope(payload, choices) : payload;
  const std::size_t form = choices.below(6);
  const bool failed = choices.chance(1);
  json::Writer writer;
  writer.begin_object().key("content").begin_array();
  const auto text_block = [&](const std::string& text) {
    writer.begin_object().member("type", "text").member("text", text).end_object();
  };
  if (form == 0 || form == 1) {
    const bool plain = said->is_string() && form == 0;
    text_block(plain               ? said->string()
               : choices.chance(5) ? json::to_text(said.view())
                                   : json::pretty(said.view()));
  } else if (form == 2) {
    for (std::size_t i = 1 + choices.below(5); i > 0; --i) draw_block(writer, choices);
  } else if (form == 3) {
    for (std::size_t i = choices.below(4); i > 0; --i) draw_block(writer, choices);
  } else if (form == 4) {
    text_block(long_text(choices));
  }
  writer.end_array();
  if (form == 1 || form == 3 || form == 5) writer.key("structuredContent").value(said);
  if (failed || choices.chance(3)) writer.member("isError", failed);
  if (choices.chance(2)) writer.key("_meta").begin_object().member("a/b", "c").end_object();
  if (choices.chance(1)) writer.member("futureMember", long_text(choices));
  return std::move(writer.end_object()).finish_value();
}

// What a tool of our own may say beside its payload, or without one.
inline model::Response draw_made(Choices& choices) {
  model::Response made;
  made.payload = draw_payload(choices);
  if (choices.chance(2)) made.payload = with_confusing_names(*made.payload, choices);
  if (choices.chance(1)) made.payload = in_envelope(*made.payload, choices);
  if (choices.chance(2)) made.payload.reset();
  for (std::size_t i = choices.chance(6) ? choices.below(6) : 0; i > 0; --i) {
    json::Writer writer;
    draw_block(writer, choices);
    made.blocks.push_back(std::move(writer).finish_value());
  }
  if (choices.chance(3) || !made.payload) made.message = long_text(choices);
  for (std::size_t i = choices.chance(3) ? choices.below(12) : 0; i > 0; --i) {
    made.warnings.push_back({.code = "FALLBACK_USED", .message = long_text(choices)});
  }
  if (choices.chance(1)) made.outcome = model::Outcome::partial;
  if (choices.chance(2)) made.page = model::Page{.has_more = true, .total = model::Number{"900"}};
  if (choices.chance(3)) {
    made.outcome = model::Outcome::failed;
    made.failure = model::Failure{.message = std::move(made.message)};
    made.failure->remediation = {long_text(choices)};
    made.message.clear();
  }
  return made;
}

inline void draw_answer(Choices& choices, PipelineCase& drawn) {
  switch (choices.below(9)) {
    case 0:
      drawn.is_text = true;
      drawn.bytes = long_text(choices);
      return;
    case 1: {  // any JSON, sorted by what it looks like
      json::Value payload = draw_payload(choices);
      if (choices.chance(3)) payload = with_confusing_names(payload, choices);
      if (choices.chance(4)) payload = in_envelope(payload, choices);
      drawn.bytes =
          choices.chance(5) ? json::to_text(payload.view()) : json::pretty(payload.view());
      drawn.from = choices.chance(8) ? std::nullopt : std::optional(contract::Id::json);
      return;
    }
    case 2: {
      const json::Value result = draw_result(choices);
      json::Writer writer;
      writer.begin_object().member("jsonrpc", "2.0").key("id").integer(7);
      if (choices.chance(7)) {
        writer.key("result").value(result);
      } else {
        writer.key("error").begin_object().key("code").integer(-32603);
        writer.member("message", long_text(choices)).key("data").value(result).end_object();
      }
      drawn.bytes = std::move(writer.end_object()).finish().str();
      return;
    }
    case 3: drawn.made = draw_made(choices); return;
    default: drawn.bytes = json::to_text(draw_result(choices).view());
  }
}

// The schema that a typed tool declares for its payload.
inline void draw_schema(Choices& choices, PipelineCase& drawn) {
  const auto read = drawn.read();
  if (!read || !read->reading.response.payload || read->reading.response.reduction) return;
  const std::size_t seed = choices.below(std::size_t{1} << 40U);
  auto schema =
      budget::OutputSchema::compile(typed_schema_of(read->reading.response.payload->view(), seed));
  if (!schema) return;
  drawn.schema = std::make_shared<const budget::OutputSchema>(*std::move(schema));
  drawn.settings.schema = drawn.schema.get();
}

}  // namespace detail

inline PipelineCase draw_pipeline_case(Choices& choices) {
  constexpr contract::Id contracts[] = {contract::Id::response_v2, contract::Id::response_v1,
                                        contract::Id::generic, contract::Id::scalpel_v1,
                                        contract::Id::memory};
  PipelineCase drawn;
  answer::FitSettings& settings = drawn.settings;
  settings.shape.contract = choices.chance(4) ? contracts[0] : contracts[choices.below(5)];
  settings.shape.extensions = choices.chance(2);
  settings.shape.channels = static_cast<answer::Channels>(choices.below(3));
  settings.budget = {128 + choices.below(choices.chance(7) ? 160 : 900), 1'000'000, std::nullopt};
  if (choices.chance(2)) settings.budget.characters = 512 + choices.below(3000);
  if (choices.chance(1)) settings.budget.lines = 1 + choices.below(30);
  if (choices.chance(2)) settings.tokenizer = &token::cl100k_base();
  if (choices.chance(1)) {
    settings.tokenizer = token::profiles()[choices.below(7)].tokenizer;
    drawn.exact = false;
  }
  settings.media = token::profiles()[choices.below(7)].media;
  if (choices.chance(1)) settings.policy.columnar = true;
  if (choices.chance(1)) settings.policy.order_by = "-id";
  if (choices.chance(1)) settings.policy.terms = {"proxy", "emoji"};
  if (choices.chance(1)) settings.policy.drop = {"/items/*/status", "/content"};
  if (choices.chance(1)) settings.policy.partial = false;
  if (choices.chance(1)) settings.policy.summary = false;
  if (!choices.chance(8)) drawn.call.request_id.clear();
  detail::draw_answer(choices, drawn);
  if (choices.chance(3)) detail::draw_schema(choices, drawn);
  return drawn;
}

}  // namespace enfold::testing

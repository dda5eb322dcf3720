// SPDX-License-Identifier: Apache-2.0
// Draws raw MCP results as strangers' servers send them, together with what is true about them.
#pragma once

#include "tests/support/answers.h"

#include <string>
#include <vector>

namespace enfold::testing {

struct RawResult {
  json::Value result;
  bool failed = false;
};

enum class Plain { yes, maybe };
inline void write_text_block(json::Writer& writer, const std::string& text,
                             Plain plain = Plain::maybe) {
  writer.begin_object().member("type", "text").member("text", text);
  if (plain == Plain::yes) {
    writer.end_object();
    return;
  }
  if (draw_chance(2))
    writer.key("annotations")
        .begin_object()
        .key("audience")
        .begin_array()
        .string("user")
        .end_array()
        .end_object();
  if (draw_chance(1)) writer.member("name", "STDOUT");  // a member no specification knows
  writer.end_object();
}

inline void draw_block(json::Writer& writer) {
  switch (draw_below(6)) {
    case 0:
      writer.begin_object()
          .member("type", "image")
          .member("data", "iVBORw0KGgo=")
          .member("mimeType", "image/png")
          .end_object();
      return;
    case 1:
      writer.begin_object()
          .member("type", "audio")
          .member("data", "UklGRg==")
          .member("mimeType", "audio/wav")
          .end_object();
      return;
    case 2:
      writer.begin_object()
          .member("type", "resource_link")
          .member("uri", "file:///a")
          .member("name", "a")
          .end_object();
      return;
    case 3:
      writer.begin_object()
          .member("type", "resource")
          .key("resource")
          .begin_object()
          .member("uri", "x:1")
          .member("blob", "AAEC");
      writer.end_object().end_object();
      return;
    case 4:
      writer.begin_object()
          .member("type", "resource")
          .key("resource")
          .begin_object()
          .member("uri", "x:2")
          .member("text", draw_text());
      writer.end_object().end_object();
      return;
    default: write_text_block(writer, draw_text());
  }
}

/// What a tool says, and whether it calls itself failed: plain data, or an envelope of its own.
struct Said {
  json::Value value;
  bool failed = false;
};
[[nodiscard]] inline Said draw_said() {
  if (draw_chance(7)) return {draw_object(), false};
  constexpr contract::Id envelopes[] = {contract::Id::response_v2, contract::Id::generic,
                                        contract::Id::scalpel_v1};
  const contract::Id id = envelopes[static_cast<std::size_t>(draw_below(3))];
  const json::Value document = draw_document(id);
  return {document, !succeeded(contract::read(id, document.view())->response)};
}

[[nodiscard]] inline RawResult draw_result() {
  RawResult raw;
  json::Writer writer;
  writer.begin_object();
  const bool is_error = draw_chance(3);
  raw.failed = is_error;
  if (draw_chance(1)) writer.member("resultType", "complete");
  const int form = draw_below(6);
  writer.key("content").begin_array();
  std::optional<json::Value> structured;
  if (form <= 1) {
    const Said said = draw_said();
    raw.failed = raw.failed || said.failed;
    write_text_block(
        writer, draw_chance(5) ? json::to_text(said.value.view()) : json::pretty(said.value.view()),
        Plain::yes);
    if (form == 1) structured = said.value;
  } else if (form == 2) {
    for (int i = draw_below(4); i > 0; --i) draw_block(writer);
  } else if (form == 3) {
    const Said said = draw_said();
    raw.failed = raw.failed || said.failed;
    structured = said.value;
    for (int i = draw_below(3); i > 0; --i) draw_block(writer);
  } else if (form == 4) {
    write_text_block(writer, draw_text());
  } else {
    structured = draw_value();
    if (structured->view().is_null()) structured.reset();
  }
  writer.end_array();
  if (structured) writer.key("structuredContent").value(*structured);
  if (is_error || draw_chance(3)) writer.member("isError", is_error);
  if (draw_chance(2)) writer.key("_meta").begin_object().member("io.example/x", "y").end_object();
  if (draw_chance(2)) writer.key("futureMember").value(draw_value(2));
  writer.end_object();
  raw.result = std::move(writer).finish_value();
  return raw;
}

}  // namespace enfold::testing

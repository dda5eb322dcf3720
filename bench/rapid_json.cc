// SPDX-License-Identifier: Apache-2.0
// The job in RapidJSON, with the flags that untrusted input asks for: no recursion, UTF-8 checked,
// numbers read exactly.
#include "bench/contestant.h"

#include <cstdlib>

#define RAPIDJSON_SSE2
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace enfold::bench {
namespace {

namespace rj = rapidjson;

constexpr unsigned kFlags =
    rj::kParseIterativeFlag | rj::kParseValidateEncodingFlag | rj::kParseFullPrecisionFlag;

void read(rj::Document& document, std::string_view text) {
  document.Parse<kFlags>(text.data(), text.size());
  if (document.HasParseError()) std::abort();
}

}  // namespace

void with_rapid_json(Job job, std::string_view message, std::string* out) {
  rj::Document document;
  read(document, message);
  if (job == Job::parse) return;
  auto& pool = document.GetAllocator();
  rj::Document inner(&pool);
  rj::Value* payload = nullptr;
  if (job == Job::shape_text) {
    const rj::Value& text = document["content"][0]["text"];
    read(inner, {text.GetString(), text.GetStringLength()});
    payload = &inner;
  } else {
    payload = &document["structuredContent"];
  }
  rj::Value meta(rj::kObjectType);
  meta.AddMember("version", "response-v2", pool);
  rj::Value envelope(rj::kObjectType);
  envelope.AddMember("success", true, pool).AddMember("data", *payload, pool);
  envelope.AddMember("error", rj::Value(), pool).AddMember("meta", meta, pool);
  rj::Value answer(rj::kObjectType);
  answer.AddMember("content", rj::Value(rj::kArrayType), pool);
  answer.AddMember("structuredContent", envelope, pool).AddMember("isError", false, pool);
  rj::StringBuffer buffer(nullptr, message.size() + 256);
  rj::Writer<rj::StringBuffer> writer(buffer);
  answer.Accept(writer);
  if (out != nullptr) out->assign(buffer.GetString(), buffer.GetSize());
}

}  // namespace enfold::bench

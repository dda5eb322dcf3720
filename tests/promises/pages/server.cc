// SPDX-License-Identifier: Apache-2.0
// A server over stdio whose tools list records in pages, each in the form of pages that its
// arguments name. Nothing is remembered between calls: the arguments decide the whole answer. The
// tool `result` gives its argument `raw` as its result.
#include "tests/promises/pages/forms.h"

#include <iostream>

namespace {

using enfold::json::View;
using enfold::testing::page_of_form;

constexpr const char* kIdentity = R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},)"
                                  R"("serverInfo":{"name":"pages","version":"1"}})";
constexpr const char* kTools =
    R"({"tools":[{"name":"list_records","annotations":{"readOnlyHint":true},"inputSchema":)"
    R"({"type":"object","properties":{"cursor":{"type":"string"}}}},)"
    R"({"name":"result","inputSchema":{"type":"object","properties":{"cursor":{"type":"string"}}}},)"
    R"({"name":"echo","inputSchema":{"type":"object"}}]})";

std::string answer_to(View request) {
  const auto method = request.find("method");
  if (!method || method->equals("initialize")) return kIdentity;
  if (method->equals("tools/list")) return kTools;
  if (!method->equals("tools/call")) return "{}";
  const View arguments = *request.find("params")->find("arguments");
  const auto raw = arguments.find("raw");
  if (raw) return raw->string();
  const std::string text =
      arguments.find("form") ? page_of_form(arguments) : enfold::json::to_text(arguments);
  enfold::json::Writer writer;
  writer.begin_object().key("content").begin_array().begin_object().member("type", "text");
  writer.member("text", text).end_object().end_array().end_object();
  return std::move(writer).finish().str();
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = enfold::json::parse(line);
    if (!request) return 4;
    const auto id = request->root().find("id");
    if (!id) continue;
    std::cout << R"({"jsonrpc":"2.0","id":)" << id->raw() << R"(,"result":)"
              << answer_to(request->root()) << "}\n"
              << std::flush;
  }
}

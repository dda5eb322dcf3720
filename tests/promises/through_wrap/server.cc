// SPDX-License-Identifier: Apache-2.0
// A server over stdio whose one tool gives the results of a file, byte for byte:
//   server FILE       line N of FILE (from 0) is the result of the call with the argument {"n": N}
#include "enfold/json/document.h"

#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using enfold::json::View;

constexpr const char* kIdentity = R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{}},)"
                                  R"("serverInfo":{"name":"strange","version":"1"}})";
constexpr const char* kTools = R"({"tools":[{"name":"strange","inputSchema":{"type":"object"}}]})";

std::vector<std::string> lines_of(const char* file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string answer_to(View request, const std::vector<std::string>& results) {
  const auto method = request.find("method");
  if (method && method->string() == "initialize") return kIdentity;
  if (method && method->string() == "tools/list") return kTools;
  if (!method || method->string() != "tools/call") return "{}";
  const std::string n(request.find("params")->find("arguments")->find("n")->raw());
  return results.at(std::stoul(n));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 5;
  const std::vector<std::string> results = lines_of(argv[1]);
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = enfold::json::parse(line);
    if (!request) return 4;
    const auto id = request->root().find("id");
    if (!id) continue;
    std::cout << R"({"jsonrpc":"2.0","id":)" << id->raw() << R"(,"result":)"
              << answer_to(request->root(), results) << "}\n"
              << std::flush;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Reads a tool's answer from standard input and prints it in response-v2.
#include "enfold/answer/shape.h"

#include <cstdio>
#include <iostream>
#include <iterator>

int main() {
  const std::string bytes(std::istreambuf_iterator<char>(std::cin), {});
  const auto document = enfold::json::parse(bytes);
  if (!document) {
    std::fprintf(stderr, "%s at %s\n", document.error().message.c_str(),
                 document.error().where.c_str());
    return 1;
  }
  const enfold::answer::ShapeSettings settings{.contract = enfold::contract::Id::response_v2};
  const auto answer = enfold::answer::read_answer(*document, std::nullopt, settings, {});
  if (!answer) return 1;
  std::cout << enfold::answer::write_envelope(*answer, settings)->str() << '\n';
}

// SPDX-License-Identifier: Apache-2.0
// What somebody else's program looks like: parse, look, print the numbers as they stood.
#include "enfold/json/document.h"

#include <iostream>

int main() {
  const auto document = enfold::json::parse(R"({"done": 1.0, "total": 18446744073709551616})");
  if (!document) {
    std::cerr << document.error().message << '\n';
    return 1;
  }
  const auto root = document->root();
  const auto done = root.find("done");
  const auto total = root.find("total");
  if (!done || !total) return 1;
  std::cout << done->raw() << " of " << total->raw() << '\n';
}

// SPDX-License-Identifier: Apache-2.0
// store_putter PLACE SEED [COUNT]: puts one answer after the other and prints each handle once it
// has its receipt, until it is killed or its store is, or there are COUNT.
#include "tests/store/putter.h"

#include "enfold/store/archive.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int count, char** words) {
  if (count != 3 && count != 4) return 5;
  const int most = count == 4 ? std::atoi(words[3]) : INT_MAX;
  auto archive = enfold::store::open_archive(words[1]);
  if (!archive) {
    std::fprintf(stderr, "error: %s\n", archive.error().message.c_str());
    return 1;
  }
  for (int i = 0; i < most; ++i) {
    const std::string bytes = enfold::store::testing::content_of(std::atoi(words[2]), i);
    const auto receipt = (*archive)->put("ann", bytes, {}, enfold::store::Time());
    if (!receipt) {
      std::fprintf(stderr, "error: %s\n", receipt.error().message.c_str());
      return 1;
    }
    std::printf("%s\n", receipt->handle.c_str());
    std::fflush(stdout);
  }
}

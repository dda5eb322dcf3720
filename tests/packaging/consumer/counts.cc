// SPDX-License-Identifier: Apache-2.0
// A server that serves nothing: what the program was linked with decides how it counts.
#include "enfold/server/run.h"
#include "enfold/token/tokenizer.h"

#include <iostream>

int main(int argc, char** argv) {
  std::cout << enfold::token::o200k_base().name() << '\n';
  enfold::server::Server server("counts", "1.0.0");
  server.settings().budget = {.tokens = 4'000};
  return argc > 1 ? enfold::server::run(server, argc, argv) : 0;
}

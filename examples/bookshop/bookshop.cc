// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/run.h"
#include "shop.h"

int main(int argc, char** argv) {
  Shop shop;
  return server::run(make_server(shop), argc, argv);
}

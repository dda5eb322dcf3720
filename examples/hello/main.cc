// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/run.h"

using namespace enfold;

struct Greet {
  std::string name;
  static constexpr auto fields() {
    return server::fields(server::field<&Greet::name>().describe("Whom to greet"));
  }
};
struct Greeting {
  std::string greeting;
  static constexpr auto fields() { return server::fields<&Greeting::greeting>(); }
};

Greeting greet(const Greet& asked) { return {"Hello, " + asked.name + "!"}; }

int main(int argc, char** argv) {
  server::Server hello("hello", "1.0.0");
  hello.tool("greet", "Greets somebody by name", greet).read_only();
  return server::run(hello, argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/run.h"

using namespace enfold;

struct Greet {
  std::string name;
  static constexpr auto arguments() {
    return server::arguments(server::argument("name", &Greet::name).describe("Whom to greet"));
  }
};
struct Greeting {
  std::string text;
  static constexpr auto fields() {
    return level::fields(level::field("greeting", &Greeting::text, level::Level::minimal));
  }
};

Greeting greet(const Greet& asked) { return {"Hello, " + asked.name + "!"}; }

int main(int argc, char** argv) {
  server::Server hello("hello", "1.0.0");
  hello.tool("greet", "Greets somebody by name", greet).read_only();
  return server::run(hello, argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
// expect: a form is a struct with fields() that are text, numbers, booleans or enums
// names: Form, &Form::names, std::vector<
#include "enfold/server/server.h"

using namespace enfold;

struct Form {
  std::vector<std::string> names;
  static constexpr auto fields() { return server::fields<&Form::names>(); }
};

bool ask(const server::Call& call) { return call.elicit<Form>("Who?", "who").is_accepted(); }

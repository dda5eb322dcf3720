// SPDX-License-Identifier: Apache-2.0
// The verbs. Each function declares the options of a verb and returns the code that runs it;
// main.cc has the table of verbs.
#pragma once

#include "cli/input/arguments.h"

namespace enfold::cli {

[[nodiscard]] Run set_up_contracts(Arguments& arguments);
[[nodiscard]] Run set_up_schema(Arguments& arguments);
[[nodiscard]] Run set_up_validate(Arguments& arguments);
[[nodiscard]] Run set_up_convert(Arguments& arguments);
[[nodiscard]] Run set_up_parse(Arguments& arguments);
[[nodiscard]] Run set_up_explain(Arguments& arguments);
[[nodiscard]] Run set_up_tokens(Arguments& arguments);
[[nodiscard]] Run set_up_fit(Arguments& arguments);
[[nodiscard]] Run set_up_fetch(Arguments& arguments);
[[nodiscard]] Run set_up_query(Arguments& arguments);
[[nodiscard]] Run set_up_diff(Arguments& arguments);
[[nodiscard]] Run set_up_archive(Arguments& arguments);
[[nodiscard]] Run set_up_tools(Arguments& arguments);
[[nodiscard]] Run set_up_call(Arguments& arguments);
[[nodiscard]] Run set_up_check(Arguments& arguments);
[[nodiscard]] Run set_up_wrap(Arguments& arguments);
[[nodiscard]] Run set_up_serve(Arguments& arguments);
[[nodiscard]] Run set_up_import(Arguments& arguments);
[[nodiscard]] Run set_up_doctor(Arguments& arguments);
[[nodiscard]] Run set_up_generate(Arguments& arguments);
[[nodiscard]] Run set_up_top(Arguments& arguments);

}  // namespace enfold::cli

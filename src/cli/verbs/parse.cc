// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/convert.h"
#include "cli/verbs/verbs.h"

namespace enfold::cli {
namespace {

// `enfold parse`: redacts, then converts to `generic` like contract::parse_any. The user may name
// the tool, and data without a contract may report a failure at its root.
void declare_parse_options(Arguments& arguments, ConvertOptions& options) {
  options.to = "generic";
  options.only_generic = true;
  accept_input(arguments, options.input);
  accept_redaction(arguments, options.input);
  declare_output_options(arguments, options);
  arguments.footer(
      "The result depends only on the input; no model is used. The rules are in\n"
      "docs/reference/contracts/generic.md. The verb in the name of --tool helps to distinguish\n"
      "lists, actions and single objects.\n\n"
      "Examples:\n"
      "  enfold parse --tool discord_list_channels answer.json\n"
      "  my-tool | enfold parse --from text --tool send_message");
}

}  // namespace

Run set_up_parse(Arguments& arguments) {
  return set_up(arguments, declare_parse_options, run_convert);
}

}  // namespace enfold::cli

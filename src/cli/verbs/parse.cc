// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/convert.h"
#include "cli/verbs/verbs.h"

namespace enfold::cli {
namespace {

// contract::parse_any inside the pipeline, which redacts first: converting to `generic` with the
// caller's word for the tool, where the root may say failure.
void accept_parse(Arguments& arguments, ConvertOptions& options) {
  options.to = "generic";
  options.honour_root_failure = true;
  accept_input(arguments, options.input);
  accept_redaction(arguments, options.input);
  accept_output(arguments, options);
  arguments.footer(
      "The result depends only on the input; no model is used. The rules are in\n"
      "docs/reference/contracts/generic.md. The verb in the name of --tool helps to distinguish\n"
      "lists, actions and single objects.\n\n"
      "Examples:\n"
      "  enfold parse --tool discord_list_channels answer.json\n"
      "  my-tool | enfold parse --from text --tool send_message");
}

}  // namespace

Run set_up_parse(Arguments& arguments) { return set_up(arguments, accept_parse, run_convert); }

}  // namespace enfold::cli

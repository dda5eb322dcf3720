// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/run.h"
#include "fixtures.h"

int main(int argc, char** argv) {
  using namespace enfold;
  server::Settings settings;
  settings.contract = "none";
  settings.local_tools = false;
  server::Server fixtures("enfold-conformance", "1.0.0", std::move(settings));
  fixtures.title = "Conformance fixtures";
  fixtures.instructions = "Everything that the official conformance suite asks for.";
  conformance::add_content_tools(fixtures);
  conformance::add_session_tools(fixtures);
  conformance::add_input_tools(fixtures);
  conformance::add_task_tools(fixtures);
  conformance::add_resources(fixtures);
  conformance::add_prompts(fixtures);
  return server::run(fixtures, argc, argv);
}

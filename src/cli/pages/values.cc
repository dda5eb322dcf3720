// SPDX-License-Identifier: Apache-2.0
#include "cli/pages/pages.h"
#include "enfold/contract/contract.h"
#include "enfold/gateway/clients/formats.h"
#include "enfold/token/profile.h"

#include <algorithm>

namespace enfold::cli {
namespace {

using Names = std::vector<std::string>;

Names contract_names() {
  Names out;
  for (const contract::Description& one : contract::all()) out.emplace_back(one.name);
  return out;
}

Names profile_names() {
  Names out;
  for (const token::Profile& one : token::profiles()) out.emplace_back(one.name);
  return out;
}

// The names of clients that have settings files.
Names settings_names() {
  Names out;
  for (const gateway::ClientFormat& one : gateway::client_formats()) {
    if (!one.places.empty()) out.emplace_back(one.name);
  }
  return out;
}

// The known values of an option or argument; empty: any text.
Names values_of(const std::string& verb, const std::string& option) {
  if (option == "--to" || option == "--from" || option == "--contract") return contract_names();
  if (verb == "schema" && option == "NAME") return contract_names();
  if (verb == "import" && option == "SOURCE") return settings_names();
  if (option == "--client") return profile_names();
  if (option == "--protocol") return {"auto", "stateless", "sessions"};
  if (option == "--level") return {"minimal", "standard", "full"};
  if (option == "--members") return {"strict", "minimal", "standard", "verbose", "debug"};
  return {};
}

}  // namespace

void add_known_values(ProgramPage& program) {
  for (VerbPage& verb : program.verbs) {
    for (OptionPage& option : verb.options) {
      option.values = values_of(verb.name, option.names.back());
    }
    for (OptionPage& argument : verb.arguments) {
      argument.values = values_of(verb.name, argument.names.back());
    }
  }
}

std::string short_help(const OptionPage& option) {
  std::string out = option.help;
  std::ranges::replace(out, '\n', ' ');
  const std::size_t end = out.find_first_of(".;");
  // A dot inside a name or a number does not end the sentence.
  if (end != std::string::npos && (end + 1 == out.size() || out[end + 1] == ' ')) out.resize(end);
  return out;
}

bool takes_file(const OptionPage& option) {
  const std::string& type = option.type.empty() ? option.names.back() : option.type;
  return type == "FILE" || type == "PLACE" || type == "PATH" || type == "SOURCE" || type == "A" ||
         type == "B" || type == "FOLDER";
}

}  // namespace enfold::cli

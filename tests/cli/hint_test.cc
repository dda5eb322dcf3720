// SPDX-License-Identifier: Apache-2.0
// A hint is of use only if what it names can be typed: every option in one belongs to the verb that
// gave it, or to the command that the hint spells out.
#include "tests/cli/program.h"

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>

namespace enfold::cli {
namespace {

class Hint : public ProgramTest {
 protected:
  [[nodiscard]] const std::string& help(const std::string& verb) {
    std::string& page = pages_[verb];
    if (page.empty()) page = enfold({verb, "--help"}).out;
    return page;
  }

  /// Options that a hint names, each with the verb it is meant for.
  static std::vector<std::pair<std::string, std::string>> named(const std::string& hint,
                                                                const std::string& own) {
    static const std::regex word("enfold ([a-z]+)|`|(--[a-z][a-z-]*)");
    std::vector<std::pair<std::string, std::string>> found;
    std::string verb = own;
    for (std::sregex_iterator at(hint.begin(), hint.end(), word); at != std::sregex_iterator();
         ++at) {
      if ((*at)[1].matched) {
        verb = (*at)[1];
      } else if ((*at)[2].matched) {
        found.emplace_back(verb, (*at)[2]);
      } else {
        verb = own;
      }
    }
    return found;
  }

  std::size_t options_named_by(const std::vector<std::string>& arguments,
                               const std::string& input = {}) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    const Ended ended = enfold(arguments, input);
    EXPECT_NE(ended.exit_code, 0);
    std::size_t count = 0;
    std::istringstream lines(ended.err);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("hint: ")) continue;
      for (const auto& [verb, option] : named(line, arguments.front())) {
        ++count;
        EXPECT_THAT(help(verb), ::testing::ContainsRegex("(^|[ ,])" + option + "[ ,:=\n]"))
            << line << "\nnames an option that " << verb << " does not have";
      }
    }
    return count;
  }

 private:
  std::map<std::string, std::string> pages_;
};

TEST_F(Hint, about_an_input_names_options_of_its_verb) {
  const std::vector<std::vector<std::string>> verbs{
      {"validate"}, {"convert", "--to", "memory"}, {"parse"},
      {"explain"},  {"fit", "--budget", "500"},
  };
  const std::string inputs[] = {"Done, 3 rows written", "{\"a\":1}\n{\"a\":2}\n", "",
                                std::string("a\0b", 3), "{\"a\": [1, 2"};
  std::size_t named = 0;
  for (const std::vector<std::string>& verb : verbs) {
    for (const std::string& input : inputs) named += options_named_by(verb, input);
    std::vector<std::string> small = verb;
    small.insert(small.end(), {"--max-bytes", "3"});
    named += options_named_by(small, "[1, 2, 3]");
  }
  named += options_named_by({"tokens", "--max-bytes", "3"}, "four");
  EXPECT_GE(named, 14U) << "the inputs no longer lead to hints";
}

TEST_F(Hint, about_what_was_left_out_names_options_that_exist) {
  std::size_t named = 0;
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"serve"},
           {"serve", "--check"},
           {"wrap"},
           {"call"},
           {"tools"},
           {"check"},
           {"convert"},
           {"fit"},
           {"fetch"},
           {"fetch", "123456789012"},
           {"call", "x", "--header", "A", "--url", "http://127.0.0.1:1/mcp"},
           {"call", "x", "{", "--", "server"},
           {"convert", "--to", "memory", "--report", "-"},
       }) {
    named += options_named_by(arguments);
  }
  EXPECT_GE(named, 10U);
}

}  // namespace
}  // namespace enfold::cli

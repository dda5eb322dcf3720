// SPDX-License-Identifier: Apache-2.0
// Any text as the forms that the fitter recognises: tables have a line for each record, the lines
// are in the text and in order, and points in time come back as they were written.
#include "enfold/budget/survey/moment.h"
#include "enfold/budget/text/code.h"
#include "enfold/budget/text/form.h"
#include "enfold/budget/text/listing.h"
#include "enfold/contract/contract.h"
#include "enfold/contract/legacy/flags.h"
#include "enfold/contract/negotiation/negotiation.h"
#include "enfold/level/types.h"
#include "fuzz/check.h"

#include <algorithm>

namespace enfold::fuzz {
namespace {

namespace text = budget::text;

void check_form(std::string_view input, text::GroupedDigits grouped) {
  const text::FormReading read = text::read_form(input, grouped);
  const auto lines = static_cast<std::size_t>(std::ranges::count(input, '\n')) + 1;
  for (const text::TextTable& table : read.tables) {
    require(table.records->is_array() && table.records->size() == table.lines.size(),
            "a table has a line for each record", input);
    require(std::ranges::is_sorted(table.lines), "records are in order", input);
    for (const std::uint32_t line : table.lines)
      require(line >= 1 && line <= lines, "a record is on a line", input);
  }
  if (read.document) require(json::parse(input).has_value(), "a document is the whole text", input);
}

void check_code(std::string_view input) {
  for (const auto comments : {text::Comments::hash, text::Comments::slash, text::Comments::dash}) {
    text::CodeReader reader(comments);
    for (std::string_view rest = input; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const text::CodeLine read = reader.read(line);
      require(read.code.size() <= line.size() && read.indent <= line.size(), "within", input);
      (void)text::definition_of(read.code);
    }
  }
}

void check_times(std::string_view input) {
  (void)budget::detail::read_moment(input);
  (void)level::read_date(input);
  if (const auto instant = level::read_instant(input)) {
    const auto again = level::read_instant(level::write_instant(*instant));
    require(again && *again == *instant, "an instant comes back", input);
  }
  if (const auto seconds = contract::parse_time(input))
    require(contract::parse_time(contract::format_time(*seconds)) == seconds, "a time comes back",
            input);
  (void)contract::parse_version_name(input);
}

void check(std::string_view input) {
  check_times(input);
  if (utf8::first_invalid(input)) return;
  check_form(input, text::GroupedDigits::texts);
  check_form(input, text::GroupedDigits::numbers);
  check_code(input);
  const text::Sample sample = text::sample_of(input);
  if (text::is_listing(sample)) {
    const text::Listing listing = text::read_listing(input);
    require(text::records_of(listing)->size() == listing.files.size(), "a record each", input);
  }
  (void)contract::read_text(input);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}

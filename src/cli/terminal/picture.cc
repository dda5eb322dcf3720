// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/picture.h"

#include "enfold/gateway/admin/http/assets.h"

#include <fstream>

namespace enfold::cli {
namespace {

constexpr std::string_view kTemplate = "picture.html";
constexpr std::string_view kPlaceholder = "<!--ENFOLD_VIEW-->";

// The view as JSON. < is escaped, so that no text of an answer ends the script element that the
// JSON is put into. The page also expects two members that the dashboard sets: `row`, the answer's
// row in its list, null for a file; `given`, whether a client got the answer as shown: here none
// did.
std::string json_for_html(const answer::View& view) {
  json::Writer writer;
  writer.begin_object().key("row").null().member("given", false).member("has_original", true);
  answer::write_view(writer, view);
  writer.end_object();
  std::string out;
  for (const char c : std::move(writer).finish().str()) {
    c == '<' ? out += "\\u003c" : out += c;
  }
  return out;
}

}  // namespace

Status write_picture(const std::string& file, const answer::View& view, Terminal& terminal) {
  std::string page = gateway::web_file(kTemplate).value_or("");
  const std::size_t place = page.find(kPlaceholder);
  if (place == std::string::npos) {
    return fail(ErrorCode::unsupported, "this program was built without the web page", "--html",
                "build it with the CMake option ENFOLD_WEB=ON");
  }
  page.replace(
      place, kPlaceholder.size(),
      "<script type=\"application/json\" id=\"view\">" + json_for_html(view) + "</script>");
  if (file == "-") {
    terminal.out(page);
    return {};
  }
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << page;
  out.close();
  if (out) return {};
  return fail(ErrorCode::invalid_input, "the picture could not be written", file,
              "choose a file in an existing folder");
}

}  // namespace enfold::cli

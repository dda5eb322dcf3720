// SPDX-License-Identifier: Apache-2.0
// `--html`: the picture of one answer, before and after, in one file.
#include "enfold/json/document.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"
#include "tests/cli/program.h"

#include <fmt/format.h>

namespace enfold::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Picture : public ProgramTest {
 protected:
  // A program without the web page has no template.
  void SetUp() override {
    constexpr int unsupported = 3;
    if (enfold({"explain", "--html", "-"}, "{}").exit_code == unsupported) {
      GTEST_SKIP() << "built with ENFOLD_WEB=OFF";
    }
  }
  static std::string rows(int count) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      list += fmt::format(R"({}{{"id":{},"text":"</script> number {}"}})", i == 0 ? "" : ",", i, i);
    }
    return fmt::format(R"({{"rows":[{}]}})", list);
  }
  /// The view in a page.
  static json::Value view_in(const std::string& page) {
    const std::string head = "<script type=\"application/json\" id=\"view\">";
    const std::size_t begin = page.find(head) + head.size();
    const std::size_t end = page.find("</script>", begin);
    const auto view = json::parse(std::string_view(page).substr(begin, end - begin));
    EXPECT_TRUE(view) << page.substr(begin, 200);
    return view ? view->value() : json::Value();
  }
  static std::string at(const json::Value& value, const std::string& pointer) {
    const auto found = json::Pointer::parse(pointer)->resolve(value.view());
    return found ? json::to_text(*found) : "(none)";
  }
};

TEST_F(Picture, of_a_fit_has_the_numbers_of_its_explanation) {
  write("answer.json", rows(300));
  const Ended told = enfold({"fit", "--budget", "500", "--explain", "--json", "answer.json"});
  const json::Value want = json::parse_own(told.out);
  EXPECT_THAT(enfold({"fit", "--budget", "500", "--explain", "--html", "out.html", "answer.json"}),
              ends(0, "", ""));
  const std::string page = read("out.html");
  EXPECT_THAT(page, Not(HasSubstr("<!--ENFOLD_VIEW-->")));
  const json::Value view = view_in(page);
  EXPECT_EQ(at(view, "/after/size"), at(want, "/shown"));
  EXPECT_EQ(at(view, "/whole"), at(want, "/whole"));
  EXPECT_EQ(at(view, "/handle"), at(want, "/handle"));
  EXPECT_EQ(at(view, "/row"), "null");
}

TEST_F(Picture, of_an_answer_shows_it_whole_beside_its_envelope) {
  const std::string answer = rows(3);
  const Ended ended = enfold({"explain", "--html", "-"}, answer);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  const json::Value view = view_in(ended.out);
  EXPECT_EQ(view->find("before")->find("text")->string(), answer);
  EXPECT_EQ(at(view, "/fits"), "true");
  EXPECT_EQ(at(view, "/after/payload"), R"("/data")");
}

TEST_F(Picture, is_of_one_answer_and_its_explanation) {
  EXPECT_THAT(enfold({"fit", "--budget", "500", "--html", "out.html"}, "{}"),
              ends(5, "", HasSubstr("expected --explain with --html")));
  EXPECT_THAT(enfold({"explain", "--html", "out.html", "a.json", "b.json"}),
              ends(5, "", HasSubstr("expected one answer with --html")));
  EXPECT_THAT(enfold({"explain", "--html", "no/such/folder/out.html"}, "{}"),
              ends(4, "", HasSubstr("the picture could not be written")));
}

}  // namespace
}  // namespace enfold::cli

// SPDX-License-Identifier: Apache-2.0
// The recorded answers of public servers, said again by an upstream: what each client's model gets
// of them, by whichever channel it reads, and the way back to every byte.
#include "enfold/base/text.h"
#include "enfold/schema/schema.h"
#include "enfold/store/stores.h"
#include "enfold/token/profile.h"
#include "tests/gateway/meeting.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace enfold::gateway {
namespace {

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::filesystem::path in_source(const std::string& path) {
  return std::filesystem::path(ENFOLD_SOURCE_DIR) / path;
}

struct Sample {
  std::string name;
  std::string result;  ///< on one line
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> out;
    for (const auto& file :
         std::filesystem::directory_iterator(in_source("tests/golden/samples"))) {
      if (file.path().extension() != ".json") continue;
      const auto parsed = json::parse(std::string_view(read_file(file.path())));
      const auto result = parsed ? parsed->root().find("result") : std::nullopt;
      if (result) out.push_back({file.path().stem(), json::to_text(*result)});
    }
    std::sort(out.begin(), out.end(),
              [](const Sample& a, const Sample& b) { return a.name < b.name; });
    return out;
  }();
  return all;
}

schema::Schema contract_schema() {
  const auto text = read_file(in_source("schema/response-v2.json"));
  return *schema::Schema::compile(json::parse(std::string_view(text))->value());
}

/// What `tools/list` says about the answers of a tool; nothing to who gets only text.
std::optional<schema::Schema> announced_schema(Meeting& meeting, std::string_view tool) {
  const json::Value list = meeting.ask("tools/list", "{}");
  for (const json::View one : list->find("tools")->items()) {
    if (!one.find("name")->equals(tool)) continue;
    const auto schema = one.find("outputSchema");
    if (!schema) return std::nullopt;
    return *schema::Schema::compile(json::Value(*schema));
  }
  ADD_FAILURE() << "no tool " << tool;
  return std::nullopt;
}

bool is_error(const json::Value& result) {
  const auto failed = result->find("isError");
  return failed && failed->boolean();
}

std::string text_of(json::View block) { return block.find("text")->string(); }

/// What an envelope has to carry of a success; nullopt: blocks of several kinds.
std::optional<json::Value> payload_of(const json::Value& sent) {
  if (const auto structured = sent->find("structuredContent")) return json::Value(*structured);
  const auto content = sent->find("content");
  if (!content || content->size() != 1) return std::nullopt;
  const json::View block = *content->item(0);
  if (!block.find("type")->equals("text") || block.size() != 2) return std::nullopt;
  const auto said = json::parse(std::string_view(text_of(block)));
  if (said && said->root().is_object()) return said->value();
  return json::parse_own(fmt::format(R"({{"text":{}}})", json::quote(text_of(block))));
}

void expect_complete(const json::Value& sent, json::View envelope) {
  if (is_error(sent)) {
    EXPECT_FALSE(envelope.find("success")->boolean());
    EXPECT_EQ(envelope.find("error")->string(), text_of(*sent->find("content")->item(0)));
    return;
  }
  EXPECT_TRUE(envelope.find("success")->boolean());
  const json::View data = *envelope.find("data");
  if (const auto payload = payload_of(sent)) {
    EXPECT_TRUE(json::equal(data, payload->view())) << json::to_text(data).substr(0, 300);
  } else {
    EXPECT_EQ(data.find("content")->size(), sent->find("content")->size());
  }
}

/// Texts that a model reads when it gets all blocks.
std::string all_text(const json::Value& result) {
  std::string all;
  for (const json::View block : result->find("content")->items()) {
    if (const auto text = block.find("text")) all += text->string();
    const auto resource = block.find("resource");
    const auto text = resource ? resource->find("text") : std::nullopt;
    if (text) all += text->string();
  }
  return all;
}

struct Limits {
  const token::Profile& profile;
  std::size_t tokens;
};

void expect_within(const std::string& view, const Limits& limits) {
  EXPECT_LE(limits.profile.tokenizer->count(view), limits.tokens);
  EXPECT_LE(token::length_in(limits.profile.unit, view), limits.profile.max_characters);
  if (!limits.profile.max_lines) return;
  EXPECT_LE(static_cast<std::size_t>(std::count(view.begin(), view.end(), '\n')),
            *limits.profile.max_lines);
}

struct Client {
  std::string name;     ///< as it introduces itself
  std::string profile;  ///< that it should get
};

class RecordedAnswers : public ::testing::TestWithParam<Client> {};

INSTANTIATE_TEST_SUITE_P(
    Clients, RecordedAnswers,
    ::testing::Values(Client{"claude-code", "claude-code"}, Client{"claude-ai", "claude"},
                      Client{"opencode", "opencode"}, Client{"gemini-cli-mcp-client", "gemini"},
                      Client{"codex-mcp-client", "codex"}, Client{"openai-mcp", "openai"},
                      Client{"github-copilot-developer", "copilot"},
                      Client{"Visual Studio Code", "vscode"}, Client{"cursor-vscode", "cursor"},
                      Client{"mcp", "sdk"}, Client{"sdk-driver", "generic"}),
    [](const auto& one) {
      std::string name = one.param.name;
      std::replace(name.begin(), name.end(), '-', '_');
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

TEST_P(RecordedAnswers, are_valid_complete_and_within_the_limits_of_the_client_in_every_view) {
  const token::Profile& profile = **token::find_profile(GetParam().profile);
  std::size_t cut = 0;
  std::size_t whole = 0;
  for (const std::optional<std::size_t> budget : {std::optional<std::size_t>(), {400}}) {
    Settings settings = in_front_of(upstream());
    settings.answers.redaction = std::nullopt;
    settings.answers.archive = store::memory_archive();
    if (budget) settings.answers.budget = budget::Budget{.tokens = *budget};
    Meeting meeting(std::move(settings), "{}", false, GetParam().name);
    const schema::Schema contract = contract_schema();
    const std::optional<schema::Schema> announced = announced_schema(meeting, "result");
    EXPECT_EQ(announced.has_value(), profile.reads != token::ResultPart::both);
    ASSERT_GT(samples().size(), 50U);
    const Limits limits{profile, budget.value_or(profile.max_tokens)};
    for (const Sample& sample : samples()) {
      SCOPED_TRACE(sample.name);
      meeting.heard.clear();
      const json::Value result = meeting.result(sample.result);
      const json::Value sent = json::parse_own(sample.result);
      if (!result->find("content")) {
        EXPECT_NE(at(result, "/resultType"), "(none)");
        continue;
      }
      EXPECT_EQ(is_error(result), is_error(sent));
      // Text only, with the blocks beside it.
      const json::Value said = json::parse_own(text_of(*result->find("content")->item(0)));
      EXPECT_TRUE(*contract.accepts(said.view()));
      expect_within(all_text(result), limits);
      // Structured content only, and both: the same is said twice. Who would read it twice gets
      // one.
      const auto structured = result->find("structuredContent");
      ASSERT_EQ(structured.has_value(), announced.has_value());
      if (structured) {
        EXPECT_TRUE(*announced->accepts(*structured));
        EXPECT_TRUE(json::equal(said.view(), *structured)) << "the views differ";
        expect_within(json::to_text(*structured), limits);
      }
      const bool was_cut = said->find("meta")->find("content_archive_hashes").has_value();
      ++(was_cut ? cut : whole);
      if (!was_cut) expect_complete(sent, said.view());
    }
  }
  EXPECT_GT(cut, 10U);
  EXPECT_GT(whole, 50U);
}

/// Brings back an archived answer through `enfold_fetch` alone.
class Fetching {
 public:
  Fetching(Meeting& meeting, std::string handle) : meeting_(meeting), handle_(std::move(handle)) {}

  /// Every byte of what was sent at this place comes back, in as many pages as it takes.
  void expect(const std::string& pointer, json::View sent) {
    if (sent.is_string()) {
      EXPECT_EQ(characters(pointer), sent.string()) << pointer;
      return;
    }
    const std::vector<json::Value> pages = all(
        fmt::format(R"({{"handle":"{}","raw":true,"pointer":{}}})", handle_, json::quote(pointer)));
    const bool complete = std::none_of(pages.begin(), pages.end(), [](const json::Value& page) {
      return page->find("meta")->find("content_fidelity").has_value();
    });
    if (complete) {
      EXPECT_EQ(joined(pages, sent), json::to_text(sent)) << pointer;
    } else {
      expect_parts(pointer, sent);
    }
  }
  std::size_t calls = 0;

 private:
  void expect_parts(const std::string& pointer, json::View sent) {
    std::size_t index = 0;
    if (sent.is_array()) {
      for (const json::View item : sent.items()) {
        expect(fmt::format("{}/{}", pointer, index++), item);
      }
      return;
    }
    ASSERT_TRUE(sent.is_object()) << pointer;
    for (const json::Member& member : sent.members()) {
      expect((*json::Pointer::parse(pointer) / member.key.string()).str(), member.value);
    }
  }
  std::string characters(const std::string& pointer) {
    std::string text;
    const auto pages = all(fmt::format(R"({{"handle":"{}","raw":true,"pointer":{},"chars":"0.."}})",
                                       handle_, json::quote(pointer)));
    for (const json::Value& page : pages) text += page->find("data")->find("text")->string();
    return text;
  }
  // A page has some members of an object or some items of a list, in order; else it is the value.
  static std::string joined(const std::vector<json::Value>& pages, json::View like) {
    if (!like.is_object() && !like.is_array()) {
      return json::to_text((*pages.front()->find("data")->members().begin()).value);
    }
    std::string parts;
    for (const json::Value& page : pages) {
      const json::View data = *page->find("data");
      const json::View part = like.is_array() ? *data.find("items") : data;
      const std::string text = json::to_text(part);
      const std::string inner = text.substr(1, text.size() - 2);
      parts += (parts.empty() || inner.empty() ? "" : ",") + inner;
    }
    return like.is_array() ? "[" + parts + "]" : "{" + parts + "}";
  }
  std::vector<json::Value> all(std::string arguments) {
    std::vector<json::Value> pages;
    while (pages.size() < 5000) {
      meeting_.heard.clear();
      const json::Value result = meeting_.call("enfold_fetch", arguments);
      ++calls;
      EXPECT_EQ(at(result, "/isError"), "false") << arguments << json::to_text(result.view());
      if (at(result, "/isError") != "false") return pages;
      pages.emplace_back(*result->find("structuredContent"));
      const std::string cursor = at(result, "/structuredContent/meta/pagination/cursor");
      if (cursor == "(none)" || cursor == "null") return pages;
      arguments = fmt::format(R"({{"cursor":{}}})", cursor);
    }
    ADD_FAILURE() << "the pages do not end: " << arguments;
    return pages;
  }

  Meeting& meeting_;
  std::string handle_;
};

TEST(ArchivedAnswers, come_back_byte_for_byte_when_they_were_cut) {
  Settings settings = in_front_of(upstream());
  settings.answers.budget = budget::Budget{.tokens = 1000};
  settings.answers.redaction = std::nullopt;
  const std::shared_ptr<store::Archive> archive = store::memory_archive();
  settings.answers.archive = archive;
  Meeting meeting(std::move(settings));
  std::size_t cut = 0;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    meeting.heard.clear();
    const json::Value result = meeting.result(sample.result);
    const auto hashes = json::Pointer::parse("/structuredContent/meta/content_archive_hashes")
                            ->resolve(result.view());
    if (!hashes) continue;
    ++cut;
    const std::string handle = (*hashes->members().begin()).key.string();
    const auto kept = archive->get("local", handle, store::Time());
    ASSERT_TRUE(kept);
    EXPECT_EQ(*kept, sample.result);
    Fetching(meeting, handle).expect("", json::parse_own(sample.result).view());
  }
  EXPECT_GT(cut, 10U);
}

}  // namespace
}  // namespace enfold::gateway

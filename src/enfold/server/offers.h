// SPDX-License-Identifier: Apache-2.0
// Resources and prompts as their author describes them: a function whose arguments, if it has any,
// are a struct with fields(), as those of a tool.
//   server.resource("shop://about", "About the shop", [] { return "Books since 1998"; });
//   server.resource_template("book://{id}", "A book", read_book).complete("id", book_ids);
//   server.prompt("review", "Writes a review of a book", review_prompt);
#pragma once

#include "enfold/mcp/types/result.h"
#include "enfold/server/answer.h"
#include "enfold/server/context.h"
#include "enfold/server/signature.h"
#include "enfold/tools/declare/read_arguments.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace enfold::server {

/// The texts of a prompt's arguments by name, or the variables of a template.
using Texts = std::map<std::string, std::string, std::less<>>;

/// Completions of what the user has typed so far. Called on a worker.
using Complete = std::function<std::vector<std::string>(const std::string& typed)>;

struct ResourceContent {
  std::string mime_type;  ///< empty: that of the ResourceSpec
  std::string text;
  std::string blob;  ///< Base64; instead of the text when it is not empty
};
using ReadResource = std::function<Answer<ResourceContent>(const std::string& uri,
                                                           const Texts& variables, Context&)>;

struct ResourceSpec {
  std::string uri;  ///< or a URI template
  std::string name;
  std::string description;
  std::string mime_type;
  std::optional<mcp::CacheHint> cache{};
  std::map<std::string, Complete, std::less<>> complete{};  ///< by variable of the template
  ReadResource read{};
};

struct PromptMessage {
  std::string role = "user";
  json::Value content;  ///< a content block
};
struct PromptText {
  std::string description;  ///< empty: the result has none
  std::vector<PromptMessage> messages;
};
[[nodiscard]] PromptMessage user_text(std::string_view text);

using GetPrompt = std::function<Answer<PromptText>(const Texts& arguments, Context&)>;

struct PromptArgumentSpec {
  std::string name;
  std::string description;
  bool required = true;
  Complete complete{};
};
struct PromptSpec {
  std::string name;
  std::string description;
  std::vector<PromptArgumentSpec> arguments{};
  GetPrompt get{};
};

/// Sets the properties of a resource or a template; calls can be chained.
class Resource {
 public:
  explicit Resource(ResourceSpec& spec) : spec_(&spec) {}
  Resource& describe(std::string text) {
    spec_->description = std::move(text);
    return *this;
  }
  Resource& mime_type(std::string type) {
    spec_->mime_type = std::move(type);
    return *this;
  }
  Resource& cache(mcp::CacheHint hint) {
    spec_->cache = hint;
    return *this;
  }
  /// Completes a variable of a template.
  Resource& complete(std::string variable, Complete complete) {
    spec_->complete.insert_or_assign(std::move(variable), std::move(complete));
    return *this;
  }

 private:
  ResourceSpec* spec_;
};

/// Sets the properties of a prompt. The values of an enum are completed without this.
class Prompt {
 public:
  explicit Prompt(PromptSpec& spec) : spec_(&spec) {}
  Prompt& complete(std::string_view argument, Complete complete) {
    for (PromptArgumentSpec& one : spec_->arguments) {
      if (one.name == argument) one.complete = complete;
    }
    return *this;
  }

 private:
  PromptSpec* spec_;
};

namespace detail {

[[nodiscard]] inline ResourceContent as_content(std::string text) {
  return {{}, std::move(text), {}};
}
[[nodiscard]] inline ResourceContent as_content(ResourceContent content) { return content; }
[[nodiscard]] inline PromptText as_prompt(std::string text) { return {{}, {user_text(text)}}; }
[[nodiscard]] inline PromptText as_prompt(PromptText prompt) { return prompt; }

/// Writes a text as the JSON value that a field is read from: `3` for a number, `"3"` for a text.
void write_text_value(json::Writer& writer, std::string_view text, bool is_text);
/// The failure of a request whose texts cannot be read; names the first problem.
[[nodiscard]] model::Response bad_texts(const std::vector<tools::Problem>& problems);
/// What in `texts`, an object, breaks the schema.
[[nodiscard]] std::vector<tools::Problem> check_texts(const json::Value& texts,
                                                      const json::Value& schema);
/// Completes with the names that begin with what was typed.
[[nodiscard]] Complete complete_names(std::vector<std::string> names);

/// Reads the texts into a T; it is not usable if there are problems.
template <class T>
[[nodiscard]] T read_texts(const Texts& texts, std::vector<tools::Problem>& problems) {
  json::Writer writer;
  writer.begin_object();
  tools::detail::each_argument<T>([&](const auto& field) {
    using Shown = level::detail::ShownType<typename std::remove_cvref_t<decltype(field)>::Held>;
    const auto found = texts.find(field.name);
    if (found == texts.end()) return;
    writer.key(field.name);
    write_text_value(writer, found->second,
                     level::detail::is_text<Shown> || model::NamedEnum<Shown>);
  });
  writer.end_object();
  const json::Value value = std::move(writer).finish_value();
  problems = check_texts(value, tools::input_schema_of<T>());
  return problems.empty() ? tools::read_arguments<T>(value.view(), problems)
                          : tools::detail::unread<T>();
}

/// Calls the author's function with its typed arguments; `convert` turns what it returns into Made.
template <class Made, class Function, class Convert>
[[nodiscard]] Answer<Made> call_with_texts(const Function& function, const Texts& texts,
                                           Context& context, Convert convert) {
  using Traits = FunctionOf<Function>;
  using Arguments = typename Traits::Taken::Request;
  using Returned = typename ResponseOf<std::remove_cvref_t<typename Traits::Returned>>::Type;
  std::vector<tools::Problem> problems;
  const Arguments asked = read_texts<Arguments>(texts, problems);
  if (!problems.empty()) return bad_texts(problems);
  if constexpr (std::is_convertible_v<Returned, std::string> &&
                !std::is_same_v<Returned, std::string>) {
    return convert(std::string(Traits::Taken::call(function, asked, context)));
  } else {
    Answer<Returned> answer = Traits::Taken::call(function, asked, context);
    if (Trouble* trouble = answer.trouble()) return Answer<Made>(std::move(*trouble));
    return convert(std::move(*answer.response()));
  }
}

/// Compile-time checks of the function of a resource or prompt.
template <class Function>
constexpr void demand_reader() {
  constexpr bool callable = FunctionOf<Function>::callable;
  static_assert(callable,
                "a resource or prompt is a function, or an object with a const operator()");
  if constexpr (callable) {
    static_assert(
        FunctionOf<Function>::Taken::valid,
        "a resource or prompt takes (const Arguments&, server::Context&), one of them, or "
        "nothing");
  }
}

template <class Function>
[[nodiscard]] ResourceSpec make_resource(std::string uri, std::string name, Function read) {
  demand_reader<Function>();
  ResourceSpec spec{std::move(uri), std::move(name), {}, {}};
  spec.read = [read = std::make_shared<const Function>(std::move(read))](
                  const std::string& /*uri*/, const Texts& variables, Context& context) {
    return call_with_texts<ResourceContent>(*read, variables, context,
                                            [](auto made) { return as_content(std::move(made)); });
  };
  return spec;
}

template <class Function>
[[nodiscard]] PromptSpec make_prompt(std::string name, std::string description, Function get) {
  demand_reader<Function>();
  PromptSpec spec{std::move(name), std::move(description)};
  tools::detail::each_argument<typename FunctionOf<Function>::Taken::Request>(
      [&](const auto& field) {
        using Held = typename std::remove_cvref_t<decltype(field)>::Held;
        using Shown = level::detail::ShownType<Held>;
        PromptArgumentSpec argument{std::string(field.name), std::string(field.description),
                                    !level::detail::is_optional<Held> && !field.has_default};
        if constexpr (model::NamedEnum<Shown>) {
          argument.complete = complete_names(
              {model::Names<Shown>::values.begin(), model::Names<Shown>::values.end()});
        }
        spec.arguments.push_back(std::move(argument));
      });
  spec.get = [get = std::make_shared<const Function>(std::move(get))](const Texts& arguments,
                                                                      Context& context) {
    return call_with_texts<PromptText>(*get, arguments, context,
                                       [](auto made) { return as_prompt(std::move(made)); });
  };
  return spec;
}

}  // namespace detail
}  // namespace enfold::server

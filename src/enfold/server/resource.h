// SPDX-License-Identifier: Apache-2.0
// Resources and prompts as their author describes them: functions. The arguments, if there are any,
// are a struct with fields(), like those of a tool.
//   server.resource("shop://about", "About the shop", [] { return "Books since 1998"; });
//   server.resource_template("book://{id}", "A book", &Shop::read, shop).complete("id", book_ids);
//   server.prompt("review", "Writes a review of a book", review_prompt);
#pragma once

#include "enfold/mcp/types/result.h"
#include "enfold/server/answer.h"
#include "enfold/server/context.h"
#include "enfold/server/signature.h"
#include "enfold/tools/declare/read_arguments.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace enfold::server {

/// The texts of a prompt's arguments by name, or the variables of a template.
using Texts = std::map<std::string, std::string, std::less<>>;

/// Completes an argument: a function of what the user has typed so far and, if it takes a second
/// parameter, of the other arguments (Texts); or a fixed list, of which those are offered that
/// begin with what was typed. Functions are called on a worker, several at once.
class Complete {
 public:
  /// The form to which a function or a list is converted.
  using Function =
      std::function<std::vector<std::string>(const std::string& typed, const Texts& others)>;

  Complete() = default;
  Complete(std::vector<std::string> list);
  Complete(std::initializer_list<std::string> list) : Complete(std::vector<std::string>(list)) {}
  template <class F>
    requires std::is_invocable_r_v<std::vector<std::string>, const F&, const std::string&>
  Complete(F function)
      : complete_(
            [function = std::move(function)](const std::string& typed, const Texts& /*others*/) {
              return function(typed);
            }) {}
  template <class F>
    requires std::is_invocable_r_v<std::vector<std::string>, const F&, const std::string&,
                                   const Texts&>
  Complete(F function) : complete_(std::move(function)) {}

  /// False: there is neither a function nor a list, and nothing is completed.
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(complete_); }
  /// The values to offer. Only if there is a function or a list.
  [[nodiscard]] std::vector<std::string> operator()(const std::string& typed,
                                                    const Texts& others) const {
    return complete_(typed, others);
  }

 private:
  Function complete_;
};

/// An argument of a prompt, or a variable of a template.
struct ArgumentSpec {
  std::string name;           ///< as the field or the template names it
  std::string description{};  ///< for the user
  bool required = true;       ///< prompts/get or resources/read without it is refused
  Complete complete{};        ///< empty: nothing is completed
};

/// What a resource contains.
struct ResourceContent {
  std::string mime_type;  ///< empty: that of the ResourceSpec
  std::string text;       ///< UTF-8
  std::string blob;       ///< Base64; instead of the text when it is not empty
};
/// Returns the content of the resource with this URI; `variables`: those of its template.
using ReadResource = std::function<Answer<ResourceContent>(const std::string& uri,
                                                           const Texts& variables, Context&)>;

/// The declaration of a resource or of a template, without the types of its author's function.
struct ResourceSpec {
  std::string uri;                        ///< or a URI template
  std::string name;                       ///< for the user
  std::string description;                ///< for the model; may be empty
  std::string mime_type;                  ///< such as text/plain; empty: not announced
  std::optional<mcp::CacheHint> cache{};  ///< see Resource::cache()
  std::vector<ArgumentSpec> arguments{};  ///< of a template; empty: its variables, all required
  ReadResource read{};  ///< runs on a worker; empty: the server refuses the resource
};

/// One message of a prompt.
struct PromptMessage {
  std::string role = "user";  ///< or "assistant"
  json::Value content;        ///< a content block
};
/// What a prompt returns.
struct PromptText {
  std::string description;              ///< empty: the result has none
  std::vector<PromptMessage> messages;  ///< in their order
};
/// A message of the user that is text.
[[nodiscard]] PromptMessage user_text(std::string_view text);

/// Returns the text of a prompt for these arguments.
using GetPrompt = std::function<Answer<PromptText>(const Texts& arguments, Context&)>;

/// The declaration of a prompt, without the types of its author's function.
struct PromptSpec {
  std::string name;                       ///< that prompts/get names
  std::string description;                ///< for the user
  std::vector<ArgumentSpec> arguments{};  ///< that the user fills in
  GetPrompt get{};                        ///< runs on a worker
};

namespace detail {
/// Ends the program, with the reason, if no argument has this name.
void set_complete(std::vector<ArgumentSpec>& arguments, std::string_view name, Complete complete);
}  // namespace detail

/// Sets the properties of a resource or a template; calls can be chained. A resource that is added
/// while the server runs is offered when the last Resource object of it is destroyed.
class Resource {
 public:
  explicit Resource(std::shared_ptr<ResourceSpec> spec) : spec_(std::move(spec)) {}
  /// What the resource contains, for the model.
  Resource& describe(std::string text) {
    spec_->description = std::move(text);
    return *this;
  }
  /// The type of the content, such as text/plain; ResourceContent can name another.
  Resource& mime_type(std::string type) {
    spec_->mime_type = std::move(type);
    return *this;
  }
  /// How long a client may keep the content, and for whom (protocol revision 2026-07-28).
  Resource& cache(mcp::CacheHint hint) {
    spec_->cache = hint;
    return *this;
  }
  /// Completes a variable of a template. The values of an enum are completed without this.
  Resource& complete(std::string_view variable, Complete complete);

 private:
  std::shared_ptr<ResourceSpec> spec_;
};

/// Sets the properties of a prompt, as Resource does.
class Prompt {
 public:
  explicit Prompt(std::shared_ptr<PromptSpec> spec) : spec_(std::move(spec)) {}
  /// Completes an argument. The values of an enum are completed without this.
  Prompt& complete(std::string_view argument, Complete complete);

 private:
  std::shared_ptr<PromptSpec> spec_;
};

namespace detail {

[[nodiscard]] ResourceContent as_content(std::string_view text);
[[nodiscard]] inline ResourceContent as_content(ResourceContent content) { return content; }
[[nodiscard]] ResourceContent as_content(const std::vector<std::byte>& bytes);
[[nodiscard]] PromptText as_prompt(std::string_view text);
[[nodiscard]] inline PromptText as_prompt(PromptText prompt) { return prompt; }

/// Writes a text as the JSON value that a field is read from: `3` for a number, `"3"` for a text.
void write_field_value(json::Writer& writer, std::string_view text, bool is_text_field);
/// Whether the message of the error is only for the operator.
[[nodiscard]] bool is_internal(const Error& error);
/// Reads the texts into a T. If that fails, sets `failure`, and the result is not usable.
template <class T>
[[nodiscard]] T read_texts(const Texts& texts, std::optional<model::Response>& failure) {
  json::Writer writer;
  writer.begin_object();
  Texts unknown = texts;
  tools::detail::each_argument<T>([&](const auto& field) {
    using Shown = level::detail::ShownType<typename std::remove_cvref_t<decltype(field)>::Held>;
    const auto found = texts.find(field.name);
    if (found == texts.end()) return;
    unknown.erase(found->first);
    writer.key(field.name);
    write_field_value(writer, found->second,
                      level::detail::is_text<Shown> || model::NamedEnum<Shown>);
  });
  // Undeclared members are written too, so that the schema refuses them; but a function without
  // arguments ignores the variables of its template.
  if (std::is_same_v<T, tools::NoArguments>) unknown.clear();
  for (const auto& [name, text] : unknown) writer.member(name, text);
  writer.end_object();
  const json::Value value = std::move(writer).finish_value();
  const json::Value schema = tools::input_schema_of<T>();
  std::vector<tools::Problem> problems = check_object(value, schema);
  T read = tools::read_arguments<T>(value.view(), problems);
  if (!problems.empty()) failure = failure_of(std::move(problems), schema, value, {});
  return read;
}

/// Calls the author's function with its typed arguments; `convert` turns what it returns into Made.
template <class Made, class Function, class Convert>
[[nodiscard]] Answer<Made> call_with_texts(const Function& function, const Texts& texts,
                                           Context& context, Convert convert) {
  using Traits = FunctionOf<Function>;
  using Arguments = typename Traits::Taken::Request;
  using Returned = typename ResponseOf<std::remove_cvref_t<typename Traits::Returned>>::Type;
  std::optional<model::Response> failure;
  const Arguments asked = read_texts<Arguments>(texts, failure);
  if (failure) return std::move(*failure);
  if constexpr (std::is_convertible_v<Returned, std::string_view> &&
                !std::is_same_v<Returned, std::string>) {
    return convert(std::string_view(Traits::Taken::call(function, asked, context)));
  } else {
    Answer<Returned> answer = Traits::Taken::call(function, asked, context);
    if (Trouble* trouble = answer.trouble()) return Answer<Made>(std::move(*trouble));
    return convert(std::move(*answer.response()));
  }
}

/// The author's function as one object that can be called: a member function with its object.
template <class Function>
[[nodiscard]] Function function_of(Function function) {
  return function;
}
template <class Class, class Method, class Object>
[[nodiscard]] auto function_of(Method Class::* method, Object&& object) {
  return bound(method, object_of(std::forward<Object>(object)));
}

/// What is wrong with the function of a resource or prompt: report() does not compile
/// (level/faults.h).
template <class At>
struct ReaderNotCallableFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        level::Wrong<At>{},
        "a resource or prompt is a function, an object with a const operator() (not a mutable "
        "lambda), or a member function before its object");
    return false;
  }
};
template <class At>
struct ReaderParametersFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        level::Wrong<At>{},
        "a resource or prompt takes (const Arguments&, server::Context&), one of them, or "
        "nothing");
    return false;
  }
};
template <class At>
struct ReaderResultFault {
  static constexpr bool report() {
    ENFOLD_REJECT(
        level::Wrong<At>{},
        "a resource returns a text, std::vector<std::byte> or a ResourceContent, a prompt a "
        "text or a PromptText, or a Result or server::Answer of these");
    return false;
  }
};
/// The first fault of the function; NoFault: there is none. `Convert` (ToContent, ToPrompt)
/// converts what the function returns.
template <class Function, class Convert>
[[nodiscard]] constexpr auto reader_fault() {
  using Traits = FunctionOf<Function>;
  if constexpr (!Traits::callable) {
    return ReaderNotCallableFault<Function>{};
  } else if constexpr (!Traits::Taken::valid) {
    return ReaderParametersFault<Function>{};
  } else {
    using Returned = typename ResponseOf<std::remove_cvref_t<typename Traits::Returned>>::Type;
    using Fault = std::conditional_t<std::is_invocable_v<Convert, Returned>, level::detail::NoFault,
                                     ReaderResultFault<level::ResponseOf<Function, Returned>>>;
    using Request = typename Traits::Taken::Request;
    return Fault{} | tools::detail::RequestFault<Request, level::RequestOf<Function, Request>>{};
  }
}

/// The declared arguments. Those that are enums are completed with the names of the enum.
template <class Arguments>
[[nodiscard]] std::vector<ArgumentSpec> arguments_of() {
  std::vector<ArgumentSpec> all;
  tools::detail::each_argument<Arguments>([&](const auto& field) {
    using Held = typename std::remove_cvref_t<decltype(field)>::Held;
    using Shown = level::detail::ShownType<Held>;
    ArgumentSpec argument{std::string(field.name), std::string(field.description),
                          !level::detail::is_optional<Held> && !field.has_default};
    if constexpr (model::NamedEnum<Shown>) {
      argument.complete = std::vector<std::string>(model::Names<Shown>::values.begin(),
                                                   model::Names<Shown>::values.end());
    }
    all.push_back(std::move(argument));
  });
  return all;
}

struct ToContent {
  template <class T>
  auto operator()(T made) const -> decltype(as_content(std::move(made))) {
    return as_content(std::move(made));
  }
};
struct ToPrompt {
  template <class T>
  auto operator()(T made) const -> decltype(as_prompt(std::move(made))) {
    return as_prompt(std::move(made));
  }
};

/// Whether the object of a member function is a null pointer.
template <class... Object>
[[nodiscard]] bool is_null(const Object&... object) {
  return (... || [&] {
    if constexpr (is_object_pointer<Object>) return object == nullptr;
    return false;
  }());
}

template <class Function>
[[nodiscard]] ResourceSpec make_resource(std::string uri, std::string name, Function read) {
  ResourceSpec spec{std::move(uri), std::move(name), {}, {}};
  spec.arguments = arguments_of<typename FunctionOf<Function>::Taken::Request>();
  spec.read = [read = std::make_shared<const Function>(std::move(read))](
                  const std::string& /*uri*/, const Texts& variables, Context& context) {
    return call_with_texts<ResourceContent>(*read, variables, context, ToContent{});
  };
  return spec;
}

template <class Function>
[[nodiscard]] PromptSpec make_prompt(std::string name, std::string description, Function get) {
  PromptSpec spec{std::move(name), std::move(description)};
  spec.arguments = arguments_of<typename FunctionOf<Function>::Taken::Request>();
  spec.get = [get = std::make_shared<const Function>(std::move(get))](const Texts& arguments,
                                                                      Context& context) {
    return call_with_texts<PromptText>(*get, arguments, context, ToPrompt{});
  };
  return spec;
}

}  // namespace detail
}  // namespace enfold::server

// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input.h"

#include "enfold/base/text.h"
#include "enfold/model/content.h"
#include "enfold/redact/redact.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

namespace enfold::cli {
namespace {

// Fails from the second call on: standard input is then at its end, and the caller would take it
// for an empty answer.
Result<Descriptor> open_standard_input() {
  static bool was_read = false;
  if (!std::exchange(was_read, true)) return Descriptor(STDIN_FILENO);
  return fail(ErrorCode::invalid_input,
              "expected - once, found it again: standard input is at its end", "",
              "put one of the inputs into a file");
}

Result<Descriptor> open_input(const std::string& file) {
  if (file == "-") return open_standard_input();
  Descriptor input(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (input.is_open()) return input;
  return fail(ErrorCode::invalid_input,
              fmt::format("cannot open the file: {}", std::strerror(errno)), "",
              errno == EACCES ? "you have no permission to read it"
                              : "check the name; - is standard input");
}

// The bytes of a regular file; 0 for other inputs, whose size is not known in advance.
std::size_t size_of(const Descriptor& input) {
  struct stat status{};
  const bool known = ::fstat(input.get(), &status) == 0 && S_ISREG(status.st_mode);
  return known ? static_cast<std::size_t>(status.st_size) : 0;
}

// Returns the number of bytes read; 0 at the end of the input.
Result<std::size_t> read_some(const Descriptor& input, char* to, std::size_t room) {
  for (;;) {
    const ssize_t got = ::read(input.get(), to, room);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    if (errno == EISDIR) {
      return fail(ErrorCode::invalid_input, "expected a file, found a directory", "",
                  "name the files in it");
    }
    return fail(ErrorCode::invalid_input, fmt::format("cannot read: {}", std::strerror(errno)), "",
                "copy it to another disk");
  }
}

constexpr std::size_t kPiece = 65536;  // bytes that one read asks for
// read_lines() fails at a line of more than so many times Limits::max_bytes.
constexpr std::size_t kEndlessLineFactor = 16;

Error too_large(const Limits& limits) {
  return {ErrorCode::limit_exceeded,
          fmt::format("the input has more than {} bytes", limits.max_bytes),
          fmt::format("byte {}", limits.max_bytes),
          "raise the limit with --max-bytes, or split the answer into pages"};
}

Error endless_line(const Limits& limits) {
  return {ErrorCode::limit_exceeded,
          fmt::format("found no line end in {} bytes", limits.max_bytes * kEndlessLineFactor), "",
          "is it JSON Lines? without --jsonl the whole input is one answer"};
}

// What the hint depends on if the input is not JSON. Collected before the bytes are moved into the
// parser.
struct Clues {
  bool is_empty = false;  ///< or has only white space
  bool has_nul = false;
  char first = '\0';       ///< first byte that is not white space
  std::string first_line;  ///< the first that is not blank; empty: it is the last, or very long
};

Clues find_clues(std::string_view bytes) {
  constexpr std::size_t kLongestLine = 65536;
  Clues clues;
  clues.has_nul = bytes.find('\0') != std::string_view::npos;
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  clues.is_empty = begin == std::string_view::npos;
  if (clues.is_empty) return clues;
  clues.first = bytes[begin];
  const std::size_t end = bytes.find('\n', begin);
  if (end == std::string_view::npos || end - begin > kLongestLine) return clues;
  if (bytes.find_first_not_of(" \t\r\n", end) == std::string_view::npos) return clues;
  clues.first_line = bytes.substr(begin, end - begin);
  return clues;
}

// A hint for input that is not JSON.
std::string hint_from(const Clues& clues, const InputOptions& options) {
  if (clues.has_nul) return "NUL bytes: is it binary, or text in UTF-16? convert it to UTF-8";
  const bool begins_as_json = std::string_view("{[\"").find(clues.first) != std::string_view::npos;
  if (!begins_as_json) {
    return options.has_from ? "is it text and not JSON? use --from text"
                            : "is it text and not JSON? `enfold explain --from text` reads it";
  }
  if (!clues.first_line.empty() && json::parse(clues.first_line)) {
    return options.has_jsonl
               ? "is it one answer per line? use --jsonl"
               : "is it one answer per line? `enfold convert --to NAME --jsonl` reads them";
  }
  return "JSON has no comments, trailing commas or single quotes";
}

// The members that identify a contract: the required members of its schema. The schema of an MCP
// result requires none, so these are the members that hold the answer.
std::vector<std::string> identifying_members(contract::Id id) {
  if (id == contract::Id::mcp) return {model::kAnswerMembers.begin(), model::kAnswerMembers.end()};
  std::vector<std::string> names;
  const auto schema = contract::schema(id);
  const auto required = schema ? schema->view().find("required") : std::nullopt;
  if (!required) return names;
  for (const json::View name : required->items()) names.push_back(name.string());
  return names;
}

// Checks the members of a JSON-RPC error here, because the schema of mcp describes only results.
schema::Validation validate_error(json::View error) {
  schema::Validation validation;
  const auto expect = [&](const char* name, bool holds, const char* expected) {
    if (holds) return;
    validation.valid = false;
    const auto member = error.find(name);
    validation.violations.push_back({std::string("/error/") + name, "", expected,
                                     member ? std::string(json::name(member->kind())) : "missing"});
  };
  const auto code = error.find("code");
  const auto message = error.find("message");
  expect("code", code && code->is_number(), "number");
  expect("message", message && message->is_string(), "string");
  return validation;
}

}  // namespace

void declare_file_options(Arguments& arguments, InputOptions& options) {
  arguments.positional("FILE", options.files, "Files to read; none or - reads standard input");
}

void declare_max_bytes_options(Arguments& arguments, InputOptions& options) {
  arguments.number("--max-bytes", options.limits.max_bytes,
                   {"a number of bytes", 1, kLargestDocument}, "Largest input, or line, to accept");
}

void declare_limit_options(Arguments& arguments, InputOptions& options) {
  arguments.flag("--strict", options.strict,
                 "Refuse repeated keys, lone surrogates and very wide objects");
  declare_max_bytes_options(arguments, options);
}

void declare_input_options(Arguments& arguments, InputOptions& options) {
  declare_file_options(arguments, options);
  options.has_from = true;
  arguments.text("--from", "NAME", options.from,
                 "Contract of the input; text for text that is not JSON");
  arguments.text("--tool", "NAME", options.tool, "Name of the tool that answered");
  declare_limit_options(arguments, options);
}

void declare_redaction_options(Arguments& arguments, InputOptions& options) {
  arguments.flag("--no-redact", options.redact, "Show credentials instead of replacing them",
                 false);
  arguments.flag("--redact-personal", options.personal_data,
                 "Also replace e-mail, phone and card numbers");
}

Result<json::Buffer> read_all(const std::string& file, const Limits& limits) {
  ENFOLD_TRY(const Descriptor input, open_input(file));
  if (size_of(input) > limits.max_bytes) return tl::unexpected(too_large(limits));
  json::Buffer bytes;
  for (;;) {
    ENFOLD_TRY(const std::size_t got, read_some(input, bytes.prepare(kPiece), kPiece));
    bytes.commit(got);
    if (got == 0) return bytes;
    if (bytes.size() > limits.max_bytes) return tl::unexpected(too_large(limits));
  }
}

Status read_lines(const std::string& file, const Limits& limits,
                  const std::function<bool(Result<json::Buffer>)>& each) {
  ENFOLD_TRY(const Descriptor input, open_input(file));
  std::string piece(kPiece, '\0');
  json::Buffer line;
  bool skipping = false;    // the current line is too long, and its rest is dropped
  std::size_t skipped = 0;  // bytes dropped from the current line
  // Returns whether the caller wants more lines.
  const auto finish_line = [&] {
    const bool more = skipping ? each(tl::unexpected(too_large(limits))) : each(std::move(line));
    line = json::Buffer();
    skipping = false;
    skipped = 0;
    return more;
  };
  for (;;) {
    ENFOLD_TRY(const std::size_t got, read_some(input, piece.data(), piece.size()));
    if (got == 0) {
      if (line.size() != 0 || skipping) static_cast<void>(finish_line());
      return {};
    }
    std::string_view rest(piece.data(), got);
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view part = rest.substr(0, end);
      if (skipping) {
        skipped += part.size();
      } else {
        line.append(part);
      }
      if (skipped / kEndlessLineFactor > limits.max_bytes)
        return tl::unexpected(endless_line(limits));
      if (line.size() > limits.max_bytes) {
        skipping = true;
        line = json::Buffer();
      }
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
      if (!finish_line()) return {};
    }
  }
}

std::vector<std::string> sources(const InputOptions& options) {
  return options.files.empty() ? std::vector<std::string>{"-"} : options.files;
}

int for_each_source(const InputOptions& options, Terminal& terminal,
                    const std::function<Result<int>(const std::string& file)>& each) {
  int code = 0;
  for (const std::string& file : sources(options)) {
    const Result<int> done = each(file);
    code = std::max(code, done ? *done : terminal.report(done.error(), display_name(file)));
    if (!terminal.is_open()) break;
  }
  return code;
}

std::string display_name(const std::string& source) {
  if (source.empty()) return "\"\"";
  // "-:3" is line 3 of standard input: `convert --jsonl` names its lines so.
  const bool standard_input = source == "-" || source.starts_with("-:");
  return standard_input ? "standard input" + source.substr(1) : source;
}

Result<std::optional<contract::Id>> contract_named(const std::string& name, const char* option) {
  if (name == "auto") return std::nullopt;
  const auto id = contract::from_name(name);
  if (id) return id;
  std::vector<std::string> known{"auto"};
  for (const contract::Description& one : contract::all()) known.emplace_back(one.name);
  return fail(ErrorCode::invalid_input,
              fmt::format("expected the name of a contract, found \"{}\"", name), option,
              did_you_mean(name, known, "`enfold contracts` lists them"));
}

Result<contract::Members> members_named(const std::string& name) {
  if (const auto members = contract::members_from_name(name)) return *members;
  return fail(
      ErrorCode::invalid_input,
      "expected strict, minimal, standard, verbose or debug as members, found \"" + name + "\"");
}

Status check_contract(json::View document, std::optional<contract::Id> from) {
  if (!from || !document.is_object() || contract::detect(document) == *from) return {};
  // The older variants of response-v1 have no envelope members; a failure in the contract `memory`
  // may have only `error` or `message`.
  if (*from == contract::Id::response_v1) return {};
  if (*from == contract::Id::memory && (document.find("error") || document.find("message"))) {
    return {};
  }
  const std::vector<std::string> members = identifying_members(*from);
  std::vector<std::string> missing;
  for (const std::string& member : members) {
    if (!document.find(member)) missing.push_back(member);
  }
  // An MCP result must have one of the members, a document in another contract half of them.
  const bool is_one_enough = *from == contract::Id::mcp;
  const std::size_t least = is_one_enough ? 1 : (members.size() + 1) / 2;
  if (members.size() - missing.size() >= least) return {};
  return fail(ErrorCode::invalid_input,
              fmt::format("expected an answer in {}, found an object without {}",
                          contract::name(*from), fmt::join(missing, ", ")),
              "/",
              fmt::format("remove --from: the input is read as {}",
                          contract::name(contract::detect(document))));
}

answer::ShapeSettings settings_of(const InputOptions& options) {
  answer::ShapeSettings settings;
  settings.limits = options.limits;
  settings.redaction.reset();
  if (options.redact) settings.redaction = redact::Policy{.personal_data = options.personal_data};
  return settings;
}

Status check_text(std::string_view bytes) {
  const auto at = utf8::first_invalid(bytes);
  if (!at) return {};
  return fail(ErrorCode::invalid_input, "expected UTF-8 text", json::describe_place(bytes, *at),
              "convert the text to UTF-8");
}

Result<json::Document> read_json(json::Buffer bytes, const InputOptions& options) {
  const Clues clues = find_clues(bytes.view());
  if (clues.is_empty) {
    return fail(
        ErrorCode::invalid_input, "expected a JSON value, found nothing: the input is empty",
        json::describe_place(bytes.view(), bytes.view().size()),
        options.has_from ? "did the tool print anything? empty text is read with --from text"
                         : "did the tool print anything?");
  }
  Result<json::Document> document = json::parse(std::move(bytes), options.limits);
  if (!document) {
    Error error = document.error();
    if (error.hint.empty()) error.hint = hint_from(clues, options);
    return tl::unexpected(std::move(error));
  }
  if (!options.strict || !document->oddities().any()) return document;
  return fail(ErrorCode::invalid_input,
              "refused by --strict: " + answer::json_warnings(*document).front().message, "",
              "without --strict it is accepted with a warning");
}

Result<Answer> read_answer(json::Buffer bytes, const InputOptions& options,
                           const answer::ShapeSettings& settings) {
  ENFOLD_TRY(const std::optional<contract::Id> from, contract_named(options.from, "--from"));
  const answer::Call call{.tool = options.tool};
  if (from == contract::Id::text) {
    ENFOLD_TRY(check_text(bytes.view()));
    return Answer{answer::read_text_answer(bytes.view(), settings, call), {}};
  }
  ENFOLD_TRY(json::Document document, read_json(std::move(bytes), options));
  ENFOLD_TRY(check_contract(document.root(), from));
  ENFOLD_TRY(answer::ReadAnswer parsed, answer::read_answer(document, from, settings, call));
  return Answer{std::move(parsed), answer::json_warnings(document)};
}

Result<schema::Validation> validate(contract::Id id, json::View document, const Limits& limits,
                                    std::size_t max_violations) {
  // `text` and `json` have no schema: the document was recognised as none of the contracts.
  if (contract::validator(id) == nullptr) {
    return schema::Validation{.valid = false,
                              .violations = {{"", "", "a document of one of the contracts",
                                              "JSON that is not recognised as one"}}};
  }
  json::View instance = document;
  std::string place;  // JSON Pointer of the instance in the document
  if (id == contract::Id::mcp && document.find("jsonrpc")) {
    if (const auto error = document.find("error")) return validate_error(*error);
    if (const auto result = document.find("result")) {
      instance = *result;
      place = "/result";
    }
  }
  Result<schema::Validation> validation = contract::validate(id, instance, limits, max_violations);
  if (!validation) return validation;
  for (schema::Violation& violation : validation->violations) {
    violation.instance.insert(0, place);
    violation.found = redact::redact_text(violation.found, redact::Policy{});
  }
  return validation;
}

}  // namespace enfold::cli

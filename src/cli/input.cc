// SPDX-License-Identifier: Apache-2.0
#include "cli/input.h"

#include "enfold/base/utf8.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

namespace enfold::cli {
namespace {

class Descriptor {
 public:
  static Result<Descriptor> open(const std::string& file) {
    if (file == "-") return Descriptor(STDIN_FILENO);
    const int number = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (number >= 0) return Descriptor(number);
    return fail(ErrorCode::invalid_input,
                fmt::format("cannot open the file: {}", std::strerror(errno)), "",
                "check the name; \"-\" reads standard input");
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }

  /// Bytes read, 0 at the end.
  Result<std::size_t> read(char* to, std::size_t room) const {
    for (;;) {
      const ssize_t got = ::read(number_, to, room);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno == EINTR) continue;
      return fail(ErrorCode::invalid_input, fmt::format("cannot read: {}", std::strerror(errno)));
    }
  }

 private:
  explicit Descriptor(int number) : number_(number) {}
  int number_;
};

constexpr std::size_t kPiece = 64 * 1024;

Error too_large(const Limits& limits) {
  return {ErrorCode::limit_exceeded,
          fmt::format("the input has more than {} bytes", limits.max_bytes),
          fmt::format("byte {}", limits.max_bytes),
          "raise the limit with --max-bytes, or split the answer into pages"};
}

Error strict_refusal(const json::Document& document) {
  const auto warnings = pipeline::json_warnings(document);
  return {ErrorCode::invalid_input, "refused by --strict: " + warnings.front().message, "",
          "without --strict it is accepted as it is, with a warning"};
}

}  // namespace

Result<json::Buffer> read_all(const std::string& file, const Limits& limits) {
  Result<Descriptor> input = Descriptor::open(file);
  if (!input) return tl::unexpected(input.error());
  json::Buffer bytes;
  for (;;) {
    const Result<std::size_t> got = input->read(bytes.prepare(kPiece), kPiece);
    if (!got) return tl::unexpected(got.error());
    bytes.commit(*got);
    if (*got == 0) return bytes;
    if (bytes.size() > limits.max_bytes) return tl::unexpected(too_large(limits));
  }
}

Status read_lines(const std::string& file, const Limits& limits,
                  const std::function<bool(Result<json::Buffer>)>& each) {
  Result<Descriptor> input = Descriptor::open(file);
  if (!input) return tl::unexpected(input.error());
  std::string piece(kPiece, '\0');
  json::Buffer line;
  bool skipping = false;  // the rest of a line that was too long
  const auto finish_line = [&] {
    const bool more = skipping ? each(tl::unexpected(too_large(limits))) : each(std::move(line));
    line = json::Buffer();
    skipping = false;
    return more;
  };
  for (;;) {
    const Result<std::size_t> got = input->read(piece.data(), piece.size());
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) {
      if (line.size() != 0 || skipping) static_cast<void>(finish_line());
      return {};
    }
    std::string_view rest(piece.data(), *got);
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view part = rest.substr(0, end);
      if (!skipping) line.append(part);
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

std::string display_name(const std::string& file) { return file == "-" ? "standard input" : file; }

Result<std::optional<contract::Id>> contract_named(const std::string& name) {
  if (name == "auto") return std::nullopt;
  const auto id = contract::from_name(name);
  if (id) return id;
  std::string known = "auto";
  for (const contract::Description& one : contract::all()) known += fmt::format(", {}", one.name);
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a contract ({}), found \"{}\"", known, name), "",
              "`enfold contracts` lists them");
}

pipeline::Settings settings_of(const InputOptions& options) {
  pipeline::Settings settings;
  settings.limits = options.limits;
  settings.redaction.reset();
  if (options.redact) settings.redaction = redact::Policy{.personal_data = options.personal_data};
  return settings;
}

Result<pipeline::Understood> understand(json::Buffer bytes, const InputOptions& options,
                                        const pipeline::Settings& settings) {
  const Result<std::optional<contract::Id>> from = contract_named(options.from);
  if (!from) return tl::unexpected(from.error());
  const pipeline::Call call{.tool = options.tool};
  if (*from == contract::Id::text) {
    if (const auto at = utf8::first_invalid(bytes.view())) {
      return fail(ErrorCode::invalid_input, "expected UTF-8 text",
                  json::describe_place(bytes.view(), *at), "convert the text to UTF-8");
    }
    return pipeline::understand_text(bytes.view(), settings, call);
  }
  Result<json::Document> document = json::parse(std::move(bytes), options.limits);
  if (!document) {
    Error error = document.error();
    const bool prose = *from == std::nullopt && error.hint.empty();
    if (prose) error.hint = "is it text and not JSON? then say --from text";
    return tl::unexpected(std::move(error));
  }
  if (options.strict && document->oddities().any())
    return tl::unexpected(strict_refusal(*document));
  return pipeline::understand(*document, *from, settings, call);
}

}  // namespace enfold::cli

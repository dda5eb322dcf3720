// SPDX-License-Identifier: Apache-2.0
// Every kernel that is chosen at run time against its plain form: scanning, escaping, unescaping.
#include "enfold/json/detail/document_keys.h"
#include "enfold/json/detail/escape.h"
#include "enfold/json/detail/scan.h"
#include "enfold/json/document.h"
#include "fuzz/check.h"

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>

namespace enfold::fuzz {
namespace {

using json::detail::Container;

struct Scanned {
  json::detail::Containers containers;
  json::detail::DocumentKeys document_keys;
  std::array<json::detail::KeySlot, 64> keys{};
  json::detail::Scan scan;

  Scanned(json::detail::ScanFunction function, const json::Buffer& bytes, const Limits& limits)
      : scan{.containers = &containers,
             .document_keys = &document_keys,
             .keys = keys.data(),
             .key_mask = 63} {
    function(bytes.data(), bytes.size(), limits, scan);
  }
};

bool same(const Container& a, const Container& b) {
  const auto fields = [](const Container& c) {
    return std::tuple(c.begin, c.end, c.next, std::uint32_t{c.count}, std::uint32_t{c.compact},
                      std::uint32_t{c.suspect});
  };
  return fields(a) == fields(b);
}

void compare_scans(std::string_view text, const Limits& limits) {
  const json::Buffer bytes(text);
  const Scanned plain(json::detail::scan_baseline, bytes, limits);
  const Scanned best(json::detail::best_scan(), bytes, limits);
  const auto verdict = [](const json::detail::Scan& scan) {
    return std::tuple(scan.fault, scan.fault_at);
  };
  require(verdict(plain.scan) == verdict(best.scan), "scans find the same fault", text);
  require(plain.scan.fault_at <= text.size(), "a fault lies within the text", text);
  // What a scan notes beside a fault is never looked at.
  if (plain.scan.fault != json::detail::Fault::none) return;
  const auto notes = [](const json::detail::Scan& scan) {
    return std::tuple(scan.any_suspect, scan.any_surrogate, scan.root_begin, scan.root_end);
  };
  require(notes(plain.scan) == notes(best.scan), "scans note the same", text);
  require(plain.containers.size() == best.containers.size(), "scans find all containers", text);
  for (std::uint32_t i = 0; i < plain.containers.size(); ++i) {
    require(same(plain.containers[i], best.containers[i]), "scans index alike", text);
  }
}

// Runs a kernel on memory of exactly the size that it may touch.
template <class Kernel>
std::string run(Kernel kernel, std::string_view from, std::size_t room) {
  const auto source = std::make_unique<char[]>(from.size());
  if (!from.empty()) std::memcpy(source.get(), from.data(), from.size());
  const auto target = std::make_unique<char[]>(room);
  const char* end = kernel(source.get(), from.size(), target.get());
  return {target.get(), static_cast<std::size_t>(end - target.get())};
}

std::string compare_unescapes(std::string_view inside) {
  const std::size_t room = inside.size() + 64;
  std::string plain = run(json::detail::unescape_baseline, inside, room);
#if defined(__x86_64__)
  if (json::detail::has_avx512()) {
    const std::string wide = run(json::detail::unescape_avx512, inside, room);
    require(plain == wide, "unescape kernels agree", inside);
  }
#endif
  require(json::detail::unescape(inside) == plain, "the chosen unescape agrees", inside);
  return plain;
}

void compare_escapes(std::string_view bytes) {
  const std::size_t room = 6 * bytes.size() + 64;
  const std::string plain = run(json::detail::escape_baseline, bytes, room);
#if defined(__x86_64__)
  if (json::detail::has_avx512()) {
    const std::string wide = run(json::detail::escape_avx512, bytes, room);
    require(plain == wide, "escape kernels agree", bytes);
  }
#endif
  std::string chosen;
  json::detail::append_escaped(chosen, bytes);
  require(chosen == plain, "the chosen escape agrees", bytes);
  require(compare_unescapes(plain) == bytes, "unescape undoes escape", bytes);
}

// `text` as the inside of a string, when it is one.
void compare_as_string(std::string_view text) {
  const json::Buffer quoted('"' + std::string(text) + '"');
  const Scanned scanned(json::detail::scan_baseline, quoted, Limits{});
  const bool is_string =
      scanned.scan.fault == json::detail::Fault::none && scanned.scan.root_end == quoted.size();
  if (is_string) (void)compare_unescapes(text);
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace enfold::fuzz;
  const std::string_view text = text_of(data, size);
  compare_scans(text, {.wide_object_members = 3});
  compare_scans(text, {.max_depth = 3, .max_elements = 9, .max_containers = 4});
  compare_scans('"' + std::string(text), {});
  compare_escapes(text);
  compare_as_string(text);
  return 0;
}

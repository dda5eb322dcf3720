// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/resource.h"

#include "enfold/base/text.h"

#include <algorithm>

namespace enfold::server {

Complete::Complete(std::vector<std::string> list)
    : complete_([list = std::move(list)](const std::string& typed, const Texts& /*others*/) {
        std::vector<std::string> out;
        for (const std::string& one : list) {
          if (one.starts_with(typed)) out.push_back(one);
        }
        return out;
      }) {}

PromptMessage user_text(std::string_view text) { return {"user", mcp::text_block(text)}; }

Resource& Resource::complete(std::string_view variable, Complete complete) {
  detail::set_complete(spec_->arguments, variable, std::move(complete));
  return *this;
}

Prompt& Prompt::complete(std::string_view argument, Complete complete) {
  detail::set_complete(spec_->arguments, argument, std::move(complete));
  return *this;
}

namespace detail {

ResourceContent as_content(std::string_view text) { return {{}, std::string(text), {}}; }

// Base64 differs from base64url in two characters and in the padding.
ResourceContent as_content(const std::vector<std::byte>& bytes) {
  std::string blob = to_base64url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::ranges::replace(blob, '-', '+');
  std::ranges::replace(blob, '_', '/');
  blob.append((4 - blob.size() % 4) % 4, '=');
  return {{}, {}, std::move(blob)};
}

PromptText as_prompt(std::string_view text) { return {{}, {user_text(text)}}; }

}  // namespace detail
}  // namespace enfold::server

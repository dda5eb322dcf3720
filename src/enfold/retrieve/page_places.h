// SPDX-License-Identifier: Apache-2.0
// A page that was cut names what is missing by its own places; a reader needs those of the archived
// answer, which is where the rest is.
#pragma once

#include "enfold/retrieve/page.h"

#include <map>
#include <string>
#include <vector>

namespace enfold::retrieve {

/// Whether the page shows lines or members that were picked outside of lists: each with its place,
/// without which nobody could tell what it is.
[[nodiscard]] bool shows_places(const FoundPage& page);

/// Only a page of one part, or of something that has none, is ever cut. Ids become places too: in
/// the whole answer an id may mean something else.
class PageNames {
 public:
  /// Both must outlive it.
  PageNames(const Found& found, const FoundPage& page) : found_(found), page_(page) {}
  void apply(model::Reduction& reduction);

 private:
  void ids_to_places(std::vector<std::string>& dropped);
  const std::vector<std::string>& places_of(const std::string& id);

  const Found& found_;
  const FoundPage& page_;
  std::map<std::string, std::vector<std::string>> known_;  ///< of ids, each a walk over the page
};

}  // namespace enfold::retrieve

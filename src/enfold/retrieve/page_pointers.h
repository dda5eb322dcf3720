// SPDX-License-Identifier: Apache-2.0
// Translates JSON Pointers into a page to pointers into the archived answer, which is where a
// reader finds what was cut.
#pragma once

#include "enfold/retrieve/page.h"

#include <map>
#include <string>
#include <vector>

namespace enfold::retrieve {

/// Whether the page shows lines or members from outside of lists, each with its pointer.
[[nodiscard]] bool shows_pointers(const ResultPage& page);

/// Only a page of one part, or of a value without parts, is ever cut. Ids are translated to
/// pointers too, because an id may not be unique in the whole answer.
class PagePointers {
 public:
  /// `found` and `page` must outlive this object.
  PagePointers(const QueryResult& found, const ResultPage& page) : found_(found), page_(page) {}
  void apply(model::Reduction& reduction);

 private:
  void ids_to_places(std::vector<std::string>& dropped);
  const std::vector<std::string>& places_of(const std::string& id);

  const QueryResult& found_;
  const ResultPage& page_;
  std::map<std::string, std::vector<std::string>>
      known_;  ///< cache: each id takes a pass over the page
};

}  // namespace enfold::retrieve

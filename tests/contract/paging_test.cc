// SPDX-License-Identifier: Apache-2.0
// The forms in which answers speak of pages: a page in the middle, the last one, and an only one.
#include "enfold/contract/contract.h"

#include <gtest/gtest.h>
#include <optional>

namespace enfold::contract {
namespace {

/// What a reader learns: "more", "more, next n1", "end", "unknown", "unknown, next s1".
std::string statement_of(const std::string& answer) {
  model::Response response;
  response.tool.id = "list_records";
  response.payload = json::parse_own(answer);
  const ShapeStatement read = shape_of(response);
  if (read.shape != model::Shape::list || !read.page) return "no list";
  const model::Page& page = *read.page;
  std::string text = !page.has_more ? "unknown" : *page.has_more ? "more" : "end";
  if (page.cursor) text += ", next " + *page.cursor;
  if (page.next_offset) text += ", offset " + page.next_offset->text;
  if (page.after) text += ", after " + *page.after;
  return text;
}

struct Form {
  const char* name;
  const char* middle;
  const char* says;  ///< of the page in the middle
  const char* last;
  const char* only;
  const char* last_says = "end";
  const char* only_says = "end";
};

// Every answer holds two records; the list is theirs.
constexpr const char* kTwo = R"([{"id":3},{"id":4}])";

std::string filled(const char* answer) {
  std::string text = answer;
  const std::size_t at = text.find('$');
  return at == std::string::npos ? text : text.replace(at, 1, kTwo);
}

const std::vector<Form>& forms() {
  static const std::vector<Form> all{
      {"page, per_page, total", R"({"page":2,"per_page":2,"total":6,"data":$})", "more",
       R"({"page":3,"per_page":2,"total":6,"data":$})",
       R"({"page":1,"per_page":2,"total":2,"data":$})"},
      {"page, pages", R"({"items":$,"page":2,"pages":3})", "more",
       R"({"items":$,"page":3,"pages":3})", R"({"items":$,"page":1,"pages":1})"},
      {"page, total_pages in meta", R"({"data":$,"meta":{"page":2,"total_pages":3}})", "more",
       R"({"data":$,"meta":{"page":3,"total_pages":3}})",
       R"({"data":$,"meta":{"page":1,"total_pages":1}})"},
      {"current_page, last_page, next_page_url",
       R"({"data":$,"current_page":2,"last_page":3,"next_page_url":"https://a.test/x?page=3"})",
       "more, next https://a.test/x?page=3",
       R"({"data":$,"current_page":3,"last_page":3,"next_page_url":null})",
       R"({"data":$,"current_page":1,"last_page":1,"next_page_url":null})"},
      {"next_page as a number", R"({"items":$,"page":2,"next_page":3,"total_pages":3})",
       "more, next 3", R"({"items":$,"page":3,"next_page":null,"total_pages":3})",
       R"({"items":$,"page":1,"next_page":null,"total_pages":1})"},
      {"number, totalPages of Spring", R"({"content":$,"number":1,"size":2,"totalPages":3})",
       "more", R"({"content":$,"number":2,"size":2,"totalPages":3,"last":true})",
       R"({"content":$,"number":0,"size":2,"totalPages":1,"last":true})"},
      {"page object of Spring HATEOAS",
       R"({"_embedded":{"users":$},"page":{"size":2,"totalElements":6,"totalPages":3,"number":1}})",
       "more",
       R"({"_embedded":{"users":$},"page":{"size":2,"totalElements":6,"totalPages":3,"number":2}})",
       R"({"_embedded":{"users":$},"page":{"size":2,"totalElements":2,"totalPages":1,"number":0}})"},
      {"offset, limit, total", R"({"offset":2,"limit":2,"total":6,"results":$})", "more, offset 4",
       R"({"offset":4,"limit":2,"total":6,"results":$})",
       R"({"offset":0,"limit":2,"total":2,"results":$})"},
      {"skip, limit, total", R"({"users":$,"total":6,"skip":2,"limit":2})", "more, offset 4",
       R"({"users":$,"total":6,"skip":4,"limit":2})",
       R"({"users":$,"total":2,"skip":0,"limit":2})"},
      {"startAt, maxResults, total", R"({"startAt":2,"maxResults":2,"total":6,"issues":$})",
       "more, offset 4", R"({"startAt":4,"maxResults":2,"total":6,"issues":$})",
       R"({"startAt":0,"maxResults":2,"total":2,"issues":$})"},
      {"isLast", R"({"startAt":2,"isLast":false,"values":$})", "more, offset 4",
       R"({"startAt":4,"isLast":true,"values":$})", R"({"startAt":0,"isLast":true,"values":$})"},
      {"startIndex from 1 of SCIM",
       R"({"totalResults":6,"startIndex":3,"itemsPerPage":2,"Resources":$})", "more, offset 5",
       R"({"totalResults":6,"startIndex":5,"itemsPerPage":2,"Resources":$})",
       R"({"totalResults":2,"startIndex":1,"itemsPerPage":2,"Resources":$})"},
      {"next_offset", R"({"items":$,"next_offset":4})", "more, offset 4",
       R"({"items":$,"next_offset":null})", R"({"items":$,"next_offset":null})"},
      {"has_more", R"({"object":"list","data":$,"has_more":true})", "more",
       R"({"object":"list","data":$,"has_more":false})",
       R"({"object":"list","data":$,"has_more":false})"},
      {"has_more, next_cursor", R"({"results":$,"has_more":true,"next_cursor":"n1"})",
       "more, next n1", R"({"results":$,"has_more":false,"next_cursor":null})",
       R"({"results":$,"has_more":false,"next_cursor":null})"},
      {"hasNext, as text", R"({"rows":$,"hasNext":"true"})", "more",
       R"({"rows":$,"hasNext":"false"})", R"({"rows":$,"hasNext":"false"})"},
      {"nextPageToken", R"({"files":$,"nextPageToken":"n1"})", "more, next n1",
       R"({"files":$,"nextPageToken":""})", R"({"files":$,"kind":"drive#fileList"})", "end",
       "unknown"},
      {"next_page_token", R"({"items":$,"next_page_token":"n1"})", "more, next n1",
       R"({"items":$,"next_page_token":""})", R"({"items":$,"next_page_token":""})"},
      {"response_metadata.next_cursor",
       R"({"ok":true,"channels":$,"response_metadata":{"next_cursor":"n1"}})", "more, next n1",
       R"({"ok":true,"channels":$,"response_metadata":{"next_cursor":""}})",
       R"({"ok":true,"channels":$,"response_metadata":{"next_cursor":""}})"},
      {"pageInfo",
       R"({"data":{"issues":{"nodes":$,"pageInfo":{"hasNextPage":true,"endCursor":"n1"}}}})",
       "more, next n1",
       R"({"data":{"issues":{"nodes":$,"pageInfo":{"hasNextPage":false,"endCursor":"n2"}}}})",
       R"({"data":{"issues":{"nodes":$,"pageInfo":{"hasNextPage":false,"endCursor":"n2"}}}})"},
      {"links.next", R"({"data":$,"links":{"self":"u2","next":"u3","last":"u3"}})", "more, next u3",
       R"({"data":$,"links":{"self":"u3","next":null,"last":"u3"}})",
       R"({"data":$,"links":{"self":"u1","next":null}})"},
      {"links without next", R"({"data":$,"links":{"self":"u2","prev":"u1","next":"u3"}})",
       "more, next u3", R"({"data":$,"links":{"self":"u3","prev":"u2"}})",
       R"({"data":$,"links":{"self":"u1","first":"u1","last":"u1"}})"},
      {"_links.next.href", R"({"_links":{"self":{"href":"u2"},"next":{"href":"u3"}},"items":$})",
       "more, next u3", R"({"_links":{"self":{"href":"u3"},"prev":{"href":"u2"}},"items":$})",
       R"({"_links":{"self":{"href":"u1"},"first":{"href":"u1"}},"items":$})"},
      {"links as a list of relations",
       R"({"items":$,"links":[{"rel":"self","href":"u2"},{"rel":"next","href":"u3"}]})",
       "more, next u3",
       R"({"items":$,"links":[{"rel":"self","href":"u3"},{"rel":"prev","href":"u2"}]})",
       R"({"items":$,"links":[{"rel":"self","href":"u1"}]})", "end", "unknown"},
      {"link of a FHIR bundle",
       R"({"resourceType":"Bundle","link":[{"relation":"self","url":"u2"},{"relation":"next","url":"u3"}],"entry":$})",
       "more, next u3",
       R"({"resourceType":"Bundle","link":[{"relation":"self","url":"u3"}],"entry":$})",
       R"({"resourceType":"Bundle","link":[{"relation":"self","url":"u1"}],"entry":$})", "unknown",
       "unknown"},
      {"Link header of RFC 8288",
       R"({"items":$,"link":"<https://a.test/x?page=1>; rel=\"prev\", <https://a.test/x?page=3>; rel=\"next\""})",
       "more, next https://a.test/x?page=3",
       R"({"items":$,"link":"<https://a.test/x?page=2>; rel=\"prev\", <https://a.test/x?page=1>; rel=\"first\""})",
       R"({"items":$,"link":"<https://a.test/x?page=1>; rel=first"})"},
      {"Link header among headers",
       R"({"items":$,"headers":{"Link":"<u3>; title=\"a, b\"; rel=\"last next\"","ETag":"x"}})",
       "more, next u3", R"({"items":$,"headers":{"Link":"<u2>; rel=\"prev\"","ETag":"x"}})",
       R"({"items":$,"headers":{"Link":"<u1>; rel=\"first\"","ETag":"x"}})"},
      {"@odata.nextLink", R"({"@odata.context":"c","value":$,"@odata.nextLink":"u3"})",
       "more, next u3", R"({"@odata.context":"c","value":$,"@odata.nextLink":""})",
       R"({"@odata.context":"c","@odata.count":2,"value":$})"},
      {"count, next, previous of Django", R"({"count":6,"next":"u3","previous":"u1","results":$})",
       "more, next u3", R"({"count":6,"next":null,"previous":"u2","results":$})",
       R"({"count":2,"next":null,"previous":null,"results":$})"},
      {"paging.next.after of HubSpot",
       R"({"results":$,"paging":{"next":{"after":"n1","link":"u3"}}})", "more, next n1",
       R"({"results":$,"paging":{"next":null}})", R"({"results":$,"paging":{}})", "end", "unknown"},
      {"paging.cursors of Facebook",
       R"({"data":$,"paging":{"cursors":{"before":"b","after":"a"},"next":"u3"}})",
       "more, next u3, after a",
       R"({"data":$,"paging":{"cursors":{"before":"b","after":"a"},"previous":"u1"}})",
       R"({"data":$,"paging":{"cursors":{"before":"b","after":"a"}}})", "unknown, after a",
       "unknown, after a"},
      {"LastEvaluatedKey", R"({"Items":$,"Count":2,"LastEvaluatedKey":{"id":{"S":"4"}}})",
       R"(more, next {"id":{"S":"4"}})", R"({"Items":$,"Count":2,"LastEvaluatedKey":null})",
       R"({"Items":$,"Count":2,"ScannedCount":2})", "end", "unknown"},
      {"IsTruncated, Marker", R"({"Users":$,"IsTruncated":true,"Marker":"n1"})", "more, next n1",
       R"({"Users":$,"IsTruncated":false})", R"({"Users":$,"IsTruncated":false})"},
      {"IsTruncated, NextMarker beside the Marker of the request",
       R"({"Contents":$,"Marker":"m0","NextMarker":"n1","IsTruncated":true})", "more, next n1",
       R"({"Contents":$,"Marker":"m0","IsTruncated":false})",
       R"({"Contents":$,"Marker":"","IsTruncated":false})"},
      {"NextToken", R"({"LogStreams":$,"NextToken":"n1"})", "more, next n1",
       R"({"LogStreams":$,"NextToken":null})", R"({"LogStreams":$,"NextToken":null})"},
      {"continue of Kubernetes",
       R"({"kind":"PodList","metadata":{"continue":"n1","remainingItemCount":2},"items":$})",
       "more, next n1",
       R"({"kind":"PodList","metadata":{"continue":"","resourceVersion":"7"},"items":$})",
       R"({"kind":"PodList","metadata":{"continue":""},"items":$})"},
      {"remainingItemCount alone",
       R"({"kind":"PodList","metadata":{"remainingItemCount":2},"items":$})", "more",
       R"({"kind":"PodList","metadata":{"remainingItemCount":0},"items":$})",
       R"({"kind":"PodList","metadata":{"remainingItemCount":0},"items":$})"},
      {"scroll id of Elasticsearch, which the last page has too",
       R"({"_scroll_id":"s1","hits":{"total":{"value":6,"relation":"eq"},"hits":$}})",
       "unknown, next s1",
       R"({"_scroll_id":"s1","hits":{"total":{"value":6,"relation":"eq"},"hits":[]}})",
       R"({"_scroll_id":"s1","hits":{"total":{"value":2,"relation":"eq"},"hits":$}})"},
      {"bookmark of CouchDB", R"({"docs":$,"bookmark":"n1"})", "unknown, next n1",
       R"({"docs":[],"bookmark":"n1"})", R"({"docs":[],"bookmark":"nil"})"},
      {"Content-Range among headers", R"({"items":$,"headers":{"Content-Range":"items 2-3/6"}})",
       "more, offset 4", R"({"items":$,"headers":{"Content-Range":"items 4-5/6"}})",
       R"({"items":$,"headers":{"Content-Range":"items 0-1/2"}})"},
      {"continuation of MediaWiki",
       R"({"batchcomplete":true,"pages":$,"continue":{"apcontinue":"n1","continue":"-||"}})",
       R"(more, next {"apcontinue":"n1","continue":"-||"})", R"({"batchcomplete":true,"pages":$})",
       R"({"batchcomplete":true,"pages":$})", "unknown", "unknown"},
  };
  return all;
}

TEST(Paging, is_read_in_the_middle_at_the_end_and_on_an_only_page) {
  for (const Form& form : forms()) {
    SCOPED_TRACE(form.name);
    EXPECT_EQ(statement_of(filled(form.middle)), form.says);
    EXPECT_EQ(statement_of(filled(form.last)), form.last_says);
    EXPECT_EQ(statement_of(filled(form.only)), form.only_says);
  }
}

TEST(Paging, says_nothing_of_pages_that_the_answer_does_not_tell) {
  for (const char* answer : {R"([{"id":1}])", R"({"items":$})",
                             R"({"items":$,"page":2,"per_page":2})", R"({"items":$,"total":6})",
                             R"({"items":$,"offset":2,"limit":2})", R"({"items":$,"count":2})"}) {
    EXPECT_EQ(statement_of(filled(answer)).substr(0, 7), "unknown") << answer;
  }
}

// A typed tool knows both; it takes the cursor, and no offset.
TEST(Paging, of_generic_names_the_cursor_before_the_offset_in_it) {
  model::Response response;
  response.payload = json::parse_own(kTwo);
  response.page = model::Page{
      .cursor = "eyJvZmZzZXQiOjJ9", .has_more = true, .next_offset = model::Number{"2"}};
  json::Writer writer;
  render(Id::generic, response, {}, writer);
  const json::Value generic = std::move(writer).finish_value();
  EXPECT_EQ(json::to_text(*generic->find("pagination")),
            R"({"hasMore":true,"nextOffset":"eyJvZmZzZXQiOjJ9"})");
}

}  // namespace
}  // namespace enfold::contract

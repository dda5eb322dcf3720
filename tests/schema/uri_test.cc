// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/compile/index.h"

#include <gtest/gtest.h>

namespace enfold::schema::detail {
namespace {

TEST(SchemaUri, resolves_references_as_rfc_3986_section_5_4_lists_them) {
  const struct {
    std::string reference;
    std::string want;
  } rows[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"g..", "http://a/b/c/g.."},
      {"./g/.", "http://a/b/c/g/"},
      {"g;x=1/../y", "http://a/b/c/y"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(schema::detail::resolve_uri("http://a/b/c/d;p?q", row.reference), row.want)
        << row.reference;
  }
}

TEST(SchemaUri, bases_without_hierarchy_work_too) {
  EXPECT_EQ(schema::detail::resolve_uri("schema:", "#/$defs/a"), "schema:#/$defs/a");
  EXPECT_EQ(schema::detail::resolve_uri("schema:", "other.json"), "schema:other.json");
  EXPECT_EQ(schema::detail::resolve_uri("urn:uuid:1", "#x"), "urn:uuid:1#x");
  EXPECT_EQ(schema::detail::resolve_uri("http://a", "b"), "http://a/b");
}

TEST(SchemaUri, fragments_are_split_and_decoded) {
  EXPECT_EQ(schema::detail::split_fragment("http://a/b#/c%25d").document, "http://a/b");
  EXPECT_EQ(
      schema::detail::decode_fragment(schema::detail::split_fragment("http://a/b#/c%25d").fragment),
      "/c%d");
  EXPECT_EQ(schema::detail::split_fragment("http://a/b").fragment, "");
  EXPECT_EQ(schema::detail::decode_fragment("100%"), "100%");
  EXPECT_EQ(schema::detail::decode_fragment("%zz%4"), "%zz%4");
}

}  // namespace
}  // namespace enfold::schema::detail

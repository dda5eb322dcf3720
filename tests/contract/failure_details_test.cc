// SPDX-License-Identifier: Apache-2.0
// What failures without a contract say about the input that was wrong or the thing that is missing.
#include "enfold/contract/reading/failure.h"
#include "enfold/json/write.h"

#include <gtest/gtest.h>

namespace enfold::contract {
namespace {

std::string text_of(const std::optional<json::Value>& details) {
  return details ? json::to_text(details->view()) : "-";
}

struct Case {
  const char* source;
  const char* details;
};

TEST(FailureDetails, of_sentences_name_the_field_or_the_resource) {
  const Case cases[] = {
      {"Spec not found: invalid-spec-id",
       R"({"resource_type":"spec","resource_id":"invalid-spec-id"})"},
      {"Spec 'nonexistent-spec' not found",
       R"({"resource_type":"spec","resource_id":"nonexistent-spec"})"},
      {"Error response from daemon: No such container: web_7",
       R"({"resource_type":"container","resource_id":"web_7"})"},
      {R"(ERROR:  relation "custmers" does not exist)",
       R"({"resource_type":"relation","resource_id":"custmers"})"},
      {"(ResourceGroupNotFound) Resource group 'rg-web' could not be found.",
       R"({"resource_type":"resource group","resource_id":"rg-web"})"},
      {"FileNotFoundError: [Errno 2] No such file or directory: '/data/in.csv'",
       R"({"resource_type":"file","resource_id":"/data/in.csv"})"},
      {"ENOENT: no such file or directory, open '/srv/a.txt'",
       R"({"resource_type":"file","resource_id":"/srv/a.txt"})"},
      {"open /var/lib/app/state.json: no such file or directory",
       R"({"resource_type":"file","resource_id":"/var/lib/app/state.json"})"},
      {R"(Error from server (NotFound): deployments.apps "web" not found)",
       R"({"resource_type":"deployments.apps","resource_id":"web"})"},
      {"Not found", "-"},
      {"The page you asked for does not exist", "-"},
      {"field 'x' must match ^[a-z]+$, got 'y 1'",
       R"({"field":"x","constraint":"pattern","pattern":"^[a-z]+$","received":"y 1"})"},
      {"Validation failed: spec_id is required",
       R"({"field":"spec_id","constraint":"required","received":null})"},
      {"Missing required argument: path",
       R"({"field":"path","constraint":"required","received":null})"},
      {"missing field `port` at line 3 column 1",
       R"({"field":"port","constraint":"required","received":null})"},
      {"java.lang.IllegalArgumentException: limit must be between 1 and 100, was 5000",
       R"({"field":"limit","constraint":"range","received":5000})"},
      {"copies: expected at most 9, found 10",
       R"({"field":"copies","constraint":"range","received":10})"},
      {"age must be an integer, got \"ten\"",
       R"({"field":"age","constraint":"type","received":"ten"})"},
      {"Parameter 'state' must be one of open, closed", R"({"field":"state","constraint":"enum"})"},
      {"1 validation error for Order\nquantity\n  Input should be greater than 0 "
       "[type=greater_than, input_value=-3, input_type=int]",
       R"({"field":"quantity","constraint":"greater_than","received":-3})"},
      {"Validation failed", "-"},
      {"You must be careful with invalid input", "-"},
      {"The request timed out", "-"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(text_of(detail::failure_of_text(c.source).failure.details), c.details) << c.source;
  }
}

TEST(FailureDetails, of_structured_errors_come_from_the_first_violation) {
  const Case cases[] = {
      // FastAPI and pydantic
      {R"({"detail":[{"type":"missing","loc":["body","title"],"msg":"Field required","input":{}}]})",
       R"({"field":"title","constraint":"required","received":null})"},
      {R"({"detail":[{"type":"string_pattern_mismatch","loc":["query","id"],"msg":"String should match pattern '^a$'","input":"b","ctx":{"pattern":"^a$"}}]})",
       R"({"field":"id","constraint":"pattern","pattern":"^a$","received":"b"})"},
      // zod
      {R"({"error":"Validation failed","issues":[{"code":"invalid_type","expected":"number","received":"string","path":["filter","limit"],"message":"Expected number, received string"}]})",
       R"({"field":"filter.limit","constraint":"type","received":"string"})"},
      // ajv
      {R"({"success":false,"message":"bad arguments","errors":[{"instancePath":"/items/0/qty","keyword":"minimum","params":{"limit":1},"message":"must be >= 1","data":0}]})",
       R"({"field":"items.0.qty","constraint":"minimum","received":0})"},
      {R"({"success":false,"message":"invalid arguments","errors":[{"instancePath":"","keyword":"required","params":{"missingProperty":"name"},"message":"must have required property 'name'"}]})",
       R"({"field":"name","constraint":"required","received":null})"},
      // Rails and Laravel
      {R"({"success":false,"message":"Validation failed","errors":{"email":["can't be blank"]}})",
       R"({"field":"email","constraint":"required","received":null})"},
      // JSON:API
      {R"({"errors":[{"status":"422","title":"Invalid attribute","detail":"must be an integer","source":{"pointer":"/data/attributes/age"}}]})",
       R"({"field":"data.attributes.age","constraint":"type"})"},
      // RFC 9457
      {R"({"type":"about:blank","title":"Your request is not valid.","status":422,"invalid-params":[{"name":"age","reason":"must be a positive integer"}]})",
       R"({"field":"age","constraint":"type"})"},
      // Google
      {R"({"error":{"code":400,"message":"Invalid value","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"name","description":"is required"}]}]}})",
       R"({"field":"name","constraint":"required","received":null})"},
      // Kubernetes
      {R"({"kind":"Status","status":"Failure","message":"pods \"web\" not found","reason":"NotFound","details":{"name":"web","kind":"pods"},"code":404})",
       R"({"resource_type":"pods","resource_id":"web"})"},
  };
  for (const Case& c : cases) {
    const auto source = json::parse_own(c.source);
    const auto details = detail::failure_of_data(source.view()).failure.details;
    ASSERT_TRUE(details) << c.source;
    const json::Value wanted = json::parse_own(c.details);
    for (const json::Member& member : wanted->members()) {
      const auto found = details->view().find(member.key.string());
      ASSERT_TRUE(found) << c.source << " has no " << member.key.string() << " in "
                         << text_of(details);
      EXPECT_EQ(json::to_text(*found), json::to_text(member.value)) << c.source;
    }
  }
}

TEST(FailureDetails, of_the_source_are_kept_beside_ours) {
  const auto source = json::parse_own(
      R"({"error":{"code":"NOT_FOUND","message":"Task 'a' not found","details":{"project":"p","resource_id":"own"}}})");
  EXPECT_EQ(text_of(detail::failure_of_data(source.view()).failure.details),
            R"({"project":"p","resource_id":"own","resource_type":"task"})");
}

}  // namespace
}  // namespace enfold::contract

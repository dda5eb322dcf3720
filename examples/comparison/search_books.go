// SPDX-License-Identifier: Apache-2.0
// The tool of docs/guide/sdk-comparison.md with go-sdk 1.8.0. From its documentation, not run.
package books

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"slices"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.org/books/library"
)

var index = library.Index()

type SearchBooks struct {
	Query  string `json:"query"`
	Genre  string `json:"genre,omitempty"`
	Cursor string `json:"cursor,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}
type Book struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Year  int    `json:"year"`
}
type Notice struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}
type BookPage struct {
	Items      []Book   `json:"items"`
	NextCursor string   `json:"nextCursor,omitempty"`
	Warnings   []Notice `json:"warnings,omitempty"`
}

func searchBooks(ctx context.Context, req *mcp.CallToolRequest, in SearchBooks) (
	*mcp.CallToolResult, BookPage, error) {
	if in.Genre != "" && !slices.Contains(index.Genres, in.Genre) {
		text, _ := json.Marshal(map[string]any{"error": map[string]any{
			"code": "UNKNOWN_GENRE", "message": "No genre " + in.Genre, "known": index.Genres}})
		return nil, BookPage{}, errors.New(string(text))
	}
	found := []Book{}
	for part := range index.Parts {
		books, err := index.Scan(ctx, part, in.Query, in.Genre)
		if err != nil {
			return nil, BookPage{}, err
		}
		found = append(found, books...)
		if token := req.Params.GetProgressToken(); token != nil {
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(part + 1), Total: float64(index.Parts)})
		}
	}
	start, _ := strconv.Atoi(in.Cursor)
	start = min(start, len(found))
	end := min(start+in.Limit, len(found))
	page := BookPage{Items: found[start:end]}
	if end < len(found) {
		page.NextCursor = strconv.Itoa(end)
	}
	if index.Stale {
		page.Warnings = []Notice{{"STALE_INDEX", "The index is more than a day old"}}
	}
	return nil, page, nil
}

func newServer() *mcp.Server {
	input, err := jsonschema.For[SearchBooks](nil)
	if err != nil {
		log.Fatal(err)
	}
	input.Properties["query"].MinLength = jsonschema.Ptr(1)
	input.Properties["cursor"].Pattern = "^[0-9]+$"
	limit := input.Properties["limit"]
	limit.Minimum, limit.Maximum = jsonschema.Ptr(1.0), jsonschema.Ptr(50.0)
	limit.Default = json.RawMessage("20")
	server := mcp.NewServer(&mcp.Implementation{Name: "books", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{
		Name: "search_books", Description: "Finds books by words of their titles",
		InputSchema: input, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, searchBooks)
	return server
}

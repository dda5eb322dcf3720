# SPDX-License-Identifier: Apache-2.0
# The tool of docs/guide/sdk-comparison.md with FastMCP 4.0. From its documentation, not run.
import json
from typing import Annotated

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from pydantic import BaseModel, Field

from library import index


class Book(BaseModel):
    id: str
    title: str
    year: int


class Notice(BaseModel):
    code: str
    message: str


class BookPage(BaseModel):
    items: list[Book]
    next_cursor: str | None = None
    warnings: list[Notice] = []


mcp = FastMCP("books")


@mcp.tool(annotations={"readOnlyHint": True})
async def search_books(
    query: Annotated[str, Field(min_length=1)],
    ctx: Context,
    genre: str | None = None,
    cursor: Annotated[str | None, Field(pattern="^[0-9]+$")] = None,
    limit: Annotated[int, Field(ge=1, le=50)] = 20,
) -> BookPage:
    """Finds books by words of their titles"""
    if genre is not None and genre not in index.genres:
        error = {"code": "UNKNOWN_GENRE", "message": f"No genre {genre}"}
        raise ToolError(json.dumps({"error": error | {"known_genres": index.genres}}))
    found = []
    for part in range(index.parts):
        found += await index.scan(part, query, genre)
        await ctx.report_progress(part + 1, index.parts)
    start = int(cursor or 0)
    page = BookPage(items=found[start:start + limit])
    if start + limit < len(found):
        page.next_cursor = str(start + limit)
    if index.stale:
        page.warnings.append(Notice(code="STALE_INDEX", message="The index is more than a day old"))
    return page

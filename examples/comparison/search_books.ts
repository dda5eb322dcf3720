// SPDX-License-Identifier: Apache-2.0
// The tool of docs/guide/sdk-comparison.md with @modelcontextprotocol/server 2.4.0.
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import { index } from './library.ts';

const Book = z.object({ id: z.string(), title: z.string(), year: z.int() });
const Notice = z.object({ code: z.string(), message: z.string() });
const BookPage = z.object({
  items: z.array(Book),
  nextCursor: z.string().optional(),
  warnings: z.array(Notice),
});

export const server = new McpServer({ name: 'books', version: '1.0.0' });
server.registerTool(
  'search_books',
  {
    description: 'Finds books by words of their titles',
    inputSchema: z.strictObject({
      query: z.string().min(1),
      genre: z.string().optional(),
      cursor: z.string().regex(/^[0-9]+$/).optional(),
      limit: z.int().min(1).max(50).default(20),
    }),
    outputSchema: BookPage,
    annotations: { readOnlyHint: true },
  },
  async ({ query, genre, cursor, limit }, ctx) => {
    if (genre !== undefined && !index.genres.includes(genre)) {
      const error = { code: 'UNKNOWN_GENRE', message: `No genre ${genre}`, known: index.genres };
      return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error }) }] };
    }
    const progressToken = ctx.mcpReq._meta?.progressToken;
    const found: z.infer<typeof Book>[] = [];
    for (let part = 0; part < index.parts; ++part) {
      ctx.mcpReq.signal.throwIfAborted();
      found.push(...(await index.scan(part, query, genre)));
      if (progressToken === undefined) continue;
      const params = { progressToken, progress: part + 1, total: index.parts };
      await ctx.mcpReq.notify({ method: 'notifications/progress', params });
    }
    const end = Number(cursor ?? 0) + limit;
    const page: z.infer<typeof BookPage> = { items: found.slice(end - limit, end), warnings: [] };
    if (end < found.length) page.nextCursor = String(end);
    if (index.stale) {
      page.warnings.push({ code: 'STALE_INDEX', message: 'The index is more than a day old' });
    }
    return { content: [{ type: 'text', text: JSON.stringify(page) }], structuredContent: page };
  },
);

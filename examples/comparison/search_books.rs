// SPDX-License-Identifier: Apache-2.0
// The tool of docs/guide/sdk-comparison.md with rmcp 3.5.1. From its documentation, not run.
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{Json, schemars, schemars::JsonSchema, tool, tool_router};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::library::Index;

#[derive(Clone)]
struct Books {
    index: Index,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchBooks {
    #[schemars(length(min = 1))]
    query: String,
    genre: Option<String>,
    cursor: Option<String>,
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}
fn twenty() -> usize {
    20
}
#[derive(Serialize, JsonSchema)]
struct Book {
    id: String,
    title: String,
    year: i32,
}
#[derive(Serialize, JsonSchema)]
struct Notice {
    code: String,
    message: String,
}
#[derive(Serialize, JsonSchema)]
struct BookPage {
    items: Vec<Book>,
    next_cursor: Option<String>,
    warnings: Vec<Notice>,
}

#[tool_router(server_handler)]
impl Books {
    #[tool(
        description = "Finds books by words of their titles",
        annotations(read_only_hint = true)
    )]
    async fn search_books(
        &self,
        Parameters(asked): Parameters<SearchBooks>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<BookPage>, String> {
        let start = asked.cursor.as_deref().unwrap_or("0").parse::<usize>();
        let (Ok(start), false, 1..=50) = (start, asked.query.is_empty(), asked.limit) else {
            return Err(json!({"error": {"code": "INVALID_ARGUMENTS"}}).to_string());
        };
        let index = &self.index;
        if let Some(genre) = asked.genre.as_ref().filter(|name| !index.genres.contains(name)) {
            let error = json!({"code": "UNKNOWN_GENRE", "genre": genre, "known": index.genres});
            return Err(json!({"error": error}).to_string());
        }
        let mut found = Vec::new();
        for part in 0..index.parts {
            if context.ct.is_cancelled() {
                return Err("cancelled".into());
            }
            found.extend(index.scan(part, &asked.query, asked.genre.as_deref()).await);
            if let Some(token) = context.meta.get_progress_token() {
                let progress = ProgressNotificationParam::new(token, (part + 1) as f64)
                    .with_total(index.parts as f64);
                let _ = context.peer.notify_progress(progress).await;
            }
        }
        let end = start.saturating_add(asked.limit);
        let next_cursor = (end < found.len()).then(|| end.to_string());
        let items = found.into_iter().skip(start).take(asked.limit).collect();
        let mut page = BookPage { items, next_cursor, warnings: vec![] };
        if index.stale {
            let message = "The index is more than a day old".into();
            page.warnings.push(Notice { code: "STALE_INDEX".into(), message });
        }
        Ok(Json(page))
    }
}

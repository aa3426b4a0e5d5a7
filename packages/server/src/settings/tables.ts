declare module '../platform/database/tables.ts' {
  interface Tables {
    notification_settings: NotificationSettingsRow;
    mcp_settings: { user_id: string; built_in_tools: string; space_tools: string };
  }
}

export interface NotificationSettingsRow {
  user_id: string;
  /** Every key as it was given. */
  data: string;
  web_discussions_participating: number;
  web_discussions_watched: number;
  web_posts_participating: number;
  discussions_participating: number;
  discussions_watched: number;
  posts_participating: number;
  arxiv_paper_activity: number;
}

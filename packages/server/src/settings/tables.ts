import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    notification_settings: NotificationSettingsRow;
    mcp_settings: { user_id: string; built_in_tools: string; space_tools: string };
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const SETTINGS_BACKUP = {
  notification_settings: 'kept',
  mcp_settings: 'kept',
} satisfies TablePlan;

export interface NotificationSettingsRow {
  user_id: string;
  /** All keys as they were set, in JSON. */
  data: string;
  web_discussions_participating: number;
  web_discussions_watched: number;
  web_posts_participating: number;
  discussions_participating: number;
  discussions_watched: number;
  posts_participating: number;
  arxiv_paper_activity: number;
  gated_user_access_request: number;
}

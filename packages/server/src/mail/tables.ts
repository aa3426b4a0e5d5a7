import { bigint, integer, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    mails: MailRow;
  }
}

export const MAIL = {
  id: text(),
  user_id: text(),
  /** Key of the notification settings that turns it off, or `security`. */
  kind: text(),
  thread_id: text<string | null>(),
  first_comment_id: text<string | null>(),
  last_comment_id: text<string | null>(),
  data: text<string | null>(),
  created_at: bigint(),
  due_at: bigint(),
  attempts: integer(),
  state: text<'waiting' | 'sending' | 'sent' | 'failed'>(),
  error: text<string | null>(),
};

export type MailRow = RowOf<typeof MAIL>;

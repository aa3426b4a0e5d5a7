import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, integer, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    mails: MailRow;
  }

  interface Queues {
    mails: 'mails';
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const MAIL_BACKUP = {
  mails: 'kept',
} satisfies TablePlan;

export const MAIL = {
  id: text(),
  /** Null: the mail goes to an address that no account has yet. */
  user_id: text<string | null>(),
  /** The key of the notification settings that turns the mail off, or else `security`, `invitation` or `access-address`. */
  kind: text(),
  thread_id: text<string | null>(),
  first_comment_id: text<string | null>(),
  last_comment_id: text<string | null>(),
  /** JSON: of a notice its cause, of a mail about a thread the ids of its comments once it is being sent. */
  data: text<string | null>(),
  created_at: bigint(),
  /** When to send the mail; while it is being sent, when the claim on it ends. */
  due_at: bigint(),
  attempts: integer(),
  state: text<'waiting' | 'sending' | 'sent' | 'failed'>(),
  error: text<string | null>(),
};

export type MailRow = RowOf<typeof MAIL>;

import type { RepoType } from '@moonbase/contract/primitives';
import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    notifications: NotificationRow;
    /** Suspended notifications: those about deleted organizations. */
    hidden_notifications: NotificationRow;
    /** Notifications that their users are done with; one in `notifications` about the same thread takes precedence. */
    done_notifications: NotificationRow;
    inboxes: { user_id: string; all_count: number; unread_count: number; version: number };
    thread_participants: ThreadParticipantRow;
    shown_threads: ShownThreadRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const NOTIFICATIONS_BACKUP = {
  notifications: 'kept',
  hidden_notifications: 'kept',
  done_notifications: 'kept',
  // Counters that could be counted, but not their versions, by which clients know what they have.
  inboxes: 'kept',
  thread_participants: 'kept',
  shown_threads: 'left out: derived; a thread without a row is made ready when it is read',
} satisfies TablePlan;

/** The columns of all three tables of notifications. */
export const NOTIFICATION_COLUMNS = [
  'thread_id',
  'user_id',
  'subject',
  'source_id',
  'involvement',
  'updated_at',
  'read',
  'activity_id',
  'event_id',
] as const satisfies readonly (keyof NotificationRow)[];

export interface NotificationRow {
  thread_id: string;
  user_id: string;
  /** What the thread is about: a type of repository, or one of these; `community_blog` is an article. */
  subject: RepoType | 'paper' | 'post' | 'community_blog';
  /** The repository, the paper, or the author of a post or article. */
  source_id: string;
  /** How the user is involved: 0 watches, 1 takes part, 2 was mentioned. */
  involvement: number;
  updated_at: number;
  read: number;
  /** The id of the event of the newest activity. */
  activity_id: string;
  /** The comment or change of status that the notification links to. */
  event_id: string | null;
}

/** A user who wrote in a thread or was mentioned in it; `wrote` and `mentioned` are flags. */
export interface ThreadParticipantRow {
  thread_id: string;
  user_id: string;
  source_id: string;
  wrote: number;
  mentioned: number;
  last_at: number;
}

/** The stored preview of a thread. */
export interface ShownThreadRow {
  thread_id: string;
  source_id: string;
  /** JSON without its closing brace, as `presentThread` returns it. */
  body: string;
  discussion_id: string | null;
  paper_id: string | null;
  post_id: string | null;
}

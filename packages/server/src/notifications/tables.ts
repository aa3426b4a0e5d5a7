import type { RepoType } from '@moonbase/contract/primitives';

declare module '../platform/database/tables.ts' {
  interface Tables {
    notifications: NotificationRow;
    hidden_notifications: NotificationRow;
    inboxes: { user_id: string; all_count: number; unread_count: number; version: number };
    thread_participants: ThreadParticipantRow;
    shown_threads: ShownThreadRow;
  }
}

export interface NotificationRow {
  thread_id: string;
  user_id: string;
  /** What the thread is about; `community_blog` is an article. */
  subject: RepoType | 'paper' | 'post' | 'community_blog';
  /** The repository, the paper, or the author of a post or article. */
  source_id: string;
  /** 0 watches, 1 takes part, 2 was mentioned. */
  involvement: number;
  updated_at: number;
  read: number;
  /** The event of the newest activity. */
  activity_id: string;
  /** A comment, or a change of status. */
  event_id: string | null;
}

export interface ThreadParticipantRow {
  thread_id: string;
  user_id: string;
  source_id: string;
  wrote: number;
  mentioned: number;
  last_at: number;
}

export interface ShownThreadRow {
  thread_id: string;
  source_id: string;
  body: string;
  discussion_id: string | null;
  paper_id: string | null;
  post_id: string | null;
}

import type { TokenRole } from '@moonbase/contract/accounts/profiles';
import type { AuditEventType } from '@moonbase/contract/audit-log/event-types';
import type { ClaimStatus } from '@moonbase/contract/papers/claims';
import type { Plan, RepoType } from '@moonbase/contract/primitives';
import type { Generated } from 'kysely';
import { bigint, integer, type RowOf, text } from './columns.ts';
import type { JobEventRow, JobLogRow, JobRow, ScheduledJobRow } from './job-tables.ts';
import type {
  CustomRoleRow,
  InvitationRow,
  MembershipTable,
  OrganizationSettingsRow,
  OrganizationTokenRow,
  ResourceGroupRow,
  ResourceGroupUserRow,
} from './organization-tables.ts';
import type { ScimGroupRow, ScimLinkRow, ScimUserRow } from './scim-tables.ts';
import type {
  DeliveryAttemptRow,
  DeliveryRow,
  WatchedRow,
  WebhookReplayRow,
  WebhookRow,
  WebhookVersionRow,
} from './webhook-tables.ts';

export type * from './job-tables.ts';
export type * from './organization-tables.ts';
export type * from './scim-tables.ts';
export type * from './webhook-tables.ts';

/** The rows of every table (migrations/*.sql): times in epoch milliseconds, flags 0 or 1, JSON as text. */
export interface Tables {
  settings: { name: string; value: string };
  accounts: AccountRow;
  tokens: TokenRow & { last_used_at: Generated<number | null>; made_by: Generated<string | null> };
  avatars: AvatarRow;
  memberships: MembershipTable;
  custom_roles: CustomRoleRow;
  resource_groups: ResourceGroupRow;
  resource_group_users: ResourceGroupUserRow;
  organization_settings: OrganizationSettingsRow;
  organization_tokens: OrganizationTokenRow;
  invitations: InvitationRow;
  repositories: RepositoryRow;
  refs: { repo_id: string; ref: string; sha: string };
  discussions: DiscussionRow;
  discussion_events: DiscussionEventRow;
  papers: {
    id: string;
    arxiv_id: string;
    title: string;
    /** In lower case. */
    title_key: Generated<string>;
    summary: string;
    created_at: number;
  };
  paper_authors: PaperAuthorRow;
  paper_claims: PaperClaimRow;
  posts: PostRow;
  comments: CommentRow;
  watches: WatchRow;
  mutes: MuteRow;
  notification_settings: NotificationSettingsRow;
  mcp_settings: { user_id: string; built_in_tools: string; space_tools: string };
  events: EventRow;
  webhooks: WebhookRow;
  webhook_watched: WatchedRow;
  webhook_versions: WebhookVersionRow;
  deliveries: DeliveryRow;
  delivery_attempts: DeliveryAttemptRow;
  tasks: TaskRow;
  webhook_replays: WebhookReplayRow;
  jobs: JobRow;
  job_logs: JobLogRow;
  job_events: JobEventRow;
  scheduled_jobs: ScheduledJobRow;
  rate_windows: { window_start: number; subject: string; used: number };
  lane_leases: { lane: string; owner: string; held_until: number };
  dead_letters: DeadLetterRow;
  processes: { id: string; started_at: number; seen_at: number };
  suspects: { queue: QueueName; item_id: string; deaths: number; held_by: string | null };
  mails: MailRow;
  notifications: NotificationRow;
  hidden_notifications: NotificationRow;
  inboxes: { user_id: string; all_count: number; unread_count: number; version: number };
  thread_participants: ThreadParticipantRow;
  shown_threads: ShownThreadRow;
  audit_events: AuditEventRow;
  audit_chains: { org_id: string; seq: number; hash: string };
  audit_copies: { org_id: string; seq: number };
  scim_users: ScimUserRow;
  scim_groups: ScimGroupRow;
  scim_group_members: { group_id: string; user_id: string };
  scim_links: ScimLinkRow;
  scim_roles: { org_id: string; user_id: string; own_role: string; given_role: string };
}

export interface AccountRow {
  id: string;
  kind: 'user' | 'org';
  name: string;
  name_key: string;
  fullname: string;
  avatar_url: string | null;
  created_at: number;
  email: string | null;
  pro: number;
  site_admin: number;
  plan: Plan;
  details: string | null;
  /** Null: the account is enabled. */
  disabled_at: number | null;
  /** The site administrator or the organization that disabled it. */
  disabled_by: string | null;
}

export interface AvatarRow {
  account_id: string;
  hash: string;
  picture: Uint8Array;
  created_at: number;
}

export interface TokenRow {
  id: string;
  user_id: string;
  display_name: string;
  role: TokenRole;
  fine_grained: string | null;
  hash: string;
  last4: string;
  created_at: number;
}

export interface RepositoryRow {
  id: string;
  type: RepoType;
  owner_id: string;
  name: string;
  name_key: string;
  private: number;
  created_by: string | null;
  created_at: number;
  head_sha: string | null;
  sdk: string | null;
  gated: string | null;
  discussions_disabled: number;
  discussion_count: number;
  last_modified: number;
  resource_group_id: string | null;
  resource_group_added_by: string | null;
}

export interface DiscussionRow {
  id: string;
  repo_id: string;
  num: number;
  title: string;
  status: 'draft' | 'open' | 'closed' | 'merged';
  is_pull_request: number;
  author_id: string | null;
  created_at: number;
  merge_commit_id: string | null;
  pinned: number;
  title_key: string;
  comment_count: number;
  active_at: number;
  head_sha: string | null;
}

export interface DiscussionEventRow {
  id: string;
  discussion_id: string;
  type: 'comment' | 'status-change' | 'title-change' | 'pinning-change' | 'ref-deleted';
  author_id: string | null;
  created_at: number;
  data: string;
}

export interface PaperAuthorRow {
  id: string;
  paper_id: string;
  position: number;
  name: string;
  /** Who it is, where that is known. */
  user_id: string | null;
  /** How that is known. */
  status: 'admin_assigned' | 'claim_verified' | null;
  status_changed_at: number | null;
}

export interface PaperClaimRow {
  id: string;
  paper_id: string;
  author_id: string;
  user_id: string;
  requested_by: string | null;
  status: ClaimStatus;
  created_at: number;
  decided_at: number | null;
}

export interface CommentRow {
  id: string;
  thread_type: 'paper' | 'post' | 'community_blog';
  thread_id: string;
  reply_to: string | null;
  author_id: string | null;
  created_at: number;
  data: string;
}

export interface PostRow {
  id: string;
  kind: 'post' | 'article';
  author_id: string;
  slug: string;
  title: string;
  canonical: number;
  created_at: number;
}

export const WATCH = {
  user_id: text(),
  target_type: text<'user' | 'org' | 'repo'>(),
  target_id: text(),
  created_at: bigint(),
};

export type WatchRow = RowOf<typeof WATCH>;

export const MUTE = { ...WATCH, target_type: text<'repo' | 'discussion'>() };

export type MuteRow = RowOf<typeof MUTE>;

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

export interface EventRow {
  id: string;
  topic: string;
  created_at: number;
  data: string;
  due_at: number;
  attempts: number;
  done_at: number | null;
  /** Where reactions have come to. */
  progress: string | null;
  /** `traceparent` of what was going on when it happened. */
  trace: string | null;
  /** Orders it against changes that decide what follows from it. */
  epoch: number;
}

export interface TaskRow {
  id: string;
  kind: string;
  key: string | null;
  data: string;
  due_at: number;
  attempts: number;
  created_at: number;
}

/** The queues whose items can be set aside. */
export type QueueName = 'events' | 'tasks' | 'deliveries' | 'mails' | 'jobs' | 'scheduled-jobs';

export interface DeadLetterRow {
  id: string;
  queue: QueueName;
  item_id: string;
  kind: string;
  error: string;
  failures: number;
  /** Processes that died while they had it in hand. */
  deaths: number;
  created_at: number;
  set_aside_at: number;
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

export interface AuditEventRow {
  org_id: string;
  /** From 1, without a gap. */
  seq: number;
  id: string;
  created_at: number;
  type: AuditEventType;
  author_id: string | null;
  author_key: string | null;
  ip: string | null;
  token_id: string | null;
  /** Canonical JSON of what the hash is over. */
  body: string;
  context: string;
  prev_hash: string;
  hash: string;
}

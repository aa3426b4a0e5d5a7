import type { Tables } from '../database/tables.ts';

/**
 * What a backup holds, and what it leaves out and why: every table of every schema is named here, a table after those
 * that it refers to, which is the order of writing and of restoring.
 */
const PLAN = {
  settings: 'kept',
  accounts: 'kept',
  tokens: 'kept',
  memberships: 'kept',
  custom_roles: 'kept',
  resource_groups: 'kept',
  resource_group_users: 'kept',
  organization_settings: 'kept',
  organization_tokens: 'kept',
  invitations: 'kept',
  avatars: 'kept',
  repositories: 'kept',
  refs: 'kept',
  discussions: 'kept',
  discussion_events: 'kept',
  papers: 'kept',
  paper_authors: 'kept',
  paper_claims: 'kept',
  posts: 'kept',
  comments: 'kept',
  watches: 'kept',
  mutes: 'kept',
  notification_settings: 'kept',
  mcp_settings: 'kept',
  // Those that are done have the payloads of deliveries, the others are yet to be reacted to.
  events: 'kept',
  webhooks: 'kept',
  webhook_watched: 'kept',
  webhook_versions: 'kept',
  deliveries: 'kept',
  delivery_attempts: 'kept',
  webhook_replays: 'kept',
  tasks: 'kept',
  jobs: 'kept',
  job_logs: 'kept',
  job_events: 'kept',
  scheduled_jobs: 'kept',
  lane_leases: 'left out: says which running process sends what; those processes are gone',
  dead_letters: 'kept',
  processes: 'left out: which processes run; those processes are gone',
  suspects: 'left out: what processes that died had in hand',
  rate_windows: 'left out: who asked how often in the last minutes',
  mails: 'kept',
  notifications: 'kept',
  hidden_notifications: 'kept',
  // Counters that could be counted, but not their versions, by which clients know what they have.
  inboxes: 'kept',
  thread_participants: 'kept',
  shown_threads: 'left out: derived; a thread without a row is made ready when it is read',
  audit_events: 'kept',
  audit_chains: 'kept',
  audit_copies: 'kept',
  scim_users: 'kept',
  scim_groups: 'kept',
  scim_group_members: 'kept',
  scim_links: 'kept',
  scim_roles: 'kept',
} satisfies Record<keyof Tables, 'kept' | `left out: ${string}`>;

/** Made by the hub; `migrations` is in the header of a backup. */
export const KNOWN_TABLES: readonly string[] = ['migrations', ...Object.keys(PLAN)];

export const KEPT_TABLES: readonly string[] = Object.entries(PLAN)
  .filter(([, decision]) => decision === 'kept')
  .map(([table]) => table);

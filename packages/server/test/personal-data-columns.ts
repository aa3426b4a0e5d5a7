import { sql } from 'kysely';
import { readCatalog } from '../src/platform/database/catalog.ts';
import type { Database } from '../src/platform/database/transaction.ts';

/** The section of an export that has the rows in which a column names the user. */
export const SECTION_OF: Readonly<Record<string, string>> = {
  'access_requests.user_id': 'accessRequests',
  'accounts.email': 'account',
  'audit_events.author_id': 'auditLog',
  'audit_events.author_key': 'auditLog',
  'audit_events.ip': 'auditLog',
  'collection_upvotes.user_id': 'upvotes',
  'collections.owner_id': 'collections',
  'comments.author_id': 'comments',
  'discussion_events.author_id': 'discussionComments',
  'discussions.author_id': 'discussions',
  'done_notifications.user_id': 'doneNotifications',
  'file_locks.owner_id': 'fileLocks',
  'hidden_notifications.user_id': 'suspendedNotifications',
  'identities.email': 'identities',
  'identities.subject': 'identities',
  'identities.user_id': 'identities',
  'invitations.email': 'invitations',
  'invitations.user_id': 'invitations',
  'jobs.created_by': 'jobs',
  'jobs.owner_id': 'jobs',
  'likes.user_id': 'likes',
  'mcp_settings.user_id': 'mcpSettings',
  'memberships.user_id': 'memberships',
  'mirrors.user_id': 'mirrors',
  'mutes.user_id': 'muted',
  'notification_settings.user_id': 'notificationSettings',
  'notifications.user_id': 'notifications',
  'oauth_apps.owner_id': 'oauthApplications',
  'oauth_grants.address': 'oauthGrants',
  'oauth_grants.user_agent': 'oauthGrants',
  'oauth_grants.user_id': 'oauthGrants',
  'paper_authors.user_id': 'paperAuthorships',
  'paper_claims.user_id': 'paperClaims',
  'passwords.user_id': 'account',
  'posts.author_id': 'posts',
  'repositories.gate_email': 'repositories',
  'repositories.owner_id': 'repositories',
  'resource_group_users.user_id': 'resourceGroups',
  'scheduled_jobs.created_by': 'scheduledJobs',
  'scheduled_jobs.owner_id': 'scheduledJobs',
  'scim_users.email': 'providerRecords',
  'scim_users.user_id': 'providerRecords',
  'second_factors.user_id': 'account',
  'sessions.address': 'sessions',
  'sessions.user_agent': 'sessions',
  'sessions.user_id': 'sessions',
  'sign_in_events.address': 'signIns',
  'sign_in_events.user_agent': 'signIns',
  'sign_in_events.user_id': 'signIns',
  'tokens.user_id': 'accessTokens',
  'trusted_publishers.user_id': 'trustedPublishers',
  'watches.user_id': 'watched',
  'webhooks.owner_id': 'webhooks',
};

/** Why no section has the rows of a column. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  ...reasons('says of which organization a row is', [
    ...['custom_roles.org_id', 'identities.org_id', 'invitations.org_id', 'memberships.org_id'],
    ...['organization_providers.id', 'organization_settings.org_id', 'resource_groups.org_id', 'scim_groups.org_id'],
    ...['scim_links.org_id', 'scim_roles.org_id', 'scim_users.org_id'],
  ]),
  ...reasons('says who did something to a row of somebody else; the audit log of the organization has it', [
    ...[
      'access_requests.reviewed_by',
      'accounts.disabled_by',
      'invitations.invited_by',
      'organization_tokens.decided_by',
    ],
    ...['paper_claims.requested_by', 'repositories.created_by', 'repositories.resource_group_added_by'],
    ...['resource_group_users.added_by', 'resource_group_users.by_sign_in'],
  ]),
  ...reasons('content of repositories, which their owners download with git and the clients', [
    ...[
      'blobs.last_owner_id',
      'moved_repositories.owner_key',
      'repo_files.proposer_id',
      'repo_files.pusher_id',
      'xorbs.owner_id',
    ],
  ]),
  ...reasons('derived from what other sections have', [
    ...['deliveries.repo_owner_id', 'inboxes.user_id', 'jobs.created_by_name', 'scheduled_jobs.created_by_name'],
    ...['scim_users.email_key', 'thread_participants.user_id', 'tokens.made_by'],
  ]),
  ...reasons('a secret, or the hash of one', [
    'known_browsers.user_id',
    'one_time_links.user_id',
    'recovery_codes.user_id',
  ]),
  ...reasons('deleted within days, and of no use after it was sent or used', [
    ...['mails.user_id', 'oauth_codes.address', 'oauth_codes.address_block', 'oauth_codes.user_agent'],
    ...['one_time_links.email', 'publisher_tokens.address_block'],
  ]),
  ...reasons('the provider of the organization has it, and keeps it up to date', [
    ...['scim_group_members.user_id', 'scim_roles.user_id', 'scim_users.email_primary', 'scim_users.email_type'],
  ]),
  'avatars.account_id': 'a picture, which everybody downloads from the address in the account',
  'sessions.provider_subject': 'identities have it',
};

function reasons(reason: string, columns: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map((column) => [column, reason]));
}

const FOREIGN_KEYS = {
  sqlite: `select m.name || '.' || k."from" as name from sqlite_master m join pragma_foreign_key_list(m.name) k
    where m.type = 'table' and k."table" = 'accounts'`,
  postgres: `select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass`,
};

/** Matches the names of columns that say who somebody is, whether or not a foreign key guards them. */
const ABOUT_PEOPLE =
  /(?:^|_)(?:user|owner|author|account|pusher|creator|actor|editor|person|member|holder)_(?:id|key)$|(?:^|_)by(?:_name)?$|email|(?:^|_)address|user_agent|^ip$|subject$/;
/** What such a name means where it is no person. */
const OTHER_MEANINGS = [
  ...['done_notifications', 'hidden_notifications', 'notifications'].map((table) => `${table}.subject`),
  ...['rate_windows.subject', 'sign_in_failures.subject', 'repo_packs.replaced_by', 'suspects.held_by'],
  // SCIM, or nobody.
  'resource_groups.managed_by',
  // The entry of a paper.
  'paper_claims.author_id',
];

/** Returns the columns about people that no list here declares, and those that are declared and not there. */
export async function undeclaredColumns(database: Database) {
  const { rows } = await sql<{ name: string }>`${sql.raw(FOREIGN_KEYS[database.engine])}`.execute(database.read);
  const columns = [...(await readCatalog(database))].flatMap(([table, names]) =>
    [...names.keys()].map((name) => [`${table}.${name}`, name] as const),
  );
  const aboutPeople = new Set([
    ...rows.map(({ name }) => name),
    ...columns.flatMap(([path, name]) => (ABOUT_PEOPLE.test(name) ? [path] : [])),
  ]);
  for (const path of OTHER_MEANINGS) aboutPeople.delete(path);
  const declared = [...Object.keys(SECTION_OF), ...Object.keys(NOT_EXPORTED)];
  const known = new Set<string>(columns.map(([path]) => path));
  return {
    undeclared: [...aboutPeople].filter((path) => !declared.includes(path)).sort(),
    unknown: [...declared, ...OTHER_MEANINGS].filter((path) => !known.has(path)).sort(),
  };
}

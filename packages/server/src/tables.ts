import { ACCESS_BACKUP } from './access/index.ts';
import { ACCOUNTS_BACKUP } from './accounts/index.ts';
import { AUDIT_LOG_BACKUP } from './audit-log/index.ts';
import { BACKUPS_BACKUP } from './backups/index.ts';
import { BUCKETS_BACKUP } from './buckets/index.ts';
import { CARDS_BACKUP } from './cards/index.ts';
import { COLLECTIONS_BACKUP } from './collections/index.ts';
import { COMMENTS_BACKUP } from './comments/index.ts';
import { CONTENT_BACKUP } from './content/index.ts';
import { DISCUSSIONS_BACKUP } from './discussions/index.ts';
import { JOBS_BACKUP, JOBS_SEALED } from './jobs/index.ts';
import { LIKES_BACKUP } from './likes/index.ts';
import { MAIL_BACKUP } from './mail/index.ts';
import { MEMBERS_BACKUP } from './members/index.ts';
import { MIRRORS_BACKUP, MIRRORS_SEALED } from './mirrors/index.ts';
import { NOTIFICATIONS_BACKUP } from './notifications/index.ts';
import { OAUTH_BACKUP, OAUTH_SEALED } from './oauth/index.ts';
import { PAPERS_BACKUP } from './papers/index.ts';
import { PLATFORM_BACKUP, type WholeTablePlan } from './platform/backup/table-plan.ts';
import type { SealedColumns } from './platform/keys/sealed-store.ts';
import { POSTS_BACKUP } from './posts/index.ts';
import { REPOSITORIES_BACKUP } from './repositories/index.ts';
import { SCIM_BACKUP } from './scim/index.ts';
import { SETTINGS_BACKUP } from './settings/index.ts';
import { SIGN_IN_BACKUP, SIGN_IN_SEALED } from './sign-in/index.ts';
import { SINGLE_SIGN_ON_BACKUP, SINGLE_SIGN_ON_SEALED } from './single-sign-on/index.ts';
import { SPACES_BACKUP, SPACES_SEALED } from './spaces/index.ts';
import { UPSTREAM_BACKUP } from './upstream/index.ts';
import { WATCHING_BACKUP } from './watching/index.ts';
import { WEBHOOKS_BACKUP, WEBHOOKS_SEALED } from './webhooks/index.ts';
import { XET_BACKUP } from './xet/index.ts';

/** The backup plan of all tables, in the order of writing and restoring; each slice decides about its own tables. */
export const TABLE_PLAN = {
  ...PLATFORM_BACKUP,
  ...AUDIT_LOG_BACKUP,
  ...ACCOUNTS_BACKUP,
  ...SIGN_IN_BACKUP,
  ...ACCESS_BACKUP,
  ...REPOSITORIES_BACKUP,
  ...CONTENT_BACKUP,
  ...CARDS_BACKUP,
  ...LIKES_BACKUP,
  ...SPACES_BACKUP,
  ...COMMENTS_BACKUP,
  ...DISCUSSIONS_BACKUP,
  ...PAPERS_BACKUP,
  ...COLLECTIONS_BACKUP,
  ...XET_BACKUP,
  ...BUCKETS_BACKUP,
  ...UPSTREAM_BACKUP,
  ...POSTS_BACKUP,
  ...MIRRORS_BACKUP,
  ...MEMBERS_BACKUP,
  ...OAUTH_BACKUP,
  ...WATCHING_BACKUP,
  ...SETTINGS_BACKUP,
  ...MAIL_BACKUP,
  ...NOTIFICATIONS_BACKUP,
  ...JOBS_BACKUP,
  ...WEBHOOKS_BACKUP,
  ...SCIM_BACKUP,
  ...SINGLE_SIGN_ON_BACKUP,
  ...BACKUPS_BACKUP,
} satisfies WholeTablePlan;

/** All columns that contain secrets, except the settings of the platform. */
export const SEALED: readonly SealedColumns[] = [
  ...[WEBHOOKS_SEALED, ...JOBS_SEALED, OAUTH_SEALED],
  ...[SIGN_IN_SEALED, SINGLE_SIGN_ON_SEALED, MIRRORS_SEALED, SPACES_SEALED],
];

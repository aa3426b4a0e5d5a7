import { sql } from 'kysely';
import { readCatalog } from '../src/platform/database/catalog.ts';
import type { Database } from '../src/platform/database/transaction.ts';
import { DAY, HOUR, MINUTE } from './clock.ts';

/** The days for which each kind of row is kept; the check allows one more day. */
export interface Ages {
  readonly deliveries: number;
  readonly notifications: number;
  readonly audit: number;
  readonly jobs: number;
  readonly mails: number;
  /** The milliseconds between rounds of work. */
  readonly pace: number;
}

/**
 * The longest time for all attempts of a delivery: the default waits, each a fifth longer and rounded up to the next
 * round of work.
 */
const RETRIES_MS = 34 * HOUR;
const WAITS = 7;
const MAILS_MS = 25 * HOUR;

const THREADS = ['discussions', 'papers', 'posts'];
const SOURCES = ['repositories', 'papers', 'accounts'];
/** Marks rows of history, which may name deleted rows. */
const HISTORY = 'history';

/** Columns with ids that no foreign key guards, with the tables that must contain these ids. */
const NAMED: Readonly<Record<string, readonly string[] | typeof HISTORY>> = {
  'audit_chains.org_id': HISTORY,
  'audit_copies.org_id': ['audit_chains.org_id'],
  'audit_events.author_id': HISTORY,
  'audit_events.org_id': ['audit_chains.org_id'],
  'audit_events.token_id': HISTORY,
  'blobs.last_owner_id': HISTORY,
  'blobs.last_repo_id': HISTORY,
  // The files of a deleted bucket go after its row, in steps.
  'bucket_changes.bucket_id': HISTORY,
  'bucket_files.bucket_id': HISTORY,
  'bucket_totals.bucket_id': HISTORY,
  'comment_threads.thread_id': ['papers', 'posts'],
  'comments.thread_id': ['papers', 'posts'],
  'dead_letters.item_id': HISTORY,
  'deliveries.event_id': ['events'],
  'deliveries.job_id': HISTORY,
  'deliveries.repo_group_id': HISTORY,
  'deliveries.repo_id': HISTORY,
  'deliveries.repo_owner_id': HISTORY,
  'done_notifications.activity_id': HISTORY,
  'done_notifications.event_id': ['discussion_events', 'comments'],
  'done_notifications.source_id': SOURCES,
  'done_notifications.thread_id': [...THREADS, 'repositories'],
  'hidden_notifications.activity_id': HISTORY,
  'hidden_notifications.event_id': ['discussion_events'],
  'hidden_notifications.thread_id': ['discussions', 'repositories'],
  'invitations.org_id': ['accounts'],
  'invitations.user_id': ['accounts'],
  'jobs.initiator_id': HISTORY,
  'jobs.token_id': HISTORY,
  'mails.first_comment_id': HISTORY,
  'mails.last_comment_id': HISTORY,
  'mails.thread_id': HISTORY,
  'discussions.merge_commit_id': HISTORY,
  'mutes.target_id': ['repositories', ...THREADS],
  'notifications.activity_id': HISTORY,
  'notifications.event_id': ['discussion_events', 'comments'],
  'notifications.source_id': SOURCES,
  // The thread of the requests for access to a repository has the id of the repository.
  'notifications.thread_id': [...THREADS, 'repositories'],
  'oauth_apps.client_id': HISTORY,
  'mirrors.token_id': HISTORY,
  'oauth_codes.client_id': HISTORY,
  'oauth_grants.client_id': HISTORY,
  'organization_providers.client_id': HISTORY,
  'organization_tokens.org_id': ['accounts'],
  'organization_tokens.token_id': ['tokens'],
  'papers.arxiv_id': HISTORY,
  'refs.tag_id': HISTORY,
  // What a deleted account has proposed counts for nobody else.
  'repo_files.proposer_id': HISTORY,
  // The files of a deleted repository are taken from it by the next pass over all blobs.
  'repo_files.repo_id': HISTORY,
  // The packs of a deleted repository leave the bucket after its row.
  'repo_packs.repo_id': HISTORY,
  'scheduled_jobs.last_job_id': HISTORY,
  'scheduled_jobs.token_id': HISTORY,
  'scim_groups.external_id': HISTORY,
  'scim_users.external_id': HISTORY,
  'shown_threads.source_id': SOURCES,
  'shown_threads.thread_id': THREADS,
  'suspects.item_id': HISTORY,
  'thread_participants.source_id': SOURCES,
  'thread_participants.thread_id': THREADS,
  'thread_participants.user_id': ['accounts'],
  'trusted_publishers.resource_id': ['accounts', 'repositories'],
  'upstream_commits.commit_id': HISTORY,
  'upstream_files.content_id': HISTORY,
  'upstream_repos.remote_id': HISTORY,
  'upstream_revisions.commit_id': HISTORY,
  'watches.target_id': ['accounts', 'repositories'],
  // Pruning forgets the uploads of a deleted bucket after a day, like others.
  'xet_uploads.repo_id': HISTORY,
  // The counts of a deleted webhook go with their hour.
  'webhook_tallies.webhook_id': HISTORY,
  'webhook_watched.target_id': ['accounts', 'repositories'],
  'webhooks.job_source_id': HISTORY,
  'webhooks.job_token_id': HISTORY,
};

const FOREIGN_KEYS = {
  sqlite: `select m.name || '.' || k."from" as name from sqlite_master m join pragma_foreign_key_list(m.name) k
    where m.type = 'table'`,
  postgres: `select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`,
};

/**
 * Returns a sentence for each fault that remains once all due work is done: rows that nobody will process, that are
 * leased for too long, that name deleted rows or have expired, and counters that differ from the rows. The check covers
 * every table.
 */
export async function stuckRows(database: Database, now: number, ages: Ages): Promise<string[]> {
  const { read } = database;
  const faults: string[] = [];
  const expectNone = async (what: string, from: string): Promise<void> => {
    const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${sql.raw(from)}`.execute(
      read,
    );
    const count = Number(rows[0]?.count);
    if (count > 0) faults.push(`${count} ${what}`);
  };
  const older = (days: number) => now - (days + 1) * DAY;

  const firstHour = Math.floor((now - 2 * DAY) / HOUR);
  await expectNone('counts of attempts older than a day', `webhook_tallies where hour < ${firstHour}`);
  await expectNone('events without their reactions', 'events where done_at is null');
  await expectNone('tasks that are due, or failed', `tasks where due_at <= ${now} or attempts > 0`);
  await expectNone('scheduled tasks a day late', `tasks where key is not null and due_at > ${now + DAY}`);
  await expectNone(
    'other tasks older than what they wait for',
    `tasks where key is null and created_at < ${now - 31 * DAY}`,
  );

  await expectNone('deliveries that are due', `deliveries where status = 'pending' and due_at <= ${now}`);
  await expectNone(
    'deliveries pending longer than their last attempt',
    `deliveries where status = 'pending' and created_at < ${now - RETRIES_MS - WAITS * ages.pace}`,
  );
  await expectNone(
    'pending deliveries of webhooks that are not enabled',
    `deliveries d join webhooks w on w.id = d.webhook_id where d.status = 'pending' and w.state <> 'enabled'`,
  );
  await expectNone(
    'deliveries whose count of attempts is wrong',
    `deliveries d where attempts <> (select count(*) from delivery_attempts a where a.delivery_id = d.id)`,
  );
  await expectNone('leases of lanes long ended', `lane_leases where held_until < ${now - DAY - HOUR - ages.pace}`);
  await expectNone(
    'running replays that have nothing to do',
    `webhook_replays where state = 'running' and created_at < ${now - DAY}`,
  );
  await expectNone(
    'changes of buckets that nobody needs',
    `bucket_changes c where at < ${now - 2 * DAY}
      and number < (select changes from bucket_totals t where t.bucket_id = c.bucket_id)`,
  );
  await expectNone('uploads to buckets that nobody needs', `xet_uploads where uploaded_at < ${now - 2 * DAY}`);
  await expectNone(
    'buckets whose totals are wrong',
    `bucket_totals t where files <> (select count(*) from bucket_files f where f.bucket_id = t.bucket_id)
      or bytes <> (select coalesce(sum(size), 0) from bucket_files f where f.bucket_id = t.bucket_id)`,
  );
  await expectNone(
    'totals of the upstream that are wrong',
    `upstream_totals where amount <> case what when 'files' then (select coalesce(sum(size), 0) from upstream_files)
      else (select coalesce(sum(bytes), 0) from upstream_commits) end`,
  );
  await expectNone('webhooks deleted and still there', `webhooks where state = 'deleted'`);
  await expectNone('streams that nobody is connected to', `webhooks where stream_until < ${now - MINUTE}`);
  await expectNone(
    'old secrets that do not sign',
    `webhooks where old_secret is not null and old_secret_until <= ${now - HOUR - ages.pace}`,
  );

  await expectNone('mails that are due', `mails where state = 'waiting' and due_at <= ${now}`);
  await expectNone('mails being sent by nobody', `mails where state = 'sending'`);
  await expectNone(
    'mails older than their last attempt',
    `mails where state = 'waiting' and created_at < ${now - MAILS_MS - 2 * ages.pace}`,
  );

  await expectNone('jobs that run for too long', `jobs where active is not null and started_at < ${now - DAY}`);
  await expectNone('jobs that wait with places free', `jobs where finished_at is null and created_at < ${now - DAY}`);
  await expectNone('scheduled jobs that are due', `scheduled_jobs where next_run_at <= ${now}`);

  await expectNone(
    'deliveries too old',
    `deliveries where status <> 'pending' and created_at < ${older(ages.deliveries)}`,
  );
  await expectNone('replays too old', `webhook_replays where created_at < ${older(ages.deliveries)}`);
  await expectNone(
    'events that are too old and that nothing needs',
    `events e where created_at < ${older(ages.deliveries)} and not exists (select 1 from deliveries d where d.event_id = e.id)`,
  );
  await expectNone('notifications too old', `notifications where updated_at < ${older(ages.notifications)}`);
  await expectNone(
    'audit events that are too old and that the chain does not need',
    `audit_events e where created_at < ${older(ages.audit)} and seq < (select seq from audit_chains c where c.org_id = e.org_id)`,
  );
  await expectNone('mails too old', `mails where created_at < ${older(ages.mails)}`);
  await expectNone('logs of jobs too old', `job_logs where at < ${older(ages.jobs) - DAY}`);
  await expectNone('jobs too old', `jobs where finished_at < ${older(2 * ages.jobs)}`);
  await expectNone('sessions that are over', `sessions where expires_at < ${now - 2 * DAY}`);
  await expectNone('links too old', `one_time_links where expires_at < ${older(30)}`);
  await expectNone('tokens of applications too old', `oauth_tokens where expires_at < ${now - 2 * DAY}`);
  await expectNone('codes of applications too old', `oauth_codes where expires_at < ${now - 3 * DAY}`);
  await expectNone('sign-ins of long ago', `sign_in_events where at < ${older(90)}`);
  await expectNone('files that nobody reads', `card_reads where due_at < ${now - HOUR - ages.pace}`);
  await expectNone('organizations too long deleted', `organization_settings where deleted_at < ${now - 31 * DAY}`);

  await expectNone(
    'inboxes whose counts differ from their rows',
    `(select i.user_id from inboxes i left join notifications n on n.user_id = i.user_id
      group by i.user_id, i.all_count, i.unread_count
      having i.all_count <> count(n.user_id) or i.unread_count <> coalesce(sum(1 - n.read), 0)) as wrong`,
  );
  await expectNone(
    'discussions whose count of comments is wrong',
    `discussions d where comment_count <>
      (select count(*) from discussion_events e where e.discussion_id = d.id and e.type = 'comment')`,
  );
  await expectNone(
    'repositories whose count of likes is wrong',
    'repositories r where likes <> (select count(*) from likes l where l.repo_id = r.id)',
  );
  await expectNone(
    'chains whose head is not their last event',
    `audit_chains c where not exists
      (select 1 from audit_events e where e.org_id = c.org_id and e.seq = c.seq and e.hash = c.hash)`,
  );
  await expectNone(
    'breaks in chains',
    `audit_events e join audit_events p on p.org_id = e.org_id and p.seq = e.seq - 1 where p.hash <> e.prev_hash`,
  );
  await expectNone(
    'gaps in chains',
    `(select org_id from audit_events group by org_id having max(seq) - min(seq) + 1 <> count(*)) as gaps`,
  );

  const { rows: keys } = await sql<{ name: string }>`${sql.raw(FOREIGN_KEYS[database.engine])}`.execute(read);
  const held = new Set(keys.map(({ name }) => name));
  for (const [table, columns] of await readCatalog(database))
    for (const column of columns.keys()) {
      const name = `${table}.${column}`;
      if (!column.endsWith('_id') || held.has(name)) continue;
      const targets = NAMED[name];
      if (targets === undefined) faults.push(`${name} names something: say here what`);
      else if (targets !== HISTORY) {
        const found = targets.map((target) => {
          const [of, key = 'id'] = target.split('.');
          return `exists (select 1 from ${of} where ${of}.${key} = t.${column})`;
        });
        await expectNone(
          `rows whose ${name} names a deleted row`,
          `${table} t where ${column} is not null and not (${found.join(' or ')})`,
        );
      }
    }
  if (database.engine === 'sqlite') await expectNone('rows that break a foreign key', 'pragma_foreign_key_check');
  return faults;
}

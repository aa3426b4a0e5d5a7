import { type RawBuilder, sql } from 'kysely';
import { hasGrant, notDeleted, notDisabled } from '../../access/index.ts';
import { type Placeholder, prepared } from '../../platform/database/prepared.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { memoize } from '../../platform/memoize.ts';
import { FOR_SENDING, type WebhookForSending } from '../delivery/delivery-store.ts';

/** An event and a page of the webhooks that may match it. Names are keys; the old ones are from before a move. */
export interface CandidateQuery {
  readonly after: string;
  readonly limit: number;
  readonly epoch: number;
  readonly private: number;
  readonly repoId: string;
  readonly repoType: string;
  readonly repoKey: string;
  readonly ownerId: string;
  readonly groupId: string | null;
  readonly ownerKind: string;
  readonly ownerKey: string;
  readonly oldKey: string;
  readonly oldOwnerId: string;
  readonly oldOwnerKind: string;
  readonly oldOwnerKey: string;
}

/** A webhook that watched the repository or its owner when the event happened. */
export interface Candidate extends WebhookForSending {
  readonly id: string;
  readonly last_trigger_at: number | null;
  /** Whether the webhook was enabled for events of the topic then, and its owner may read the repository now. */
  readonly matches: boolean | 0 | 1;
  /** Whether the webhook was disabled or suspended since, or its owner disabled. */
  readonly stopped: boolean | 0 | 1;
  /** Whether the repository is still as it was, so that a webhook that matches may get its delivery at once. */
  readonly unchanged: boolean | 0 | 1;
}

/**
 * Selects the webhooks that watch by one condition. Each condition has its own limit: a page costs its own rows only, however many
 * webhooks watch the same account. Without `distinct` a webhook that watches the same name twice would shorten the page, which
 * would then look like the last one.
 */
const watching = (condition: RawBuilder<unknown>, argument: Placeholder<CandidateQuery>) => sql`
  select webhook_id from (
    select distinct webhook_id from webhook_watched where ${condition} and webhook_id > ${argument('after')}
    and since <= ${argument('epoch')} and (until is null or until > ${argument('epoch')})
    order by webhook_id limit ${argument('limit')}
  ) as watching`;

/** The condition that the facts that decide who reads the repository are those of the event. */
const unchanged = (argument: Placeholder<CandidateQuery>) => sql`
  ${notDeleted(sql`cast(${argument('ownerId')} as text)`)} and exists (
    select 1 from repositories now where now.id = ${argument('repoId')} and now.private = ${argument('private')}
    and now.owner_id = ${argument('ownerId')} and now.resource_group_id is not distinct from ${argument('groupId')}
  )`;

/** Selects a page of the webhooks that watched the repository of an event or its owner, by id. */
function selectCandidates(executor: ReadExecutor, topic: string, argument: Placeholder<CandidateQuery>) {
  const byId = (['repoId', 'ownerId', 'oldOwnerId'] as const).map((id) =>
    watching(sql`target_id = ${argument(id)}`, argument),
  );
  const names = [
    ['repoType', 'repoKey'],
    ['repoType', 'oldKey'],
    ['ownerKind', 'ownerKey'],
    ['oldOwnerKind', 'oldOwnerKey'],
  ] as const;
  const byName = names.map(([type, key]) =>
    watching(sql`target_id is null and type = ${argument(type)} and name_key = ${argument(key)}`, argument),
  );
  const wanted = (table: string) => sql`${sql.ref(`${table}.domains`)} like ${sql.lit(`%"${topic}"%`)}`;
  const ownerEnabled = notDisabled(sql.ref('webhooks.owner_id'));
  const wantedThen = sql`case
    when webhooks.since <= ${argument('epoch')}
    then webhooks.state = 'enabled' and ${ownerEnabled} and ${wanted('webhooks')}
    else exists (
      select 1 from webhook_versions before where before.webhook_id = webhooks.id
      and before.since <= ${argument('epoch')} and before.until > ${argument('epoch')} and ${wanted('before')}
    ) end`;
  const stopped = sql`webhooks.state <> 'enabled' or webhooks.enabled_since > ${argument('epoch')} or not ${ownerEnabled}`;
  // Includes organizations that were deleted meanwhile and may be restored: the log says why such a delivery was not sent.
  const matches = sql`${wantedThen} and ${hasGrant(
    {
      private: sql<number>`cast(${argument('private')} as integer)`,
      ownerId: sql<string>`cast(${argument('ownerId')} as text)`,
      groupId: sql<string | null>`cast(${argument('groupId')} as text)`,
    },
    sql.ref('webhooks.owner_id'),
  )}`;
  return (
    executor
      .selectFrom(
        sql<{ webhook_id: string }>`(
          ${sql.join([...byId, ...byName], sql` union `)} order by webhook_id limit ${argument('limit')}
        )`.as('watching'),
      )
      // SQLite keeps the order of a cross join: first what watches, then the webhooks.
      .crossJoin('webhooks')
      .select(['id', 'last_trigger_at', sql<Candidate['matches']>`(${matches})`.as('matches')])
      .select(sql<Candidate['stopped']>`(${stopped})`.as('stopped'))
      .select(sql<Candidate['unchanged']>`(${unchanged(argument)})`.as('unchanged'))
      .select(FOR_SENDING)
      .whereRef('id', '=', 'watching.webhook_id')
      .orderBy('id')
  );
}

/** One query per topic, which is a literal: SQLite plans a query anew for each parameter that is a pattern of `like`. */
export const candidatesOf = memoize(10, (topic) =>
  prepared<CandidateQuery>()((tx, argument) => selectCandidates(tx, topic, argument)),
);

/** The columns of the queries that are asked together. */
const ASKED = {
  ...{ at: 'integer', after: 'text', limit: 'integer', epoch: 'bigint', private: 'integer', groupId: 'text' },
  ...{ repoId: 'text', repoType: 'text', repoKey: 'text', ownerId: 'text', ownerKind: 'text', ownerKey: 'text' },
  ...{ oldKey: 'text', oldOwnerId: 'text', oldOwnerKind: 'text', oldOwnerKey: 'text' },
} satisfies Record<keyof CandidateQuery | 'at', string>;

/** Returns the candidates of several queries, in one statement of PostgreSQL; `at` is the place of their query. */
export const candidatesOfEach = memoize(10, (topic) =>
  prepared<{ queries: string }>()((tx, argument) => {
    const columns = Object.entries(ASKED).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    const own = selectCandidates(tx, topic, (name) => sql.ref(`asked.${name}`));
    return sql<Candidate & { readonly at: number }>`
      select asked.at, candidates.*
      from jsonb_to_recordset(${argument('queries')}::jsonb) as asked (${sql.join(columns)})
      cross join lateral (${own}) as candidates
      order by asked.at, candidates.id`;
  }),
);

/** Returns the present resource group of a repository if the given group was deleted; undefined if that group still exists. */
export const groupAfterDeletion = (tx: Executor, repoId: string, groupId: string) =>
  tx
    .selectFrom('repositories')
    .select('resource_group_id as groupId')
    .where('id', '=', repoId)
    .where(sql<boolean>`not exists (select 1 from resource_groups where resource_groups.id = ${groupId})`)
    .executeTakeFirst();

/** Returns those of some resource groups that exist. */
export async function existingGroups(tx: Executor, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('resource_groups')
    .select('id')
    .where(whereIn(tx, 'id', ids))
    .execute();
  return rows.map(({ id }) => id);
}

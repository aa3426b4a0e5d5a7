import { type RawBuilder, sql } from 'kysely';
import { granted, notDisabled } from '../../access/index.ts';
import { nameKey } from '../../accounts/index.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { HubEvent } from '../../platform/events/events.ts';
import { memoize } from '../../platform/memoize.ts';
import type { RepoEvent } from '../../repositories/index.ts';

interface Match {
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

interface Candidate {
  readonly id: string;
  readonly url: string | null;
  readonly last_trigger_at: number | null;
  readonly matches: boolean | 0 | 1;
  /** Whether it was disabled or suspended since, or its owner disabled. */
  readonly stopped: boolean | 0 | 1;
}

/**
 * Each limited by itself: a page costs its own rows, however many webhooks watch the same account. Distinct, as a webhook
 * may watch the same thing more than once: otherwise the page would look like the last one.
 */
const watching = (condition: RawBuilder<unknown>, argument: (name: 'after' | 'limit' | 'epoch') => unknown) => sql`
  select webhook_id from (
    select distinct webhook_id from webhook_watched where ${condition} and webhook_id > ${argument('after')}
    and since <= ${argument('epoch')} and (until is null or until > ${argument('epoch')})
    order by webhook_id limit ${argument('limit')}
  ) as watching`;

/** The topic is part of the text: SQLite plans a query anew for each pattern of `like` that is given as a parameter. */
const candidatesOf = memoize(10, (topic) =>
  prepared<Match>()((tx, argument) => {
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
    // Of an organization that is deleted meanwhile and may be restored, too: it is not sent, and says so in the log.
    const matches = sql`${wantedThen} and ${granted(
      {
        private: sql<number>`cast(${argument('private')} as integer)`,
        ownerId: sql<string>`cast(${argument('ownerId')} as text)`,
        groupId: sql<string | null>`cast(${argument('groupId')} as text)`,
      },
      sql.ref('webhooks.owner_id'),
    )}`;
    return (
      tx
        .selectFrom(
          sql<{ webhook_id: string }>`(
          ${sql.join([...byId, ...byName], sql` union `)} order by webhook_id limit ${argument('limit')}
        )`.as('watching'),
        )
        // SQLite keeps to the order of a cross join: first what watches, then the webhooks.
        .crossJoin('webhooks')
        .select(['id', 'url', 'last_trigger_at', sql<Candidate['matches']>`(${matches})`.as('matches')])
        .select(sql<Candidate['stopped']>`(${stopped})`.as('stopped'))
        .whereRef('id', '=', 'watching.webhook_id')
        .orderBy('id')
    );
  }),
);

/** The resource group that decides who reads it: where that of the event is deleted, the one that its repository has now. */
async function groupOf(tx: Executor, { id, groupId }: RepoEvent['repo']): Promise<string | null> {
  if (groupId === null) return null;
  const now = await tx
    .selectFrom('repositories')
    .select('resource_group_id as groupId')
    .where('id', '=', id)
    .where(sql<boolean>`not exists (select 1 from resource_groups where resource_groups.id = ${groupId})`)
    .executeTakeFirst();
  return now ? now.groupId : groupId;
}

/**
 * A page of the webhooks that were enabled and watched the repository or its owner when the event happened, and whose
 * owner may read it now, each once, by id: by the id of what is watched where the name stood for something already, by name where it did not; after a move by
 * where it was, too. `next` is where the next page begins, if there is one.
 */
export async function matchingWebhooks(
  tx: Executor,
  { topic, epoch, data: { repo, from = repo } }: HubEvent<Pick<RepoEvent, 'repo' | 'from'>>,
  after: string,
  limit: number,
) {
  const ownerKey = ({ name }: { name: string }) => nameKey(name.split('/')[0] ?? '');
  const candidates: Candidate[] = await candidatesOf(topic)(tx, {
    after,
    limit,
    epoch,
    private: repo.private ? 1 : 0,
    repoId: repo.id,
    repoType: repo.type,
    repoKey: nameKey(repo.name),
    ownerId: repo.ownerId,
    groupId: await groupOf(tx, repo),
    ownerKind: repo.ownerKind,
    ownerKey: ownerKey(repo),
    oldKey: nameKey(from.name),
    oldOwnerId: from.ownerId,
    oldOwnerKind: from.ownerKind,
    oldOwnerKey: ownerKey(from),
  });
  return {
    webhooks: candidates.filter(({ matches }) => matches),
    next: candidates.length < limit ? undefined : candidates.at(-1)?.id,
  };
}

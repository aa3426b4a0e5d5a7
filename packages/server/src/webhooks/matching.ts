import { sql } from 'kysely';
import { readable } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { remember } from '../platform/remember.ts';
import type { RepoEvent } from '../repositories/index.ts';

interface Match {
  readonly after: string;
  readonly limit: number;
  readonly private: number;
  readonly repoId: string;
  readonly repoType: string;
  readonly repoKey: string;
  readonly ownerId: string;
  readonly ownerKind: string;
  readonly ownerKey: string;
  readonly oldKey: string;
  readonly oldOwnerId: string;
  readonly oldOwnerKind: string;
  readonly oldOwnerKey: string;
}

/** The topic is part of the text: SQLite plans a query anew for each pattern of `like` that is given as a parameter. */
const matchingOf = remember(10, (topic) =>
  prepared<Match>()((tx, argument) =>
    tx
      .selectFrom('webhooks')
      .select(['id', 'url', 'last_trigger_at'])
      .where(
        'id',
        'in',
        sql<string>`(
        select webhook_id from webhook_watched
        where target_id in (${argument('repoId')}, ${argument('ownerId')}, ${argument('oldOwnerId')})
        union select webhook_id from webhook_watched where target_id is null and (
          (type = ${argument('repoType')} and name_key in (${argument('repoKey')}, ${argument('oldKey')}))
          or (type = ${argument('ownerKind')} and name_key = ${argument('ownerKey')})
          or (type = ${argument('oldOwnerKind')} and name_key = ${argument('oldOwnerKey')})
        )
      )`,
      )
      .where('state', '=', 'enabled')
      .where('domains', 'like', sql.lit(`%"${topic}"%`))
      .where(
        readable(
          {
            private: sql<number>`cast(${argument('private')} as integer)`,
            ownerId: sql<string>`cast(${argument('ownerId')} as text)`,
          },
          sql.ref('webhooks.owner_id'),
        ),
      )
      .where('id', '>', argument('after'))
      .orderBy('id')
      .limit(argument('limit')),
  ),
);

/**
 * Enabled webhooks that watch the repository or its owner, and whose owner may read it now, each once, by id: by the
 * id of what is watched where the name stood for something already, by name where it did not; after a move by where it
 * was, too.
 */
export function matchingWebhooks(
  tx: Executor,
  topic: string,
  { repo, from = repo }: RepoEvent,
  after: string,
  limit: number,
) {
  const ownerKey = ({ name }: { name: string }) => nameKey(name.split('/')[0] ?? '');
  return matchingOf(topic)(tx, {
    after,
    limit,
    private: repo.private ? 1 : 0,
    repoId: repo.id,
    repoType: repo.type,
    repoKey: nameKey(repo.name),
    ownerId: repo.ownerId,
    ownerKind: repo.ownerKind,
    ownerKey: ownerKey(repo),
    oldKey: nameKey(from.name),
    oldOwnerId: from.ownerId,
    oldOwnerKind: from.ownerKind,
    oldOwnerKey: ownerKey(from),
  });
}

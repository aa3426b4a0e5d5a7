import { type Expression, sql } from 'kysely';
import { HOLDER_COLUMNS } from '../../accounts/index.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { OWN_CLIENT_IDS } from '../apps/app.ts';
import type { OauthTokenRow } from '../tables.ts';

/**
 * What authentication needs of the token of an application, in one read: nothing of one that has expired, of a disabled
 * user, or of a deleted application. `cutOffs` is what organizations say of the access token that its grant stands on.
 */
export const callerByOauthToken = (cutOffs: Expression<string | null>) =>
  prepared<{ hash: string; now: number }>()((executor, argument) =>
    executor
      .selectFrom('oauth_tokens')
      .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
      .innerJoin('tokens', 'tokens.id', 'oauth_grants.id')
      .innerJoin('accounts', 'accounts.id', 'tokens.user_id')
      .leftJoin('oauth_apps', 'oauth_apps.client_id', 'oauth_grants.client_id')
      .select([
        ...HOLDER_COLUMNS,
        'tokens.id as id',
        'tokens.last_used_at as lastUsedAt',
        'oauth_tokens.hash as hash',
        'oauth_tokens.predecessor as predecessor',
        'oauth_tokens.used_at as usedAt',
        'oauth_tokens.expires_at as expiresAt',
        'oauth_grants.client_id as clientId',
        'oauth_grants.scopes as scopes',
        'oauth_grants.org_ids as orgIds',
        'oauth_apps.name as appName',
        sql<string | null>`${cutOffs}`.as('cutOffs'),
      ])
      .where('oauth_tokens.hash', '=', argument('hash'))
      .where('oauth_tokens.kind', '=', 'access')
      .where('oauth_tokens.expires_at', '>', argument('now'))
      .where('accounts.disabled_at', 'is', null)
      .where((is) =>
        is.or([is('oauth_apps.client_id', 'is not', null), is('oauth_grants.client_id', 'in', OWN_CLIENT_IDS)]),
      ),
  );

export async function insertOauthTokens(tx: Executor, rows: readonly OauthTokenRow[]): Promise<void> {
  await tx.insertInto('oauth_tokens').values(rows).execute();
}

/** Returns a token, held until the transaction ends. */
export const lockOauthToken = (tx: Executor, hash: string): Promise<OauthTokenRow | undefined> =>
  tx
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .modifyEnd(forUpdateOf(tx, 'oauth_tokens'))
    .executeTakeFirst();

/** Returns the ids of the grants and publishers that tokens of some hashes belong to. */
export async function grantsBehind(executor: Executor, hashes: readonly string[]): Promise<string[]> {
  const grants = await executor
    .selectFrom('oauth_tokens')
    .select('grant_id as id')
    .distinct()
    .where(whereIn(executor, 'hash', hashes))
    .execute();
  const publishers = await executor
    .selectFrom('publisher_tokens')
    .select('publisher_id as id')
    .distinct()
    .where(whereIn(executor, 'hash', hashes))
    .execute();
  return [...grants, ...publishers].map(({ id }) => id);
}

/** Notes the first use of a token, and that the refresh token it was made with is replaced by that. */
export async function noteFirstUse(
  tx: Executor,
  { hash, predecessor }: Pick<OauthTokenRow, 'hash' | 'predecessor'>,
  now: number,
): Promise<void> {
  await tx
    .updateTable('oauth_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .execute();
  if (predecessor === null) return;
  await tx
    .updateTable('oauth_tokens')
    .set({ replaced_at: now })
    .where('hash', '=', predecessor)
    .where('replaced_at', 'is', null)
    .execute();
}

/** Deletes tokens that have expired; returns how many, `limit` at most. */
export async function deleteExpiredTokens(tx: Executor, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_tokens')
    .where('hash', 'in', (of) =>
      of.selectFrom('oauth_tokens').select('hash').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

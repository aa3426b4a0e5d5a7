import { type Expression, sql } from 'kysely';
import { HOLDER_COLUMNS } from '../../accounts/index.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { OWN_CLIENT_IDS } from '../apps/app.ts';
import type { OauthTokenRow } from '../tables.ts';

/**
 * Prepares the query that authenticates an application's token in a single read; it returns nothing for an expired
 * token, a disabled user or a deleted application. `cutOffs` is a column that the rules of organizations add.
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

/** Returns a token, locked until the end of the transaction. */
export const lockOauthToken = (tx: Executor, hash: string): Promise<OauthTokenRow | undefined> =>
  tx
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .modifyEnd(forUpdateOf(tx, 'oauth_tokens'))
    .executeTakeFirst();

/** Returns the ids of the grants and trusted publishers to which tokens belong, given the hashes of the tokens. */
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

/** Records the first use of a token, which replaces the refresh token that was exchanged for it. */
export async function recordFirstUse(
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

/** Deletes at most `limit` expired tokens; returns the number of deleted tokens. */
export async function deleteExpiredTokens(tx: Executor, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_tokens')
    .where('hash', 'in', (of) =>
      of.selectFrom('oauth_tokens').select('hash').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

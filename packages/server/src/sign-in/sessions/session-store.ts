import { type Expression, type RawBuilder, sql } from 'kysely';
import { HOLDER_COLUMNS } from '../../accounts/index.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { SessionRow } from '../tables.ts';

/** The sessions that are not over, whose access tokens have not expired and whose users are not disabled, each with its holder. */
const liveSessions = (
  executor: ReadExecutor,
  cutOffs: Expression<string | null>,
  { now, seenAfter }: { readonly now: RawBuilder<number>; readonly seenAfter: RawBuilder<number> },
) =>
  executor
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.user_id')
    .leftJoin('tokens', 'tokens.id', 'sessions.token_id')
    .select([
      ...HOLDER_COLUMNS,
      'sessions.id as id',
      'sessions.seen_at as seenAt',
      'sessions.strong_at as strongAt',
      'sessions.expires_at as endsAt',
      'sessions.token_id as tokenId',
      'tokens.expires_at as expiresAt',
      sql<string | null>`case when sessions.token_id is null then null else ${cutOffs} end`.as('cutOffs'),
    ])
    .where('sessions.expires_at', '>', now)
    .where('sessions.seen_at', '>', seenAfter)
    .where((is) => is.or([is('tokens.expires_at', 'is', null), is('tokens.expires_at', '>', now)]))
    .where('accounts.disabled_at', 'is', null);

/**
 * Prepares the query that authenticates a session in a single read; it returns nothing for a session that is over,
 * whose access token has expired, or whose user is disabled. `cutOffs` is a column that the rules of organizations add;
 * they do not apply to sessions without an access token.
 */
export const callerBySession = (cutOffs: Expression<string | null>) =>
  prepared<{ hash: string; now: number; seenAfter: number }>()((executor, argument) =>
    liveSessions(executor, cutOffs, { now: argument('now'), seenAfter: argument('seenAfter') }).where(
      'sessions.hash',
      '=',
      argument('hash'),
    ),
  );

/** Prepares the same query for a session that is known by its id. */
export const callerBySessionId = (cutOffs: Expression<string | null>) =>
  prepared<{ id: string; now: number; seenAfter: number }>()((executor, argument) =>
    liveSessions(executor, cutOffs, { now: argument('now'), seenAfter: argument('seenAfter') }).where(
      'sessions.id',
      '=',
      argument('id'),
    ),
  );

/** A session as the queries of authentication read it. */
export type CallerRow = Awaited<ReturnType<ReturnType<typeof callerBySession>>>[number];

export async function insertSession(tx: Executor, row: SessionRow): Promise<void> {
  await tx.insertInto('sessions').values(row).execute();
}

/** Records the use of a session, unless a use was recorded since a time. */
export async function touchSession(tx: Executor, id: string, now: number, unlessSince: number): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('seen_at', '<=', unlessSince)
    .execute();
}

/** Returns the current sessions of a user, most recently used first. */
export const sessionsOf = (
  executor: ReadExecutor,
  userId: string,
  { now, seenAfter }: { readonly now: number; readonly seenAfter: number },
): Promise<SessionRow[]> =>
  executor
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('seen_at', '>', seenAfter)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** Deletes a session of a user; returns whether it existed. */
export async function deleteSession(tx: Executor, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes the session of a cookie; returns the id of its user. */
export async function deleteSessionByHash(tx: Executor, hash: string): Promise<string | undefined> {
  const row = await tx.deleteFrom('sessions').where('hash', '=', hash).returning('user_id').executeTakeFirst();
  return row?.user_id;
}

/** Deletes the sessions of a user except the given one; returns the number of deleted sessions. */
export async function deleteSessionsOf(tx: Executor, userId: string, except?: string): Promise<number> {
  const sessions = tx.deleteFrom('sessions').where('user_id', '=', userId);
  const { numDeletedRows } = await (except === undefined
    ? sessions
    : sessions.where('id', '<>', except)
  ).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The sessions of a provider that end: of a person, of one session at the provider, or all. */
export interface ProviderEnd {
  readonly provider: string;
  readonly subject?: string | undefined;
  readonly session?: string | undefined;
}

/** Deletes sessions that a provider began; returns the ids of their users. */
export async function deleteSessionsFrom(tx: Executor, { provider, subject, session }: ProviderEnd): Promise<string[]> {
  let sessions = tx.deleteFrom('sessions').where('provider', '=', provider);
  if (subject !== undefined) sessions = sessions.where('provider_subject', '=', subject);
  if (session !== undefined) sessions = sessions.where('provider_session', '=', session);
  const rows = await sessions.returning('user_id').execute();
  return rows.map((row) => row.user_id);
}

/** Deletes at most `limit` sessions that are over; returns the number of deleted sessions. */
export async function deleteExpiredSessions(
  tx: Executor,
  { now, seenBefore }: { readonly now: number; readonly seenBefore: number },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('id', 'in', (of) =>
      of
        .selectFrom('sessions')
        .select('id')
        .where((is) => is.or([is('expires_at', '<=', now), is('seen_at', '<=', seenBefore)]))
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

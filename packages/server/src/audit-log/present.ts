import type { AuditEvent } from '@moonbase/contract/audit-log';
import type { AccountRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Context } from './record.ts';
import { accountsAmong, type StoredEvent, tokensAmong } from './store.ts';

/** How an account looks: from accounts, which knows of this slice and not the other way round. */
export type AvatarUrl = (baseUrl: string, account: Pick<AccountRow, 'id' | 'avatar_url'>) => string;

interface View {
  readonly executor: Executor;
  readonly baseUrl: string;
  readonly avatarUrl: AvatarUrl;
}

/**
 * Makes events as they stand on the wire, with what is true of their authors and tokens by now, which is looked up once
 * for all that one such function is given.
 */
export function createPresenter({ executor, baseUrl, avatarUrl }: View) {
  const pictures = new Map<string, string | null>();
  const living = new Map<string, boolean>();

  async function lookUp(rows: readonly StoredEvent[]): Promise<void> {
    const authors = unknown(
      rows.map((row) => row.author_id),
      pictures,
    );
    const tokens = unknown(
      rows.map((row) => row.token_id),
      living,
    );
    for (const id of authors) pictures.set(id, null);
    for (const id of tokens) living.set(id, false);
    if (authors.length > 0)
      for (const account of await accountsAmong(executor, authors))
        pictures.set(account.id, avatarUrl(baseUrl, account));
    if (tokens.length > 0) for (const { id } of await tokensAmong(executor, tokens)) living.set(id, true);
  }

  return async (rows: readonly StoredEvent[]): Promise<AuditEvent[]> => {
    await lookUp(rows);
    return rows.map((row) => {
      // What was parsed is added to and not copied: copies outlived the garbage collections of an export, 35 MB of them.
      const event = JSON.parse(row.body) as AuditEvent;
      const { token, location, userAgent } = JSON.parse(row.context) as Context;
      if (location) event.location = location;
      if (userAgent !== undefined) event.userAgent = userAgent;
      const { author } = event;
      const picture = pictures.get(author._id) ?? null;
      author.avatarUrl = picture ?? avatarUrl(baseUrl, { id: author._id, avatar_url: null });
      author.type = 'user';
      if (picture === null) author.deleted = true;
      if (event.token) {
        event.token.type = 'access_token';
        if (token) event.token.role = token.role;
        if (token?.last4 !== undefined) event.token.last4 = token.last4;
        event.token.deleted = living.get(event.token.id) !== true;
      }
      event.seq = row.seq;
      event.prevHash = row.prev_hash;
      event.hash = row.hash;
      return event;
    });
  };
}

const unknown = (ids: readonly (string | null)[], known: ReadonlyMap<string, unknown>): string[] =>
  [...new Set(ids)].filter((id) => id !== null && !known.has(id)) as string[];

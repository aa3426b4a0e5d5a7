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

/** Events as they stand on the wire, with what is true of their authors and tokens by now. */
export async function presentEvents(
  { executor, baseUrl, avatarUrl }: View,
  rows: readonly StoredEvent[],
): Promise<AuditEvent[]> {
  const [accounts, tokens] = await Promise.all([
    accountsAmong(executor, distinct(rows.map((row) => row.author_id))),
    tokensAmong(executor, distinct(rows.map((row) => row.token_id))),
  ]);
  const pictures = new Map(accounts.map((account) => [account.id, avatarUrl(baseUrl, account)]));
  const living = new Set(tokens.map((token) => token.id));

  return rows.map((row) => {
    // What was parsed is added to and not copied: copies outlived the garbage collections of an export, 35 MB of them.
    const event = JSON.parse(row.body) as AuditEvent;
    const { token, location, userAgent } = JSON.parse(row.context) as Context;
    if (location) event.location = location;
    if (userAgent !== undefined) event.userAgent = userAgent;
    const { author } = event;
    const picture = pictures.get(author._id);
    author.avatarUrl = picture ?? avatarUrl(baseUrl, { id: author._id, avatar_url: null });
    author.type = 'user';
    if (picture === undefined) author.deleted = true;
    if (event.token) {
      event.token.type = 'access_token';
      if (token) event.token.role = token.role;
      if (token?.last4 !== undefined) event.token.last4 = token.last4;
      event.token.deleted = !living.has(event.token.id);
    }
    event.seq = row.seq;
    event.prevHash = row.prev_hash;
    event.hash = row.hash;
    return event;
  });
}

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids)].filter((id) => id !== null);

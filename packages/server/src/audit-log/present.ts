import type { AuditEvent } from '@moonbase/contract/audit-log';
import type { AccountRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Sealed } from './chain.ts';
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
export async function presentEvents({ executor, baseUrl, avatarUrl }: View, rows: readonly StoredEvent[]) {
  const [accounts, tokens] = await Promise.all([
    accountsAmong(executor, distinct(rows.map((row) => row.author_id))),
    tokensAmong(executor, distinct(rows.map((row) => row.token_id))),
  ]);
  const pictures = new Map(accounts.map((account) => [account.id, avatarUrl(baseUrl, account)]));
  const living = new Set(tokens.map((token) => token.id));

  return rows.map((row): AuditEvent => {
    const sealed = JSON.parse(row.body) as Sealed & Pick<AuditEvent, 'type'>;
    const { token, location, userAgent } = JSON.parse(row.context) as Context;
    const picture = pictures.get(sealed.author._id);
    return {
      _id: sealed._id,
      createdAt: sealed.createdAt,
      type: sealed.type,
      message: sealed.message,
      ...(sealed.data !== undefined && { data: sealed.data }),
      ...(sealed.ip !== undefined && { ip: sealed.ip }),
      ...(location && { location }),
      ...(userAgent !== undefined && { userAgent }),
      author: {
        ...sealed.author,
        avatarUrl: picture ?? avatarUrl(baseUrl, { id: sealed.author._id, avatar_url: null }),
        type: 'user',
        ...(picture === undefined && { deleted: true }),
      },
      ...(sealed.token && {
        token: { type: 'access_token', id: sealed.token.id, ...token, deleted: !living.has(sealed.token.id) },
      }),
      seq: row.seq,
      prevHash: row.prev_hash,
      hash: row.hash,
    };
  });
}

const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids)].filter((id) => id !== null);

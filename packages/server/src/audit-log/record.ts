import type { TokenRole } from '@moonbase/contract/accounts/profiles';
import type { AuditEventType, SiteEventType } from '@moonbase/contract/audit-log/event-types';
import { type Clock, timestamp } from '../platform/clock.ts';
import { afterCommit, createCollector, type Executor } from '../platform/database/transaction.ts';
import { storedUserAgent } from '../platform/http/user-agent.ts';
import type { Ids } from '../platform/ids.ts';
import { parseJson } from '../platform/stored-form.ts';
import { ipAddress } from './address.ts';
import type { AuditAuthor } from './authors.ts';
import { linkHash, NO_HASH, sealedText } from './chain.ts';
import type { Locate, Location } from './location.ts';
import { insertEvents, lockChain, updateChainEnd } from './store.ts';
import type { AuditEventRow } from './tables.ts';

/** An administrative change of an organization or within it; `SITE` as the organization: outside of organizations. */
export interface AuditEntry {
  readonly orgId: string;
  readonly type: AuditEventType | SiteEventType;
  /** A sentence without its subject, the author: `Created the model acme/bert`. */
  readonly message: string;
  /** JSON data. */
  readonly data?: unknown;
}

/** The shown but unhashed data of an event of the first chain version. */
export interface FormerContext {
  readonly userAgent?: string;
  readonly location?: Location;
  readonly token?: { readonly role: TokenRole; readonly last4?: string };
}

export interface AuditLog {
  /**
   * Records an entry in the transaction of the change. It is written at the end of the transaction, because writing
   * locks the chain.
   */
  record(tx: Executor, author: AuditAuthor, entry: AuditEntry): Promise<void>;
}

type Unlinked = Omit<AuditEventRow, 'seq' | 'prev_hash' | 'hash'>;

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly locate?: Locate;
  /** Wakes the worker that copies events elsewhere. */
  readonly nudge?: () => void;
}

export function createAuditLog({ clock, ids, locate = () => undefined, nudge = () => {} }: Dependencies): AuditLog {
  const waiting = createCollector<Unlinked>(append);

  return {
    async record(tx, { principal, address, userAgent }, { orgId, type, message, data }) {
      const id = ids();
      const now = clock.now();
      const { userId, userName, token } = principal;
      const ip = ipAddress(address);
      const location = ip === undefined ? undefined : locate(ip);
      const event = {
        _id: id,
        author: { _id: userId, user: userName },
        createdAt: timestamp(now),
        ...(data !== undefined && { data: parseJson<unknown>(JSON.stringify(data)) }),
        ...(ip !== undefined && { ip }),
        ...(location && { location }),
        message,
        ...(token?.oauth && { oauth: { clientId: token.oauth.clientId, name: token.oauth.name } }),
        ...(token && {
          token: { id: token.id, role: token.role, ...(token.last4 !== undefined && { last4: token.last4 }) },
        }),
        type,
        ...(userAgent !== undefined && { userAgent: storedUserAgent(userAgent) }),
      };
      waiting.add(tx, [
        {
          org_id: orgId,
          id,
          created_at: now,
          type,
          author_id: userId,
          author_key: userName.toLowerCase(),
          ip: ip ?? null,
          token_id: token?.id ?? null,
          body: sealedText(event),
          context: '{}',
        },
      ]);
      afterCommit(tx, nudge);
    },
  };
}

/** Appends events to the chains of their organizations, which are locked in a fixed order to avoid deadlocks. */
async function append(tx: Executor, events: readonly Unlinked[]): Promise<void> {
  for (const orgId of [...new Set(events.map((event) => event.org_id))].sort()) {
    let last = await lockChain(tx, orgId, NO_HASH);
    const rows = events
      .filter((event) => event.org_id === orgId)
      .map((event) => {
        const row = { ...event, seq: last.seq + 1, prev_hash: last.hash, hash: linkHash(last.hash, event.body) };
        last = row;
        return row;
      });
    await insertEvents(tx, rows);
    await updateChainEnd(tx, { orgId, seq: last.seq, hash: last.hash });
  }
}

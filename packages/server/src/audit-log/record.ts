import type { TokenRole } from '@moonbase/contract/accounts/profiles';
import type { AuditEventType } from '@moonbase/contract/audit-log/event-types';
import { type Clock, timestamp } from '../platform/clock.ts';
import { afterCommit, createCollector, type Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import { ipAddress } from './address.ts';
import { linkHash, NO_HASH, sealedText } from './chain.ts';
import type { Locate, Location } from './location.ts';
import { insertEvents, lockChain, moveChain } from './store.ts';
import type { AuditEventRow } from './tables.ts';

/** What was done to an organization or in it. */
export interface AuditEntry {
  readonly orgId: string;
  readonly type: AuditEventType;
  /** A sentence for people, without its author: `Created the model acme/bert`. */
  readonly message: string;
  /** JSON. */
  readonly data?: unknown;
}

/** What is shown of an event of the first version of the chain, beside what is hashed. */
export interface FormerContext {
  readonly userAgent?: string;
  readonly location?: Location;
  readonly token?: { readonly role: TokenRole; readonly last4?: string };
}

export interface AuditLog {
  /** Records in the transaction of the change; written as its last thing, which is when the chain is locked. */
  record(tx: Executor, caller: Caller, entry: AuditEntry): Promise<void>;
}

type Unlinked = Omit<AuditEventRow, 'seq' | 'prev_hash' | 'hash'>;

const MAX_OF_USER_AGENT = 500;

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly locate?: Locate;
  /** Wakes whoever copies events elsewhere. */
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
        ...(data !== undefined && { data: JSON.parse(JSON.stringify(data)) as unknown }),
        ...(ip !== undefined && { ip }),
        ...(location && { location }),
        message,
        token: { id: token.id, role: token.role, ...(token.last4 !== undefined && { last4: token.last4 }) },
        type,
        ...(userAgent !== undefined && { userAgent: userAgent.slice(0, MAX_OF_USER_AGENT) }),
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
          token_id: token.id,
          body: sealedText(event),
          context: '{}',
        },
      ]);
      afterCommit(tx, nudge);
    },
  };
}

/** Links events to the chains of their organizations, which are locked in one order, so that no two wait for each other. */
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
    await moveChain(tx, { orgId, seq: last.seq, hash: last.hash });
  }
}

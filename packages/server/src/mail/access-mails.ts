import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { afterCommit } from '../platform/database/transaction.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import { type AccessRequestEvent, handlersOf } from '../repositories/index.ts';
import type { AccessCause } from './contents/access-notices.ts';
import { ACCESS_ADDRESS, ACCESS_REQUESTS } from './policy.ts';
import { countNotices, insertNotice } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Mails about access that one reader gets in a day: whoever withdraws a request and asks again, or makes repositories and
 * names an address, must not be able to flood anybody.
 */
const MAX_A_DAY = 100;

/** Returns the id of a mail that is the same however often its cause is handled. */
const idOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 24);

interface Reader {
  readonly userId: string;
  readonly kind: string;
}

interface Dependencies {
  readonly clock: Clock;
  readonly nudge: () => void;
}

/**
 * Creates the reaction that mails those who decide about a request that waits, at once or once a day, and the user of a
 * request about the decision.
 */
export const createAccessMails =
  ({ clock, nudge }: Dependencies): Reaction<AccessRequestEvent> =>
  async (tx, event) => {
    const { action, requestId, repoId, userId } = event.data;
    const now = clock.now();
    const queue = async (id: string, reader: Reader, what: AccessCause, dueAt = now) => {
      if ((await countNotices(tx, reader.userId, reader.kind, now - DAY_MS)) >= MAX_A_DAY) return;
      await insertNotice(tx, { id, ...reader, cause: { about: 'access', what }, now, dueAt });
      afterCommit(tx, nudge);
    };
    if (action !== 'request') {
      await queue(event.id, { userId, kind: ACCESS_REQUESTS }, { action: 'decide', requestId, repoId });
      return undefined;
    }
    const handlers = await handlersOf(tx, repoId);
    if (!handlers) return undefined;
    const daily = handlers.mails === 'bulk';
    const since = Math.floor(now / DAY_MS) * DAY_MS;
    // A mail to an address of its own is one mail, in the name of the owner or of the first admin.
    const readers: readonly Reader[] =
      handlers.email === null
        ? handlers.userIds.map((id) => ({ userId: id, kind: ACCESS_REQUESTS }))
        : handlers.userIds.slice(0, 1).map((id) => ({ userId: id, kind: ACCESS_ADDRESS }));
    for (const reader of readers) {
      const parts = [repoId, reader.userId, reader.kind];
      if (daily) await queue(idOf(String(since), ...parts), reader, { action: 'day', repoId, since }, since + DAY_MS);
      else await queue(idOf(event.id, ...parts), reader, { action: 'request', requestId, repoId });
    }
    return undefined;
  };

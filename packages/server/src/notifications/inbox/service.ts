import type { listNotifications } from '@moonbase/contract/notifications/notifications';
import type { RouteAnswer } from '@moonbase/contract/route';
import { isLimited } from '../../access/index.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller, Principal } from '../../platform/http/authenticate.ts';
import type { JsonText } from '../../platform/stored-form.ts';
import { createChanges } from './changes.ts';
import { type Filter, filterOf, type NotificationQuery } from './filter.ts';
import type { Inboxes } from './inboxes.ts';
import { readPage } from './page.ts';
import { PAGE_SIZE } from './page-size.ts';
import { presentNotification, withAvatarOrigin } from './present.ts';
import { readReasons } from './reasons.ts';
import { WATCHES } from './subject.ts';

export type Notifications = ReturnType<typeof createNotifications>;

type ChangeQuery = NotificationQuery & { readonly applyToAll: boolean };

const MAX_IDS = 1000;
const OBJECT_ID = /^[0-9a-f]{24}$/;

/** Returns the principal where its token reaches less than its user, so that access to each repository is checked. */
export const principalIfLimited = (principal: Principal): Principal | undefined =>
  isLimited(principal) ? principal : undefined;

export function createNotifications({ database, inboxes }: { readonly database: Database; readonly inboxes: Inboxes }) {
  const { read } = database;
  const changes = createChanges({ database, inboxes });

  /** Returns what a change is about: all that matches the query, or the given threads, for which the query plays no part. */
  async function* targets(query: ChangeQuery, given: readonly string[]): AsyncGenerator<Filter> {
    if (query.applyToAll) return yield filterOf(read, query);
    // Other texts name no thread, and PostgreSQL fails with texts that are not well formed.
    const threadIds = given.filter((id) => OBJECT_ID.test(id));
    for (let from = 0; from < threadIds.length; from += MAX_IDS) {
      const part = threadIds.slice(from, from + MAX_IDS);
      yield { unread: false, involvement: WATCHES, threadIds: part };
    }
  }

  const ownerOf = ({ principal }: Caller) => ({ userId: principal.userId, viewer: principalIfLimited(principal) });

  return {
    async list(
      { principal, baseUrl }: Caller,
      { p, reasons: areReasonsAsked, ...query }: NotificationQuery & { readonly p: number; readonly reasons: boolean },
    ): Promise<JsonText<RouteAnswer<typeof listNotifications>>> {
      const start = p * PAGE_SIZE;
      const filter = await filterOf(read, query);
      const { rows, view, unread, all } = await readPage(read, principal.userId, filter, {
        start,
        viewer: principalIfLimited(principal),
      });
      const notifications = withAvatarOrigin(
        baseUrl,
        rows.map((row) => presentNotification(row.preview, row)).join(','),
      );
      const count = JSON.stringify({ view, unread, all });
      const threadIds = rows.map(({ threadId }) => threadId);
      const reasons = areReasonsAsked
        ? `,"reasons":${JSON.stringify(await readReasons(read, principal, threadIds))}`
        : '';
      return `{"notifications":[${notifications}],"count":${count},"start":${start}${reasons}}`;
    },

    /** Moves notifications to the done ones; returns how many. */
    async delete(caller: Caller, query: ChangeQuery, threadIds: readonly string[]): Promise<number> {
      let count = 0;
      for await (const filter of targets(query, threadIds)) count += await changes.delete(ownerOf(caller), filter);
      return count;
    },

    /** Marks notifications as read or unread; returns how many changed. */
    async mark(caller: Caller, query: ChangeQuery, threadIds: readonly string[], read: boolean): Promise<number> {
      let count = 0;
      for await (const filter of targets(query, threadIds)) count += await changes.mark(ownerOf(caller), filter, read);
      return count;
    },
  };
}

import type { listNotifications } from '@moonbase/contract/notifications/notifications';
import type { RouteAnswer } from '@moonbase/contract/route';
import { isLimited } from '../../access/index.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller, Principal } from '../../platform/http/authenticate.ts';
import type { JsonText } from '../../platform/http/json/text.ts';
import { createChanges } from './changes.ts';
import { type Filter, filterOf, type NotificationQuery } from './filter.ts';
import type { Inboxes } from './inboxes.ts';
import { readPage } from './page.ts';
import { presentNotification, withPictures } from './present.ts';
import { WATCHES } from './subject.ts';

export type Notifications = ReturnType<typeof createNotifications>;

type ChangeQuery = NotificationQuery & { readonly applyToAll: boolean };

export const PAGE_SIZE = 25;
const MAX_IDS = 1000;
const OBJECT_ID = /^[0-9a-f]{24}$/;

/** A token that reaches less than its user does is asked about each repository. */
export const limitedViewer = (principal: Principal): Principal | undefined =>
  isLimited(principal) ? principal : undefined;

export function createNotifications({ database, inboxes }: { readonly database: Database; readonly inboxes: Inboxes }) {
  const { read } = database;
  const changes = createChanges({ database, inboxes });

  /** What a change is about: all that matches the query, or the given threads, whatever the query says. */
  async function* targets(query: ChangeQuery, given: readonly string[]): AsyncGenerator<Filter> {
    if (query.applyToAll) return yield filterOf(read, query);
    // What is no object id is no thread's, and a text that is not well formed would be a fault of PostgreSQL.
    const threadIds = given.filter((id) => OBJECT_ID.test(id));
    for (let from = 0; from < threadIds.length; from += MAX_IDS) {
      const part = threadIds.slice(from, from + MAX_IDS);
      yield { unread: false, involvement: WATCHES, threadIds: part };
    }
  }

  const ownerOf = ({ principal }: Caller) => ({ userId: principal.userId, viewer: limitedViewer(principal) });

  return {
    async list({ principal, baseUrl }: Caller, { p, ...query }: NotificationQuery & { readonly p: number }) {
      const start = p * PAGE_SIZE;
      const filter = await filterOf(read, query);
      const { rows, view, unread, all } = await readPage(read, principal.userId, filter, {
        start,
        limit: PAGE_SIZE,
        viewer: limitedViewer(principal),
      });
      const notifications = withPictures(baseUrl, rows.map((row) => presentNotification(row.body, row)).join(','));
      const count = JSON.stringify({ view, unread, all });
      return `{"notifications":[${notifications}],"count":${count},"start":${start}}` as JsonText<
        RouteAnswer<typeof listNotifications>
      >;
    },

    /** Deletes notifications; returns how many. */
    async remove(caller: Caller, query: ChangeQuery, threadIds: readonly string[]): Promise<number> {
      let count = 0;
      for await (const filter of targets(query, threadIds)) count += await changes.remove(ownerOf(caller), filter);
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

import type { listDoneNotifications } from '@moonbase/contract/notifications/notifications';
import type { RouteAnswer } from '@moonbase/contract/route';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { JsonText } from '../../platform/stored-form.ts';
import { counterChanges } from '../clean-up/delete-notifications.ts';
import { filterOf, type NotificationQuery } from '../inbox/filter.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { withPreviews } from '../inbox/page.ts';
import { PAGE_SIZE } from '../inbox/page-size.ts';
import { presentNotification, withAvatarOrigin } from '../inbox/present.ts';
import { findDone, lockDone, moveFromDone } from './done-store.ts';

export type DoneNotifications = ReturnType<typeof createDoneNotifications>;

/** What users are done with: deleted notifications, which can be moved back to the inbox. */
export function createDoneNotifications({
  database,
  inboxes,
}: {
  readonly database: Database;
  readonly inboxes: Inboxes;
}) {
  const { read } = database;
  return {
    async list(
      { principal, baseUrl }: Caller,
      { p, ...query }: NotificationQuery & { readonly p: number },
    ): Promise<JsonText<RouteAnswer<typeof listDoneNotifications>>> {
      const start = p * PAGE_SIZE;
      const filter = await filterOf(read, query);
      const page = await findDone(read, principal, filter, { start: Math.min(start, 2 ** 31), limit: PAGE_SIZE });
      const rows = await withPreviews(read, page.rows);
      const notifications = withAvatarOrigin(
        baseUrl,
        rows.map((row) => presentNotification(row.preview, row)).join(','),
      );
      return `{"notifications":[${notifications}],"count":{"view":${page.view}},"start":${start}}`;
    },

    /** Moves notifications back to the inbox, as they were; returns how many. */
    restore: ({ principal }: Caller, threadIds: readonly string[]): Promise<number> =>
      database.transaction(async (tx) => {
        const done = await lockDone(tx, principal, threadIds);
        if (done.length === 0) return 0;
        await inboxes.lock(tx, [principal.userId]);
        const restored = await moveFromDone(tx, principal, done);
        await inboxes.changeCounters(tx, counterChanges(restored, 1));
        return restored.length;
      }),
  };
}

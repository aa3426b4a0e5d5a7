import type { NotificationEvents } from '@moonbase/contract/notifications/notifications';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { HEARTBEAT, serverSentEvent } from '../platform/http/event-stream.ts';
import { createLiveStreams, type LiveStream } from '../platform/http/live-stream.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { inboxVersion } from './inbox/inbox-store.ts';
import { readPage } from './inbox/page.ts';
import { PAGE_SIZE } from './inbox/page-size.ts';
import type { InboxPage, StoredNotification } from './inbox/page-store.ts';
import { presentNotification, withAvatarOrigin } from './inbox/present.ts';
import { principalIfLimited } from './inbox/service.ts';
import { WATCHES } from './inbox/subject.ts';

interface Dependencies {
  readonly database: Database;
  readonly signals: Signals;
  /** How often a stream sends a heartbeat and looks at the inbox without a signal. */
  readonly heartbeatMs?: number;
}

/** The streams of one user, one for each browser window. */
const MAX_STREAMS = 10;

export type NotificationStreams = ReturnType<typeof createNotificationStreams>;

/** Live streams of what changes in inboxes. */
export function createNotificationStreams({ database: { read }, signals, heartbeatMs = 15_000 }: Dependencies) {
  const streams = createLiveStreams({ signals, maxPerUser: MAX_STREAMS });

  const newest = ({ principal }: Caller): Promise<InboxPage> =>
    readPage(
      read,
      principal.userId,
      { unread: false, involvement: WATCHES },
      { start: 0, viewer: principalIfLimited(principal) },
    );

  /**
   * Reads the first page at every signal and every `heartbeatMs`; if the inbox has changed, sends what is new or updated since
   * the last reading, otherwise a heartbeat.
   */
  async function* events(userId: string, identify: () => Promise<Caller>, { nudge, ended }: LiveStream) {
    let version: number | undefined;
    let before: InboxPage | undefined;
    for (; !ended.aborted; await nudge.wait(heartbeatMs, ended)) {
      // Throws where the token was revoked or may no longer read the inbox: the stream ends.
      const caller = await identify();
      const current = await inboxVersion(read, userId);
      if (before && current === version) yield HEARTBEAT;
      else {
        const page = await newest(caller);
        yield* changesBetween(before, page, caller.baseUrl);
        version = current;
        before = page;
      }
    }
  }

  return {
    /** Opens a stream; `identify` authenticates again before each event. Throws 429 where a user has too many streams. */
    open: (caller: Caller, identify: () => Promise<Caller>) => {
      const { userId } = caller.principal;
      return streams.open(caller, userId, (stream) => events(userId, identify, stream));
    },

    close: streams.close,
  };
}

/** Returns an event with the counters where they changed, then one for each new or updated notification, oldest first. */
function* changesBetween(before: InboxPage | undefined, page: InboxPage, baseUrl: string): Generator<string> {
  const { unread, all } = page;
  if (before?.unread !== unread || before.all !== all)
    yield serverSentEvent('count' satisfies keyof NotificationEvents, JSON.stringify({ unread, all }));
  if (!before) return;
  const known = new Set(before.rows.map(versionKeyOf));
  // A notification below the page moves up when one above is deleted: it is neither new nor updated.
  const last = before.all > PAGE_SIZE ? before.rows.at(-1) : undefined;
  const news = page.rows.filter((row) => !known.has(versionKeyOf(row)) && (!last || isAbove(row, last)));
  for (const row of news.toReversed())
    yield serverSentEvent(
      'notification' satisfies keyof NotificationEvents,
      withAvatarOrigin(baseUrl, presentNotification(row.preview, row)),
    );
}

const isAbove = (row: StoredNotification, other: StoredNotification): boolean =>
  row.updatedAt > other.updatedAt || (row.updatedAt === other.updatedAt && row.threadId < other.threadId);

const versionKeyOf = ({ threadId, updatedAt, eventId }: StoredNotification) => `${threadId} ${updatedAt} ${eventId}`;

import type { NotificationEvents } from '@moonbase/contract/notifications/notifications';
import { prepared } from '../platform/database/prepared.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { HEARTBEAT, serverSentEvent } from '../platform/http/event-stream.ts';
import { createLiveStreams, type LiveStream } from '../platform/http/live-stream.ts';
import type { Signals } from '../platform/queue/signals.ts';
import { type InboxPage, type Listed, readPage } from './inbox/page.ts';
import { presentNotification, withPictures } from './inbox/present.ts';
import { limitedViewer, PAGE_SIZE } from './inbox/service.ts';
import { WATCHES } from './inbox/subject.ts';

interface Dependencies {
  readonly database: Database;
  readonly signals: Signals;
  /** How often a stream shows that it is alive, and looks at the inbox unasked. */
  readonly heartbeatMs?: number;
}

/** Browser windows of one user. */
const MAX_STREAMS = 10;

export type NotificationStreams = ReturnType<typeof createNotificationStreams>;

const versionIn = prepared<{ userId: string }>()((executor, argument) =>
  executor.selectFrom('inboxes').select('version').where('user_id', '=', argument('userId')),
);

/** What happens to inboxes while somebody watches. */
export function createNotificationStreams({ database: { read }, signals, heartbeatMs = 15_000 }: Dependencies) {
  const streams = createLiveStreams({ signals, maxPerUser: MAX_STREAMS });

  const versionOf = async (userId: string) => (await versionIn(read, { userId }))[0]?.version;

  const newest = ({ principal }: Caller): Promise<InboxPage> =>
    readPage(
      read,
      principal.userId,
      { unread: false, involvement: WATCHES },
      { start: 0, limit: PAGE_SIZE, viewer: limitedViewer(principal) },
    );

  /** Looks at the inbox when told to and from time to time; what is said follows from what it finds there. */
  async function* events(userId: string, identify: () => Promise<Caller>, { nudge, ended }: LiveStream) {
    let version: number | undefined;
    let before: InboxPage | undefined;
    for (; !ended.aborted; await nudge.wait(heartbeatMs, ended)) {
      // Whoever lost the token, or what it may do, hears no more.
      const caller = await identify();
      const current = await versionOf(userId);
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
    /** Opens a stream; `identify` is asked again before each event. 429 where a user has too many. */
    open: (caller: Caller, identify: () => Promise<Caller>) => {
      const { userId } = caller.principal;
      return streams.open(caller, userId, (stream) => events(userId, identify, stream));
    },

    close: streams.close,
  };
}

/** The counters where they changed, then what is new or has news, oldest first. */
function* changesBetween(before: InboxPage | undefined, page: InboxPage, baseUrl: string): Generator<string> {
  const { unread, all } = page;
  if (before?.unread !== unread || before.all !== all)
    yield serverSentEvent('count' satisfies keyof NotificationEvents, JSON.stringify({ unread, all }));
  if (!before) return;
  const known = new Set(before.rows.map(stateOf));
  // What was below the page moves up where something above it goes: that is no news.
  const last = before.all > PAGE_SIZE ? before.rows.at(-1) : undefined;
  const news = page.rows.filter((row) => !known.has(stateOf(row)) && (!last || isAbove(row, last)));
  for (const row of news.toReversed())
    yield serverSentEvent(
      'notification' satisfies keyof NotificationEvents,
      withPictures(baseUrl, presentNotification(row.body, row)),
    );
}

const isAbove = (row: Listed, other: Listed): boolean =>
  row.updatedAt > other.updatedAt || (row.updatedAt === other.updatedAt && row.threadId < other.threadId);

const stateOf = ({ threadId, updatedAt, eventId }: Listed) => `${threadId} ${updatedAt} ${eventId}`;

import type { NotificationEvents } from '@moonbase/contract/notifications/notifications';
import { prepared } from '../platform/database/prepared.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { HubError } from '../platform/http/errors.ts';
import { HEARTBEAT, serverSentEvent } from '../platform/http/event-stream.ts';
import { createNudge, type Nudge } from '../platform/queue/nudge.ts';
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

/** Windows of one user. */
const MOST_STREAMS = 10;

export type NotificationStreams = ReturnType<typeof createNotificationStreams>;

const versionIn = prepared<{ userId: string }>()((executor, argument) =>
  executor.selectFrom('inboxes').select('version').where('user_id', '=', argument('userId')),
);

/** What happens to inboxes while somebody watches. */
export function createNotificationStreams({ database: { executor }, signals, heartbeatMs = 15_000 }: Dependencies) {
  const stopping = new AbortController();
  const open = new Map<string, number>();

  const count = (userId: string, change: 1 | -1) => {
    const now = (open.get(userId) ?? 0) + change;
    if (now === 0) open.delete(userId);
    else open.set(userId, now);
  };

  const versionOf = async (userId: string) => (await versionIn(executor, { userId }))[0]?.version;

  const newest = ({ principal }: Caller): Promise<InboxPage> =>
    readPage(
      executor,
      principal.userId,
      { unread: false, involvement: WATCHES },
      { start: 0, limit: PAGE_SIZE, viewer: limitedViewer(principal) },
    );

  /** Looks at the inbox when told to and from time to time; what is said follows from what it finds there. */
  async function* events(userId: string, identify: () => Promise<Caller>, nudge: Nudge, ended: AbortSignal) {
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
    open({ principal: { userId } }: Caller, identify: () => Promise<Caller>) {
      if (stopping.signal.aborted) throw new HubError(503, 'The hub is stopping');
      if ((open.get(userId) ?? 0) >= MOST_STREAMS)
        throw new HubError(429, `At most ${MOST_STREAMS} streams of one user can be open; close another one`);
      return (closed: AbortSignal): AsyncGenerator<string> => {
        const ended = AbortSignal.any([closed, stopping.signal]);
        const nudge = createNudge();
        // Before anything is read: a connection may close before that, and then nothing is.
        count(userId, 1);
        const stopListening = signals.listen(userId, nudge);
        ended.addEventListener(
          'abort',
          () => {
            stopListening();
            count(userId, -1);
          },
          { once: true },
        );
        return events(userId, identify, nudge, ended);
      };
    },

    /** Ends all streams, and opens no more. */
    close: () => stopping.abort(),
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

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useHub } from '../session/session.tsx';
import { THREADS } from '../threads/keys.ts';
import { servesAnother } from '../ui/updates/version.ts';
import { COUNTS_KEY } from './counts.ts';
import { type Connection, listenToInbox } from './one-stream.ts';
import { type InboxPage, PAGES } from './pages.ts';

/** How long events are collected before one refresh. */
const QUIET_MS = 400;

/** Keeps the counters and lists of notifications, and the thread on the page, up to date by the hub's stream. */
export function useLiveInbox(): Connection {
  const hub = useHub();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('open');

  useEffect(() => {
    const closed = new AbortController();
    const refresh = afterQuiet(() => {
      for (const queryKey of [PAGES, THREADS]) void queries.invalidateQueries({ queryKey });
    });
    let wasOpen = false;
    let wasBroken = false;
    listenToInbox(hub, closed.signal, {
      onEvent({ event, data }, isFirst) {
        setConnection('open');
        // What failed in the meantime is read again, and what is shown may be old.
        if (wasBroken) void queries.invalidateQueries();
        if (isFirst && wasOpen) void servesAnother();
        wasBroken = false;
        wasOpen = true;
        if (event === 'count') queries.setQueryData(COUNTS_KEY, data);
        // The first counters show whether the list is current or missed something while the connection was broken.
        if (!isFirst || differs(queries, data)) refresh();
      },
      onConnection(now) {
        wasBroken = now === 'broken';
        setConnection(now);
      },
    });
    return () => closed.abort();
  }, [hub, queries]);

  return connection;
}

const differs = (queries: QueryClient, data: object): boolean =>
  queries
    .getQueriesData<InboxPage>({ queryKey: PAGES })
    .some(
      ([, page]) =>
        page?.count.all !== undefined &&
        'all' in data &&
        'unread' in data &&
        JSON.stringify([page.count.all, page.count.unread]) !== JSON.stringify([data.all, data.unread]),
    );

/** Returns a function that acts a while after its first call; calls in between have no further effect. */
function afterQuiet(act: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      act();
    }, QUIET_MS);
  };
}

import { HubApiError } from '@moonbase/client/errors';
import { streamNotifications } from '@moonbase/client/notifications';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { noteRefusal } from '../session/queries.ts';
import { useHub } from '../session/session.tsx';
import { COUNTS_KEY } from './counts.ts';
import { PAGES } from './pages.ts';

export type Connection = 'open' | 'broken' | 'refused';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
/** How long events are collected before one refresh. */
const QUIET_MS = 400;

/** Keeps the counters and lists of notifications up to date by the hub's stream. */
export function useLiveInbox(): Connection {
  const hub = useHub();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('open');

  useEffect(() => {
    const closed = new AbortController();
    const { signal } = closed;
    const refresh = afterQuiet(() => void queries.invalidateQueries({ queryKey: PAGES }));
    const listen = async () => {
      let hasHeard = false;
      for await (const { event, data } of streamNotifications({ ...hub, signal })) {
        setConnection('open');
        if (event === 'count') queries.setQueryData(COUNTS_KEY, data);
        // The first counters show whether the list is current or missed something while the connection was broken.
        if (hasHeard || differs(queries, data)) refresh();
        hasHeard = true;
      }
    };
    const keepListening = async () => {
      for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
        const began = Date.now();
        try {
          await listen();
        } catch (error) {
          if (signal.aborted) return;
          noteRefusal(error);
          if (error instanceof HubApiError && [401, 403].includes(error.status)) return setConnection('refused');
        }
        if (signal.aborted) return;
        setConnection('broken');
        if (Date.now() - began > MAX_WAIT_MS) wait = FIRST_WAIT_MS;
        await pause(wait, signal);
      }
    };
    void keepListening();
    return () => closed.abort();
  }, [hub, queries]);

  return connection;
}

const differs = (queries: QueryClient, data: object): boolean =>
  queries
    .getQueriesData<{ count: { unread: number; all: number } }>({ queryKey: PAGES })
    .some(
      ([, page]) =>
        page &&
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

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

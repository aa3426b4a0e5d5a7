import { type ChangedIds, type JoinTopic, noBroadcast } from './broadcast.ts';

/**
 * Signals to listeners that the thing with an id may have changed: an optimisation, never a promise. Listeners read the
 * rows themselves, and also poll from time to time.
 */
export interface Signals {
  send(ids: readonly string[]): void;
  /** Calls `listener` whenever something may have changed; returns a function that removes the listener. */
  listen(id: string, listener: () => void): () => void;
}

/** Creates signals that are connected with those of the same name in other processes. */
export function createSignals(join: JoinTopic = noBroadcast, name = ''): Signals {
  const listeners = new Map<string, Set<() => void>>();

  function wake(news: ChangedIds): void {
    if (listeners.size === 0) return;
    const ids = news === 'all' ? [...listeners.keys()] : news;
    for (const id of ids) for (const listener of listeners.get(id) ?? []) listener();
  }

  const tell = join(name, wake);
  return {
    send(ids) {
      wake(ids);
      tell(ids);
    },
    listen(id, listener) {
      const ofId = listeners.get(id) ?? new Set();
      listeners.set(id, ofId.add(listener));
      return () => {
        ofId.delete(listener);
        if (ofId.size === 0 && listeners.get(id) === ofId) listeners.delete(id);
      };
    },
  };
}

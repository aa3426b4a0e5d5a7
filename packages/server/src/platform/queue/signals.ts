import { alone, type Join, type News } from './broadcast.ts';

/**
 * Tells whoever listens that something of that id may have changed: an optimisation, never a promise. Listeners look at
 * the rows themselves, and from time to time unasked.
 */
export interface Signals {
  send(ids: readonly string[]): void;
  /** Calls `listener` whenever something may have changed; returns how to end that. */
  listen(id: string, listener: () => void): () => void;
}

/** Joined with those of the same name in the other processes. */
export function createSignals(join: Join = alone, name = ''): Signals {
  const listeners = new Map<string, Set<() => void>>();

  function wake(news: News): void {
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
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      };
    },
  };
}

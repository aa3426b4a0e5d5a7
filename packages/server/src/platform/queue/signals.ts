/**
 * Tells whoever listens that something of that id may have changed: an optimisation, never a promise. This one knows of
 * what its own process does; listeners look at the rows themselves, and from time to time unasked.
 */
export interface Signals {
  send(ids: readonly string[]): void;
  /** Calls `listener` whenever something may have changed; answers how to end that. */
  listen(id: string, listener: () => void): () => void;
}

export function createSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>();
  return {
    send(ids) {
      if (listeners.size === 0) return;
      for (const id of ids) for (const listener of listeners.get(id) ?? []) listener();
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

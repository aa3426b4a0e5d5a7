/**
 * Tells whoever listens that an inbox may have changed: an optimisation, never a promise. This one knows of what its
 * own process does; listeners look at the inbox itself, and from time to time unasked.
 */
export interface Signals {
  send(userIds: readonly string[]): void;
  /** Calls `listener` whenever something may have changed for the user; answers how to end that. */
  listen(userId: string, listener: () => void): () => void;
}

export function createSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>();
  return {
    send(userIds) {
      if (listeners.size === 0) return;
      for (const userId of userIds) for (const listener of listeners.get(userId) ?? []) listener();
    },
    listen(userId, listener) {
      const ofUser = listeners.get(userId) ?? new Set();
      listeners.set(userId, ofUser.add(listener));
      return () => {
        ofUser.delete(listener);
        if (ofUser.size === 0 && listeners.get(userId) === ofUser) listeners.delete(userId);
      };
    },
  };
}

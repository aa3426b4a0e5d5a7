import { type Connection, createConnection } from './connection.ts';
import type { Connect } from './guarded-connector.ts';

/** Connections that rest, over all origins; beyond it the one that has rested longest is closed. */
const MAX_RESTING = 256;

export type Connections = ReturnType<typeof createConnections>;

/**
 * Connections by origin, each for one exchange at a time: as many are open as exchanges are in flight, and those that
 * rest for the next one. An exchange never waits for the connection of another.
 */
export function createConnections(connect: Connect) {
  const open = new Set<Connection>();
  const resting = new Set<Connection>(); // in the order in which they came to rest
  const restingAt = new Map<string, Connection[]>();

  function wake(connection: Connection): void {
    resting.delete(connection);
    const others = restingAt.get(connection.origin);
    const index = others?.lastIndexOf(connection) ?? -1;
    if (others === undefined || index < 0) return;
    if (others.length === 1) restingAt.delete(connection.origin);
    else others.splice(index, 1);
  }

  function forget(connection: Connection): void {
    open.delete(connection);
    if (resting.has(connection)) wake(connection);
  }

  return {
    /** The connection to this origin that came to rest last, else a new one. */
    take(origin: string): Connection {
      const rested = restingAt.get(origin)?.at(-1);
      if (rested !== undefined) {
        wake(rested);
        return rested;
      }
      const connection = createConnection(origin, connect, forget);
      open.add(connection);
      return connection;
    },

    giveBack(connection: Connection): void {
      if (!connection.rest()) {
        void connection.close();
        return;
      }
      resting.add(connection);
      const others = restingAt.get(connection.origin);
      if (others === undefined) restingAt.set(connection.origin, [connection]);
      else others.push(connection);
      if (resting.size > MAX_RESTING) for (const oldest of resting) return void oldest.close();
    },

    /** How many connections there are, in use or resting. */
    count: (): number => open.size,

    async closeAll(): Promise<void> {
      await Promise.all([...open].map((connection) => connection.close()));
    },
  };
}

import { type Connection, createConnection } from './connection.ts';
import type { Connect } from './guarded-connector.ts';

/** The maximum number of idle connections to all origins; beyond it, the one that has been idle longest is closed. */
const MAX_RESTING = 256;

export type Connections = ReturnType<typeof createConnections>;

/**
 * A pool of connections by origin, each for one exchange at a time. An exchange never waits for another: if no
 * connection to its origin is idle, it gets a new one.
 */
export function createConnections(options: { readonly connect: Connect; readonly keepAliveMs: number }) {
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
    /** Returns the idle connection to an origin that was used last, or a new one. */
    take(origin: string): Connection {
      const rested = restingAt.get(origin)?.at(-1);
      if (rested !== undefined) {
        wake(rested);
        return rested;
      }
      const connection = createConnection(origin, options, forget);
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

    /** Returns the number of connections, in use or idle. */
    count: (): number => open.size,

    async closeAll(): Promise<void> {
      await Promise.all([...open].map((connection) => connection.close()));
    },
  };
}

import { setImmediate } from 'node:timers/promises';
import { type DatabaseConnection, type Driver, SqliteDialect, type SqliteDialectConfig, SqliteDriver } from 'kysely';

/** How long the statements of a transaction may block the event loop at a time. */
const MAX_HOLD_MS = 5;

/**
 * SQLite whose transactions yield to the event loop between two statements. The driver is synchronous, and awaiting settled
 * promises never yields: without this, no request would be handled before the end of a transaction.
 */
export class YieldingDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new YieldingDriver(this.#config);
  }
}

class YieldingDriver extends SqliteDriver {
  readonly #turnIfDue = createTurns();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: async (query) => {
        await this.#turnIfDue();
        return connection.executeQuery(query);
      },
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }
}

/** Returns a promise of the next turn of the event loop if one is due, otherwise undefined. */
function createTurns(): () => Promise<void> | undefined {
  let turn: Promise<void> | undefined;
  let beganAt = 0;
  return () => {
    if (turn) return performance.now() - beganAt < MAX_HOLD_MS ? undefined : turn;
    beganAt = performance.now();
    turn = setImmediate().then(() => {
      turn = undefined;
    });
    return undefined;
  };
}

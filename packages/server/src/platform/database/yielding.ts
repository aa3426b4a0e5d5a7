import { setImmediate } from 'node:timers/promises';
import { type DatabaseConnection, type Driver, SqliteDialect, type SqliteDialectConfig, SqliteDriver } from 'kysely';

/** How long the statements of a transaction keep the event loop at a time. */
const MAX_HOLD_MS = 5;

/**
 * SQLite whose transactions let the event loop turn between two statements. The driver answers at once, and promises
 * that are settled already never give way: without this, nobody would be heard before the end of a transaction.
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

/** Returns the next turn of the event loop where it is due, and nothing where it is not. */
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

import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  type Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  type QueryExecutor,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  Transaction,
} from 'kysely';

/** The error of work in a transaction that neither ended nor called the database. */
export class NeverSettled extends Error {
  override name = 'NeverSettled';
}

/** The interval and number of checks: a machine that is stopped or too busy misses checks, so that its pauses do not count. */
const LOOK_MS = 80;
const MAX_IDLE_LOOKS = 8;

/**
 * Runs work in a transaction that is cut off if it stalls: no statement is in flight, none has begun, and the work does not
 * end. Later statements of the work are refused.
 */
export async function cutOffWhenStalled<Tables, T>(
  tx: Kysely<Tables>,
  dialect: Dialect,
  work: (tx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  // SQLite is synchronous.
  const statements = new Statements(tx.getExecutor().adapter instanceof PostgresAdapter);
  const executor = new WatchedExecutor(tx.getExecutor(), statements);
  const watched = new Transaction<Tables>({ config: { dialect }, dialect, driver: new DummyDriver(), executor });
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_resolve, reject) => {
    timer = setInterval(() => {
      if (statements.haveStalled())
        reject(new NeverSettled('The work did not end, and asked the database for nothing any more'));
    }, LOOK_MS);
  });
  try {
    return await Promise.race([work(watched), stalled]);
  } finally {
    clearInterval(timer);
    statements.closed = true;
  }
}

class Statements {
  closed = false;
  #begun = 0;
  #inFlight = 0;
  #seen = 0;
  #idleLooks = 0;
  readonly #ended = () => {
    this.#inFlight -= 1;
  };

  readonly #areAwaited: boolean;

  constructor(areAwaited: boolean) {
    this.#areAwaited = areAwaited;
  }

  /** Adds nothing to what is waited for. */
  run<R>(statement: Promise<R>): Promise<R> {
    this.#begun += 1;
    if (!this.#areAwaited) return statement;
    this.#inFlight += 1;
    statement.then(this.#ended, this.#ended);
    return statement;
  }

  haveStalled(): boolean {
    const idle = this.#inFlight === 0 && this.#begun === this.#seen;
    this.#seen = this.#begun;
    this.#idleLooks = idle ? this.#idleLooks + 1 : 0;
    return this.#idleLooks >= MAX_IDLE_LOOKS;
  }
}

/** The executor of a transaction, with a hook for each statement. */
class WatchedExecutor implements QueryExecutor {
  readonly #inner: QueryExecutor;
  readonly #statements: Statements;

  constructor(inner: QueryExecutor, statements: Statements) {
    this.#inner = inner;
    this.#statements = statements;
  }

  get adapter() {
    return this.#inner.adapter;
  }
  get plugins() {
    return this.#inner.plugins;
  }
  transformQuery<N extends RootOperationNode>(node: N, queryId: QueryId): N {
    return this.#inner.transformQuery(node, queryId);
  }
  compileQuery<R>(node: RootOperationNode, queryId: QueryId): CompiledQuery<R> {
    return this.#inner.compileQuery(node, queryId);
  }
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    if (this.#statements.closed) return Promise.reject(new NeverSettled('The transaction has ended'));
    return this.#statements.run(this.#inner.executeQuery(query));
  }
  stream<R>(query: CompiledQuery<R>, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#inner.stream(query, chunkSize);
  }
  provideConnection<R>(use: (connection: DatabaseConnection) => Promise<R>): Promise<R> {
    return this.#inner.provideConnection(use);
  }
  withConnectionProvider(provider: ConnectionProvider): QueryExecutor {
    return this.#with(this.#inner.withConnectionProvider(provider));
  }
  withPlugin(plugin: KyselyPlugin): QueryExecutor {
    return this.#with(this.#inner.withPlugin(plugin));
  }
  withPlugins(plugins: readonly KyselyPlugin[]): QueryExecutor {
    return this.#with(this.#inner.withPlugins(plugins));
  }
  withPluginAtFront(plugin: KyselyPlugin): QueryExecutor {
    return this.#with(this.#inner.withPluginAtFront(plugin));
  }
  withoutPlugins(): QueryExecutor {
    return this.#with(this.#inner.withoutPlugins());
  }
  #with(inner: QueryExecutor): QueryExecutor {
    return new WatchedExecutor(inner, this.#statements);
  }
}

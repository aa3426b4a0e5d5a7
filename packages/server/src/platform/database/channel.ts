import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import { sha256 } from '../secrets.ts';

/** What the processes of a hub say to each other through PostgreSQL: heard at once, or never. */
export interface Channel extends AsyncDisposable {
  /** To the other processes; each text of less than 8,000 bytes. Dropped while there is no connection. */
  send(texts: readonly string[]): Promise<void>;
}

interface Listener {
  /** Told what another process said. Anybody who may use the database can say anything. */
  readonly heard: (text: string) => void;
  /** Told that from now on nothing is missed. */
  readonly connected: () => void;
}

const MAX_REST_MS = 5_000;
const TIMEOUT_MS = 10_000;

/**
 * A connection of its own that listens (`LISTEN`) and speaks (`NOTIFY`), made anew whenever it breaks. PostgreSQL lets
 * one transaction at a time commit what it says: so nothing is said in a transaction that somebody waits for, and that
 * commit waits for no disk.
 */
function openChannel(url: string, logger: Logger, { heard, connected }: Listener): Channel {
  const closing = new AbortController();
  let speaking: { readonly client: pg.Client; readonly name: string } | undefined;

  /** Resolves when the connection has ended, throws where there was none. */
  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
    });
    const end = () => void client.end();
    try {
      const ended = new Promise<void>((resolve, reject) => {
        client.on('end', resolve);
        client.on('error', reject);
      });
      ended.catch(() => {});
      await client.connect();
      closing.signal.addEventListener('abort', end);
      if (closing.signal.aborted) return;
      const { rows } = await client.query<{ schema: string; own: number }>(
        'select current_schema() as schema, pg_backend_pid() as own',
      );
      const { schema = '', own } = rows[0] ?? {};
      // Several hubs may share a database, each in a schema of its own.
      const name = `moonbase_${sha256(schema).slice(0, 16)}`;
      client.on('notification', ({ processId, payload = '' }) => {
        if (processId !== own) heard(payload);
      });
      await client.query(`listen ${name}`);
      speaking = { client, name };
      connected();
      await ended;
    } finally {
      speaking = undefined;
      closing.signal.removeEventListener('abort', end);
      end();
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      const startedAt = performance.now();
      let reason: unknown = new Error('The connection has ended');
      await listen().catch((error: unknown) => {
        reason = error;
      });
      if (closing.signal.aborted) return;
      if (performance.now() - startedAt > MAX_REST_MS) failures = 0;
      if (failures === 0)
        logger.error(
          { reason },
          'the connection that wakes other processes was lost; meanwhile they look every second',
        );
      await pause(Math.min(100 * 2 ** failures, MAX_REST_MS), undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async send(texts) {
      if (!speaking) return;
      const { client, name } = speaking;
      await client
        .query(
          `select set_config('synchronous_commit', 'off', true), pg_notify($1, said) from unnest($2::text[]) said`,
          [name, texts],
        )
        .catch(() => client.end());
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await running;
    },
  };
}

/** How to open one, where processes share the database. */
export const channelTo = (url: string | undefined, logger: Logger) =>
  url === undefined ? undefined : (listener: Listener) => openChannel(url, logger, listener);

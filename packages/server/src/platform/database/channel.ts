import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { onDemand } from '../on-demand.ts';
import { sha256 } from '../secrets.ts';

/** Messages between the processes of a hub through PostgreSQL: received at once or never. */
export interface Channel extends AsyncDisposable {
  /** Sends texts of less than 8,000 bytes to the other processes. Drops them while there is no connection. */
  send(texts: readonly string[]): Promise<void>;
}

interface Listener {
  /** Called with a message of another process. Anybody with access to the database can send anything. */
  readonly onMessage: (text: string) => void;
  /** Called when listening has begun, after which no message is missed. */
  readonly connected: () => void;
}

const MAX_REST_MS = 5_000;
const TIMEOUT_MS = 10_000;

/**
 * A dedicated connection that listens (`LISTEN`) and sends (`NOTIFY`), reopened whenever it breaks. PostgreSQL serializes
 * the commits of transactions that notify: therefore no transaction that somebody waits for notifies, and the commit of
 * a notification does not wait for the disk.
 */
function openChannel(url: string, logger: Logger, { onMessage, connected }: Listener): Channel {
  const closing = new AbortController();
  let speaking: { readonly client: pg.Client; readonly name: string } | undefined;

  /** Resolves when the connection has ended; throws if it could not be opened. */
  async function listen(): Promise<void> {
    const { Client } = onDemand('pg');
    const client = new Client({
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
      // Several hubs may share a database, each in its own schema.
      const name = `moonbase_${sha256(schema).slice(0, 16)}`;
      client.on('notification', ({ processId, payload = '' }) => {
        if (processId !== own) onMessage(payload);
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

/** Opens a channel, if processes share the database. */
export const channelTo = (url: string | undefined, logger: Logger) =>
  url === undefined ? undefined : (listener: Listener) => openChannel(url, logger, listener);

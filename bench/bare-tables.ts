import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Libsql from 'libsql';
import pg from 'pg';

/** A change of a repository, by its number, that makes a branch. */
export interface NewEvent {
  readonly id: string;
  readonly repo: number;
  readonly branch: string;
}

interface NewDelivery {
  readonly id: string;
  readonly event: string;
  readonly repo: number;
  readonly webhook: number;
}

interface Done {
  readonly id: string;
  readonly status: number;
}

/** The rows of changes and deliveries in the tables of the hub, each call one transaction. */
export interface BareTables {
  /** Inserts an account, its repositories and its webhooks. */
  begin(repos: number, webhooks: number): Promise<void>;
  change(events: readonly NewEvent[], data: string, now: number): Promise<void>;
  relay(deliveries: readonly NewDelivery[], now: number): Promise<void>;
  record(done: readonly Done[], url: string, now: number): Promise<void>;
  /** Resolves once all earlier transactions are on the disk. */
  durable(): Promise<void>;
}

const SHA = 'a'.repeat(40);
const RESPONSE_HEADERS = '{"connection":"keep-alive"}';

const firstRows = (repos: number, webhooks: number): string[] => [
  `insert into accounts (id, kind, name, name_key, fullname, created_at, plan) values ('u', 'user', 'u', 'u', 'u', 0, 'free')`,
  ...Array.from(
    { length: repos },
    (_, at) => `insert into repositories (id, type, owner_id, name, name_key, created_at, last_modified)
      values ('r${at}', 'model', 'u', 'r${at}', 'r${at}', 0, 0)`,
  ),
  ...Array.from(
    { length: webhooks },
    (_, at) => `insert into webhooks (id, owner_id, url, domains, state, created_at)
      values ('w${at}', 'u', 'http://127.0.0.1/', '["repo"]', 'enabled', 0)`,
  ),
];

/** The columns of a delivery, and those that are alike in all of them as literals. */
const DELIVERY = `insert into deliveries (id, webhook_id, event_id, trigger_key, repo_id, created_at, due_at, status, lane,
  attempts, kind, scope, action, repo_type, repo_name, repo_key, repo_owner_id, repo_private)`;
const ALIKE = `'pending', 'http://127.0.0.1', 0, 'trigger', 'repo.content', 'update', 'model', 'u/r', 'u/r', 'u', 0`;
const ATTEMPT = `insert into delivery_attempts (delivery_id, number, created_at, url, response_status, response_headers,
  response_body, duration_ms)`;

/** Opens the tables of SQLite, whose log is synced off the event loop, as in the hub. */
export async function openBareSqlite(folder: string): Promise<BareTables> {
  const file = join(folder, 'moonbase.db');
  const database = new Libsql(file);
  database.exec(`pragma journal_mode = wal; pragma synchronous = off; pragma foreign_keys = on;
    pragma wal_autocheckpoint = 10000; pragma cache_size = -32000`);
  const log = await open(`${file}-wal`, 'r+');
  const ref = database.prepare('insert into refs (repo_id, ref, sha) values (?, ?, ?)');
  const touch = database.prepare('update repositories set last_modified = ? where id = ?');
  const event = database.prepare(
    'insert into events (id, topic, created_at, data, due_at, attempts) values (?, ?, ?, ?, ?, 0)',
  );
  const eventDone = database.prepare('update events set done_at = ? where id = ?');
  const delivery = database.prepare(`${DELIVERY} values (?, ?, ?, ?, ?, ?, ?, ${ALIKE})`);
  const deliveryDone = database.prepare(
    `update deliveries set status = 'delivered', attempts = 1, response_status = ?, duration_ms = 1 where id = ?`,
  );
  const attempt = database.prepare(`${ATTEMPT} values (?, 1, ?, ?, ?, '${RESPONSE_HEADERS}', '', 1)`);
  const inTransaction = async (work: () => void) => {
    database.exec('begin immediate');
    work();
    database.exec('commit');
  };
  return {
    async begin(repos, webhooks) {
      for (const row of firstRows(repos, webhooks)) database.exec(row);
    },
    change: (events, data, now) =>
      inTransaction(() => {
        for (const { id, repo, branch } of events) {
          ref.run(`r${repo}`, `refs/heads/${branch}`, SHA);
          touch.run(now, `r${repo}`);
          event.run(id, 'repo', now, data, now);
        }
      }),
    relay: (deliveries, now) =>
      inTransaction(() => {
        for (const each of deliveries)
          delivery.run(each.id, `w${each.webhook}`, each.event, each.event, `r${each.repo}`, now, now);
        for (const id of new Set(deliveries.map((each) => each.event))) eventDone.run(now, id);
      }),
    record: (done, url, now) =>
      inTransaction(() => {
        for (const { id, status } of done) {
          deliveryDone.run(status, id);
          attempt.run(id, now, url, status);
        }
      }),
    durable: () => log.datasync(),
  };
}

/** Opens the tables of PostgreSQL, with a connection for each kind of transaction; its commits are on the disk. */
export async function openBarePostgres(connectionString: string): Promise<BareTables> {
  const connect = async () => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return client;
  };
  const [changes, relays, records] = [await connect(), await connect(), await connect()];
  const inTransaction = async (client: pg.Client, statements: readonly pg.QueryConfig[]) => {
    await client.query('begin');
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  };
  return {
    async begin(repos, webhooks) {
      for (const row of firstRows(repos, webhooks)) await changes.query(row);
    },
    change: (events, data, now) =>
      inTransaction(changes, [
        {
          name: 'ref',
          text: 'insert into refs (repo_id, ref, sha) select r, f, $3 from unnest($1::text[], $2::text[]) as v (r, f)',
          values: [events.map(({ repo }) => `r${repo}`), events.map(({ branch }) => `refs/heads/${branch}`), SHA],
        },
        {
          name: 'touch',
          text: 'update repositories set last_modified = $2 where id = any ($1::text[])',
          values: [[...new Set(events.map(({ repo }) => `r${repo}`))], now],
        },
        {
          name: 'event',
          text: `insert into events (id, topic, created_at, data, due_at, attempts)
            select id, 'repo', $2::bigint, $3, $2::bigint, 0 from unnest($1::text[]) as v (id)`,
          values: [events.map(({ id }) => id), now, data],
        },
      ]),
    relay: (deliveries, now) =>
      inTransaction(relays, [
        {
          name: 'delivery',
          text: `${DELIVERY} select id, w, e, e, r, $5::bigint, $5::bigint, ${ALIKE}
            from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as v (id, w, e, r)`,
          values: [
            deliveries.map(({ id }) => id),
            deliveries.map(({ webhook }) => `w${webhook}`),
            deliveries.map(({ event }) => event),
            deliveries.map(({ repo }) => `r${repo}`),
            now,
          ],
        },
        {
          name: 'eventDone',
          text: 'update events set done_at = $2 where id = any ($1::text[])',
          values: [[...new Set(deliveries.map(({ event }) => event))], now],
        },
      ]),
    record: (done, url, now) =>
      inTransaction(records, [
        {
          name: 'deliveryDone',
          text: `update deliveries set status = 'delivered', attempts = 1, response_status = v.status, duration_ms = 1
            from unnest($1::text[], $2::integer[]) as v (id, status) where deliveries.id = v.id`,
          values: [done.map(({ id }) => id), done.map(({ status }) => status)],
        },
        {
          name: 'attempt',
          text: `${ATTEMPT} select id, 1, $3::bigint, $4, status, '${RESPONSE_HEADERS}', '', 1
            from unnest($1::text[], $2::integer[]) as v (id, status)`,
          values: [done.map(({ id }) => id), done.map(({ status }) => status), now, url],
        },
      ]),
    durable: async () => {},
  };
}

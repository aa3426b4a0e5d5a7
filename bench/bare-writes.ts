// node bare-writes.ts COUNT LOOPS DATA [POSTGRES_URL]: the reference for changes, a loop that writes the rows of a
// change (a ref, the time of its repository, an event) in the same transaction, with prepared statements and nothing
// around them. Prints transactions per second.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import pg from 'pg';
import { migrate } from '../packages/server/src/platform/database/migrate.ts';
import { openDatabase } from '../packages/server/src/platform/database/transaction.ts';

const [countText = '0', loopsText = '1', data = '', url] = process.argv.slice(2);
const count = Number(countText);
const migrations = fileURLToPath(new URL('../packages/server/migrations', import.meta.url));
const now = Date.now();
const id = (at: number) => at.toString(16).padStart(24, '0');
const REF = 'insert into refs (repo_id, ref, sha) values ($1, $2, $3)';
const EVENT = 'insert into events (id, topic, created_at, data, due_at, attempts) values ($1, $2, $3, $4, $5, 0)';
const TOUCH = 'update repositories set last_modified = $1 where id = $2';
const REPOS = 20;
const repoOf = (at: number) => `r${at % REPOS}`;
const refOf = (at: number) => [repoOf(at), `refs/heads/branch-${at}`, 'a'.repeat(40)];
const eventOf = (at: number) => [id(at), 'repo', now, data, now];
const ACCOUNT = `insert into accounts (id, kind, name, name_key, fullname, created_at, plan) values ('u', 'user', 'u', 'u', 'u', 0, 'free')`;
const repoRow = (id: string) =>
  `insert into repositories (id, type, owner_id, name, name_key, created_at, last_modified) values ('${id}', 'model', 'u', '${id}', '${id}', 0, 0)`;
const ROWS = [ACCOUNT, ...Array.from({ length: REPOS }, (_, at) => repoRow(repoOf(at)))];

async function onSqlite(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bare-'));
  const made = openDatabase({ folder });
  await migrate(made, migrations, now);
  await made[Symbol.asyncDispose]();
  const database = new Libsql(join(folder, 'moonbase.db'));
  database.exec('pragma synchronous = full; pragma foreign_keys = on');
  for (const row of ROWS) database.exec(row);
  const [ref, touch, event] = [REF, TOUCH, EVENT].map((text) => database.prepare(text.replace(/\$\d/g, '?')));
  const startedAt = performance.now();
  for (let at = 0; at < count; at++) {
    database.exec('begin');
    ref?.run(...refOf(at));
    touch?.run(now, repoOf(at));
    event?.run(...eventOf(at));
    database.exec('commit');
  }
  const seconds = (performance.now() - startedAt) / 1000;
  database.close();
  await rm(folder, { recursive: true });
  return count / seconds;
}

/** Writes to the schema of the measured hub, which is idle, and deletes the rows at the end. */
async function onPostgres(connectionString: string): Promise<number> {
  const clients = Array.from({ length: Number(loopsText) }, () => new pg.Client({ connectionString }));
  for (const client of clients) await client.connect();
  for (const row of ROWS) await clients[0]?.query(row);
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let at = next++; at < count; at = next++) {
        await client.query('begin');
        await client.query({ name: 'ref', text: REF, values: refOf(at) });
        await client.query({ name: 'touch', text: TOUCH, values: [now, repoOf(at)] });
        await client.query({
          name: 'event',
          text: EVENT.replace('attempts)', 'attempts, done_at)').replace('0)', '0, 1)'),
          values: eventOf(at),
        });
        await client.query('commit');
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await clients[0]?.query(
    `delete from events where id < '000000ff'; delete from repositories where owner_id = 'u'; delete from accounts where id = 'u'`,
  );
  for (const client of clients) await client.end();
  return count / seconds;
}

console.log(url === undefined ? await onSqlite() : await onPostgres(url));

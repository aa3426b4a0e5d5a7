// node bare-commits.ts COUNT REPOS [POSTGRES_URL]: the reference for commits of one small file. Each commit writes a
// blob, a tree and a commit as loose objects, and the rows of the change in one transaction, all synced; commits of one
// repository follow each other. Prints commits per second.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import Libsql from 'libsql';
import pg from 'pg';

const [countText = '0', reposText = '1', url] = process.argv.slice(2);
const count = Number(countText);
const repos = Number(reposText);
const TABLES = [
  'create table bare_refs (repo_id text, ref text, sha text, primary key (repo_id, ref))',
  'create table bare_repositories (id text primary key, last_modified bigint)',
  'create table bare_events (id text primary key, data text)',
];
const MOVE = 'update bare_refs set sha = $1 where repo_id = $2 and sha = $3';
const TOUCH = 'update bare_repositories set last_modified = $1 where id = $2';
const EVENT = 'insert into bare_events (id, data) values ($1, $2)';
const DATA = JSON.stringify({ text: 'x'.repeat(600) });
const NONE = '0'.repeat(40);

const folder = await mkdtemp(join(tmpdir(), 'moonbase-bare-commits-'));

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync();
  await handle.close();
}

/** Writes an object and returns its id. */
async function writeObject(repo: number, type: string, body: Buffer): Promise<string> {
  const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const id = createHash('sha1').update(bytes).digest('hex');
  const place = join(folder, String(repo), id.slice(0, 2));
  await mkdir(place, { recursive: true });
  const handle = await open(join(place, `tmp_obj_${id}`), 'wx');
  await handle.writeFile(deflateSync(bytes));
  await handle.sync();
  await handle.close();
  await rename(join(place, `tmp_obj_${id}`), join(place, id.slice(2)));
  await syncFolder(place);
  return id;
}

/** Writes the objects of a commit, each commit with one more file in the tree; returns the id of the commit. */
async function writeCommit(repo: number, at: number, entries: Buffer[], parent: string): Promise<string> {
  const blob = await writeObject(repo, 'blob', Buffer.from(`The file ${at}\n`));
  entries.push(Buffer.concat([Buffer.from(`100644 file-${at}.txt\0`), Buffer.from(blob, 'hex')]));
  const tree = await writeObject(repo, 'tree', Buffer.concat(entries));
  const who = 'admin <admin@example.com> 0 +0000';
  const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\nAdd files\n`;
  return writeObject(repo, 'commit', Buffer.from(text));
}

type RecordRows = (repo: number, before: string, after: string) => Promise<void> | void;

/** Commits to all repositories at once; returns commits per second. */
async function measure(record: RecordRows): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: repos }, async (_, repo) => {
      const entries: Buffer[] = [];
      for (let at = 0, before = NONE; at < count / repos; at++) {
        const after = await writeCommit(repo, at, entries, before);
        await record(repo, before, after);
        before = after;
      }
    }),
  );
  return count / ((performance.now() - startedAt) / 1000);
}

const rowsOf = (repo: number) => [
  `insert into bare_refs values ('r${repo}', 'refs/heads/main', '${NONE}')`,
  `insert into bare_repositories values ('r${repo}', 0)`,
];
const setUp = [...TABLES, ...Array.from({ length: repos }, (_, repo) => rowsOf(repo)).flat()];

async function onSqlite(): Promise<number> {
  const database = new Libsql(join(folder, 'bare.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  for (const statement of setUp) database.exec(statement);
  const [move, touch, event] = [MOVE, TOUCH, EVENT].map((text) => database.prepare(text.replace(/\$\d/g, '?')));
  const rate = await measure((repo, before, after) => {
    database.exec('begin');
    move?.run(after, `r${repo}`, before);
    touch?.run(Date.now(), `r${repo}`);
    event?.run(`${repo} ${after}`, DATA);
    database.exec('commit');
  });
  database.close();
  return rate;
}

async function onPostgres(connectionString: string): Promise<number> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  for (const statement of setUp) await pool.query(statement);
  const rate = await measure(async (repo, before, after) => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query({ name: 'move', text: MOVE, values: [after, `r${repo}`, before] });
    await client.query({ name: 'touch', text: TOUCH, values: [Date.now(), `r${repo}`] });
    await client.query({ name: 'event', text: EVENT, values: [`${repo} ${after}`, DATA] });
    await client.query('commit');
    client.release();
  });
  await pool.query('drop table bare_refs, bare_repositories, bare_events');
  await pool.end();
  return rate;
}

const rate = url === undefined ? await onSqlite() : await onPostgres(url);
await rm(folder, { recursive: true });
console.log(rate);

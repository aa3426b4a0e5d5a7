// node bare-scan.ts FOLDER|POSTGRES_URL ORG_ID: the reference for exports, one scan of the same rows, newest first,
// each serialised as JSON and discarded; PostgreSQL uses psql's \\copy. Prints milliseconds.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Libsql from 'libsql';

const [place = '', orgId = ''] = process.argv.slice(2);
const QUERY = `select seq, author_id, token_id, body, context, prev_hash, hash from audit_events
  where org_id = '${orgId}' order by seq desc`;

function onPostgres(): number {
  const copy = `\\copy (select row_to_json(e) from (${QUERY}) e) to stdout`.replaceAll('\n', ' ');
  // psql does not read a plus in the options of the URL as a space.
  const { stdout, status, stderr } = spawnSync('psql', [place.replaceAll('+', '%20'), '-c', copy], {
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(String(stderr));
  return stdout.length;
}

function onSqlite(): number {
  const database = new Libsql(join(place, 'moonbase.db'));
  let bytes = 0;
  for (const row of database.prepare(QUERY).iterate()) bytes += JSON.stringify(row).length;
  database.close();
  return bytes;
}

const startedAt = performance.now();
const bytes = place.startsWith('postgres') ? onPostgres() : onSqlite();
if (bytes === 0) throw new Error('There is nothing to scan');
console.log(performance.now() - startedAt);

// node bare-scan.ts FOLDER|POSTGRES_URL ORG_ID: what an export is held to: one scan of the same rows, newest first, each
// parsed and written as JSON, to nobody. Prints milliseconds.
import { join } from 'node:path';
import Libsql from 'libsql';
import pg from 'pg';

const [place = '', orgId = ''] = process.argv.slice(2);
const QUERY = `select seq, author_id, token_id, body, context, prev_hash, hash from audit_events where org_id = $1 order by seq desc`;

interface Row {
  readonly body: string;
  readonly context: string;
}

let bytes = 0;
const write = ({ body, context, ...row }: Row) => {
  bytes += JSON.stringify({ ...row, ...(JSON.parse(body) as object), ...(JSON.parse(context) as object) }).length;
};

async function onPostgres(): Promise<void> {
  const client = new pg.Client({ connectionString: place });
  await client.connect();
  const { rows } = await client.query<Row>(QUERY, [orgId]);
  rows.forEach(write);
  await client.end();
}

function onSqlite(): void {
  const database = new Libsql(join(place, 'moonbase.db'));
  for (const row of database.prepare(QUERY.replace('$1', '?')).all(orgId)) write(row as Row);
  database.close();
}

const startedAt = performance.now();
if (place.startsWith('postgres')) await onPostgres();
else onSqlite();
if (bytes === 0) throw new Error('There is nothing to scan');
console.log(performance.now() - startedAt);

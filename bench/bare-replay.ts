// node bare-replay.ts REPLAY_FILE FOLDER|POSTGRES_URL: a bare server of one page. For each request it hashes the token, runs the
// queries that the hub runs, prepared, and serialises the page. Prints its URL.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Libsql from 'libsql';
import pg from 'pg';
import type { Replay } from './queries-of.ts';

const [file = '', place = ''] = process.argv.slice(2);
const { text, queries } = JSON.parse(await readFile(file, 'utf8')) as Replay;
const page: unknown = JSON.parse(text);
/** As many as the hub has. */
const CONNECTIONS = 10;

function onSqlite(folder: string): () => Promise<void> {
  const database = new Libsql(join(folder, 'moonbase.db'), { readonly: true });
  const statements = queries.map(({ sql, parameters }) => ({ statement: database.prepare(sql), parameters }));
  return async () => {
    for (const { statement, parameters } of statements) statement.all(...parameters);
  };
}

function onPostgres(connectionString: string): () => Promise<void> {
  const pool = new pg.Pool({ connectionString, max: CONNECTIONS });
  return async () => {
    for (const [at, { sql, parameters }] of queries.entries())
      await pool.query({ name: `q${at}`, text: sql, values: [...parameters] });
  };
}

const run = place.startsWith('postgres') ? onPostgres(place) : onSqlite(place);

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  createHash('sha256').update(String(request.headers.authorization)).digest('hex');
  await run();
  const body = JSON.stringify(page);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

const server = createServer((request, response) => void respond(request, response));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
process.on('disconnect', () => process.exit());

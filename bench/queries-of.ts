import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompiledQuery } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../packages/server/src/config.ts';
import { createHub } from '../packages/server/src/hub.ts';
import { directReads, setDirectReads } from '../packages/server/src/platform/database/direct-reads.ts';
import { openDatabase } from '../packages/server/src/platform/database/transaction.ts';
import { ACCESS_TOKEN, type BenchHub } from './hub.ts';

const KEY = 'secret.key';

/** A page of a hub as text, and the queries that the hub runs for it. */
export interface Replay {
  readonly text: string;
  readonly queries: readonly { readonly sql: string; readonly parameters: readonly unknown[] }[];
}

/** Requests a page of a second hub in this process, which has the rows of the given one; that one should be idle. */
export async function queriesOf(hub: BenchHub, path: string): Promise<Replay> {
  await hub.side.settle();
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-'));
  if (hub.environment.MOONBASE_SECRET_KEY === undefined) {
    await copyFile(join(hub.environment.MOONBASE_DATA_DIR ?? '', KEY), join(folder, KEY));
  }
  const location =
    'url' in hub.database ? hub.database : { folder: ':memory:', copyOf: join(hub.database.folder, 'moonbase.db') };
  const database = openDatabase(location);
  const reads = directReads(database.read);
  if (!reads) throw new Error('Reads have no direct way to the database');
  const queries: CompiledQuery[] = [];
  setDirectReads(database.read, {
    executeQuery(query, ...rest) {
      queries.push(query);
      return reads.executeQuery(query, ...rest);
    },
  });
  const environment = { ...hub.environment, MOONBASE_DATA_DIR: folder, MOONBASE_PORT: '0' };
  const second = await createHub(readConfig(environment), {
    database,
    background: false,
    logger: pino({ level: 'error' }),
  });
  try {
    await second.prepare();
    const url = await second.start();
    const get = () => fetch(new URL(path, url), { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } });
    await (await get()).text();
    queries.length = 0;
    const text = await (await get()).text();
    return { text, queries: queries.map(({ sql, parameters }) => ({ sql, parameters })) };
  } finally {
    await second.stop();
    await rm(folder, { recursive: true });
  }
}

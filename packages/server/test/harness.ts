import { applyHub } from '@moonbase/client/admin';
import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { pino } from 'pino';
import type { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { createHub, type Overrides } from '../src/hub.ts';
import { type Database, openDatabase } from '../src/platform/database/transaction.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { contractFetch } from './contract-fetch.ts';
import { createTestDatabase } from './test-database.ts';

/** How a caller of the client reaches the hub; spread into each call. */
export interface Connection {
  readonly hubUrl: string;
  readonly accessToken: string;
  readonly fetch: typeof fetch;
  /** A refusal is what a test looks at. */
  readonly retry: false;
}

export interface TestHub extends AsyncDisposable {
  readonly url: string;
  readonly clock: TestClock;
  /** Its database, to look into or to put there what no endpoint does. */
  readonly database: Database;
  /** The site administrator. */
  readonly admin: Connection;
  /** The connection of a user that `people` or a document made with the token `tokenOf(name)`. */
  as(user: string): Connection;
  with(accessToken: string): Connection;
  apply(document: z.input<typeof HubDocument>): Promise<unknown>;
  /** Makes users that `as` can speak for. */
  people(...names: string[]): Promise<void>;
  /** Runs everything that is due now. */
  drain(): Promise<void>;
}

const ADMIN_TOKEN = 'hf_administratorOfTestsMayDoAllThereIs';

export const tokenOf = (user: string): string => `hf_tokenOf${user.replaceAll('-', '')}00`;

/** A user for a document, with a token that `as` knows. */
export const person = (name: string) => ({
  name,
  tokens: [{ name: 'test', role: 'write' as const, token: tokenOf(name) }],
});

/** The real hub on a database of its own, with a clock that stands still and nothing in the background. */
export async function startHub(
  settings: Readonly<Record<string, string>> = {},
  overrides: Overrides & { clock?: TestClock } = {},
): Promise<TestHub> {
  const clock = overrides.clock ?? createTestClock();
  const database = await createTestDatabase();
  const config = readConfig({
    MOONBASE_PORT: '0',
    MOONBASE_ADMIN_TOKEN: ADMIN_TOKEN,
    MOONBASE_LOG_LEVEL: 'error',
    ...database.environment,
    ...settings,
  });
  const { databaseUrl, dataDir } = config;
  const opened = openDatabase(databaseUrl ? { url: databaseUrl } : { folder: dataDir });
  const hub = await createHub(config, {
    database: opened,
    background: false,
    random: () => 0.5,
    logger: pino({ level: 'error' }),
    ...overrides,
    clock,
  });
  await hub.prepare();
  const url = await hub.start();
  const connect = (accessToken: string): Connection => ({
    hubUrl: url,
    accessToken,
    fetch: contractFetch,
    retry: false,
  });
  const admin = connect(ADMIN_TOKEN);
  const apply = (document: z.input<typeof HubDocument>) => applyHub({ ...admin, document });
  return {
    url,
    clock,
    database: opened,
    admin,
    as: (user) => connect(tokenOf(user)),
    with: connect,
    apply,
    async people(...names) {
      await apply({ users: names.map(person) });
    },
    drain: () => hub.drain(),
    async [Symbol.asyncDispose]() {
      await hub.stop();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Everything that a list gives, page after page. */
export async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

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

/** The client parameters of every call: the hub and the caller. */
export interface Connection {
  readonly hubUrl: string;
  readonly accessToken: string;
  readonly fetch: typeof fetch;
  /** Tests inspect refusals, which the client would retry. */
  readonly retry: false;
}

export interface TestHub extends AsyncDisposable {
  readonly url: string;
  readonly clock: TestClock;
  /** The database of the hub, for reading, and for rows that no endpoint can insert. */
  readonly database: Database;
  /** The connection of the site administrator. */
  readonly admin: Connection;
  /** Returns the connection of a user with the token `tokenOf(user)`, as `people` and `person` set it. */
  as(user: string): Connection;
  with(accessToken: string): Connection;
  /** Applies a hub document as the site administrator. */
  apply(document: z.input<typeof HubDocument>): Promise<unknown>;
  /** Creates users whose connections `as` returns. */
  people(...names: string[]): Promise<void>;
  /** Runs the background work that is due now, until none is left. */
  drain(): Promise<void>;
}

const ADMIN_TOKEN = 'hf_administratorOfTestsMayDoAllThereIs';

export const tokenOf = (user: string): string => `hf_tokenOf${user.replaceAll('-', '')}00`;

/** Returns a user for a hub document, with the token `tokenOf(name)`. */
export const person = (name: string) => ({
  name,
  tokens: [{ name: 'test', role: 'write' as const, token: tokenOf(name) }],
});

/** Returns the database that a test names in its settings. */
function locationIn({ MOONBASE_DATABASE_URL: url, MOONBASE_DATA_DIR: folder }: Readonly<Record<string, string>>) {
  if (url) return { url };
  return folder ? { folder } : undefined;
}

/** Starts the real hub on a database of its own, with a stopped clock and without background work. */
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
  const opened = openDatabase(locationIn(settings) ?? database.location);
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

/** Collects the entries of a list from all of its pages. */
export async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

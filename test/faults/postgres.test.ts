import { createHash, randomBytes } from 'node:crypto';
import { createBranch } from '@moonbase/client/repositories';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engine } from '../../packages/server/test/test-database.ts';
import { type Cluster, makeCluster } from '../../scripts/postgres-cluster.mjs';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import {
  ACCESS_TOKEN,
  expectNothingLost,
  expectRefusals,
  type Load,
  prepareHub,
  REPO,
  startLoad,
  until,
} from './load.ts';
import { pause } from './pace.ts';
import { type Sink, startSink } from './sink.ts';
import { mountSmallDisk } from './small-disk.ts';

let cluster: Cluster;

const SETTINGS = {
  MOONBASE_DATA_DIR: ':memory:',
  MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken',
  MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
  MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
  MOONBASE_LOG_LEVEL: 'silent',
};

const statusOf = async (url: string) => (await fetch(url)).status;

async function onCluster(statement: string, url = cluster.url): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

interface Fixture {
  readonly hub: HubProcess;
  readonly sink: Sink;
  readonly load: Load;
  /** The URL of the hub's own database. */
  readonly url: string;
  /** Stops the load and compares the acknowledged changes with the stored and delivered ones. */
  readonly finish: (story: string) => Promise<void>;
}

/** Runs `story` against a hub under load, which has a database of its own. */
async function underLoad(story: (fixture: Fixture) => Promise<void>, options = ''): Promise<void> {
  const name = `hub_${randomBytes(4).toString('hex')}`;
  await onCluster(`create database ${name}`);
  const url = new URL(cluster.url);
  url.pathname = `/${name}`;
  const ownUrl = url.href;
  if (options !== '') url.searchParams.set('options', options);
  await using sink = await startSink();
  const hub = await startHubProcess({ ...SETTINGS, MOONBASE_DATABASE_URL: url.href });
  try {
    await prepareHub(hub.url, sink.url);
    const load = startLoad(hub.url, name);
    try {
      await until('the load has begun', () => load.done.writes > 20);
      const finish = async (title: string) => {
        const before = load.done.writes;
        await until('changes go on', () => load.done.writes > before + 20);
        await load.stop();
        expectRefusals(load.refusals);
        await expectNothingLost(`${title} (${load.refusals.length} answers of 503)`, hub.url, { ...load, sink });
      };
      await story({ hub, sink, load, url: ownUrl, finish });
      expect(await hub.stop()).toBe(0);
    } finally {
      await load.stop();
    }
  } finally {
    await hub.kill();
  }
}

describe.runIf(engine === 'postgres')('PostgreSQL', () => {
  beforeAll(async () => {
    cluster = await makeCluster();
    await cluster.start();
  });
  afterAll(() => cluster?.remove());

  test.each(['SIGINT', 'SIGQUIT'] as const)('may be stopped with %s and started again, three times', async (signal) => {
    await underLoad(async ({ hub, load, finish }) => {
      for (let time = 0; time < 3; time++) {
        await cluster.stop(signal);
        const refused = load.refusals.length;
        await until('requests are refused', () => load.refusals.length > refused + 5);
        expect(await statusOf(`${hub.url}/ready`)).toBe(503);
        expect(await statusOf(`${hub.url}/health`)).toBe(200);
        await pause(500);
        await cluster.start();
        const before = load.done.writes;
        const afterMs = await until('changes are made again', () => load.done.writes > before);
        expect(afterMs).toBeLessThan(30_000);
        expect(await statusOf(`${hub.url}/ready`)).toBe(200);
      }
      await finish(`PostgreSQL stopped with ${signal} three times`);
    });
  });

  test('may come up after the hub, which waits for it, and says so', async () => {
    const late = await makeCluster();
    let said = '';
    const starting = startHubProcess(
      { ...SETTINGS, MOONBASE_LOG_LEVEL: 'warn', MOONBASE_DATABASE_URL: late.url },
      undefined,
      (text) => {
        said += text;
      },
    );
    try {
      await until('the hub waits', () => said.includes('the database is waited for'));
      await late.start();
      const hub = await starting;
      expect(await statusOf(`${hub.url}/ready`)).toBe(200);
      expect(said.match(/the database is waited for/g)).toHaveLength(1);
      expect(await hub.stop()).toBe(0);
    } finally {
      await starting.then((started) => started.kill()).catch(() => {});
      await late.remove();
    }
  });

  test('may be killed during a delivery, which is repeated under its id', async () => {
    // A long delay of the flush makes a crash lose commits that do not wait for it.
    const fragile = await makeCluster({ wal_writer_delay: '10s' });
    await fragile.start();
    const ids: string[] = [];
    await using sink = await startSink((id) => (ids.push(id) === 2 ? 'hanging' : 'well'));
    const hub = await startHubProcess({ ...SETTINGS, MOONBASE_DATABASE_URL: fragile.url });
    try {
      await prepareHub(hub.url, sink.url);
      const connection = { hubUrl: hub.url, accessToken: ACCESS_TOKEN, type: 'model', repo: REPO } as const;
      await createBranch({ ...connection, branch: 'one' });
      await until('the first delivery has arrived', () => sink.deliveries.size === 1);
      await pause(200);
      await createBranch({ ...connection, branch: 'two' });
      await until('the second delivery is under way', () => ids.length === 2);
      await fragile.stop('SIGQUIT');
      await fragile.start();
      // Refusing ends the hanging request, whose attempt can then be recorded.
      sink.refuse();
      await sink.listen();
      await until('the second delivery has arrived', () => sink.arrivals.has('refs/heads/two'));
      expect(new Set(ids.slice(1)).size).toBe(1);
      expect(await hub.stop()).toBe(0);
    } finally {
      await hub.kill();
      await fragile.remove();
    }
  });

  test('may end all connections, twenty times, as in a fail-over', async () => {
    await underLoad(async ({ url, finish }) => {
      for (let time = 0; time < 20; time++) {
        await onCluster(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          url,
        );
        await pause(50);
      }
      await finish('all connections ended twenty times');
    });
  });

  test('may refuse changes, as after a fail-over to a standby, while reads succeed', async () => {
    await underLoad(async ({ load, url, finish }) => {
      const database = new URL(url).pathname.slice(1);
      // The setting applies to new connections, so the statement ends the old ones, as a fail-over does.
      const settle = async (value: string) => {
        await onCluster(`alter database ${database} set default_transaction_read_only = ${value}`);
        await onCluster(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`);
      };
      await settle('on');
      await until('changes are refused', () => load.refusals.some(({ error }) => error.includes('no changes')));
      await pause(200);
      const { reads, writes } = load.done;
      await until('reads go on', () => load.done.reads > reads + 10);
      expect(load.done.writes).toBe(writes);
      await settle('off');
      await finish('PostgreSQL read-only for a while');
    });
  });

  test('may carry thousands of notifications that are late, repeated or meaningless', async () => {
    await underLoad(async ({ url, load, finish }) => {
      // Processes of a hub wake each other on this channel, on which every user of the database can speak.
      const channel = `moonbase_${createHash('sha256').update('public').digest('hex').slice(0, 16)}`;
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const texts = [
        '*',
        '',
        'deliveries',
        'relay\ndeliveries\nrelay',
        'nothing',
        '\n\n *',
        'x'.repeat(7900),
        '{"a":',
        'relay a b c',
      ];
      for (let time = 0; time < 600; time++)
        await client.query('select pg_notify($1, said) from unnest($2::text[]) said', [channel, texts]);
      await client.end();
      expect(load.refusals).toEqual([]);
      await finish(`${600 * texts.length} notifications`);
    });
  });

  test('may run out of disk space: reads succeed, and changes succeed once there is space again', async (context) => {
    await using disk = mountSmallDisk(40, cluster.owner);
    if (!disk) return context.skip('This machine does not let the test mount a file system');
    await onCluster(`create tablespace small location '${disk.path}'`);
    try {
      await underLoad(async ({ load, finish }) => {
        disk.fill();
        await until('changes are refused', () => load.refusals.some(({ error }) => error.includes('full')));
        const { reads } = load.done;
        await until('reads go on', () => load.done.reads > reads + 10);
        disk.free();
        await finish('the disk of PostgreSQL full for a while');
      }, '-c default_tablespace=small');
    } finally {
      await cluster.stop('SIGQUIT');
    }
  });
});

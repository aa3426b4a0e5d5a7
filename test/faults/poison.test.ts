import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discardDeadLetter, listDeadLetters } from '@moonbase/client/admin';
import { type JobSpecification, runJob } from '@moonbase/client/jobs';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { createWebhook, deleteWebhook } from '@moonbase/client/webhooks';
import { expect, test, vi } from 'vitest';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { startSink } from './sink.ts';

const ACCESS_TOKEN = 'hf_tokenOfTheFaultTests';
const poisonedHub = fileURLToPath(new URL('poisoned-hub.ts', import.meta.url));
/** On PostgreSQL, where other processes may be working, a process counts as dead 20 s after its last heartbeat. */
const MAX_WAIT_MS = 300_000;
/** The first process noted nothing, the second its whole batch, and the next three the suspect alone. */
const MAX_ENDS = 5;

type Connection = { readonly hubUrl: string; readonly accessToken: string; readonly retry: false };
const ADMIN = { type: 'user', name: 'admin' } as const;
const JOB: JobSpecification = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' };
/** Returns a webhook that gets no events of other tests. */
const other = (url: string, repo: string) => ({
  webhook: { url, watched: [{ type: 'model' as const, name: repo }], domains: ['repo' as const] },
});

/** Each poison creates an item that ends the process; the hub may be gone before it answers. */
const POISONS: readonly {
  readonly what: string;
  readonly letter: { readonly queue: string; readonly kind?: string };
  readonly prepare?: (connection: Connection, sinkUrl: string) => Promise<string>;
  readonly poison: (connection: Connection, prepared: string) => Promise<unknown>;
}[] = [
  {
    what: 'an event',
    letter: { queue: 'events', kind: 'repo' },
    poison: (connection) => createRepo({ ...connection, type: 'model', repo: 'admin/poison' }),
  },
  {
    what: 'a task',
    letter: { queue: 'tasks', kind: 'webhooks.purge' },
    prepare: async (connection, sinkUrl) =>
      (await createWebhook({ ...connection, ...other(sinkUrl, 'admin/bert') })).webhook.id,
    poison: (connection, webhookId) => deleteWebhook({ ...connection, webhookId }),
  },
  {
    what: 'a delivery',
    letter: { queue: 'deliveries', kind: 'trigger repo.content/update' },
    async prepare(connection, sinkUrl) {
      await createRepo({ ...connection, type: 'model', repo: 'admin/deadly' });
      await createWebhook({ ...connection, ...other(new URL('/poison', sinkUrl).href, 'admin/deadly') });
      return 'admin/deadly';
    },
    poison: (connection, repo) => createBranch({ ...connection, type: 'model', repo, branch: 'deadly' }),
  },
  {
    what: 'a step of a job',
    letter: { queue: 'jobs' },
    poison: (connection) => runJob({ ...connection, namespace: 'admin', job: JOB }),
  },
];

test.concurrent.each(POISONS)(
  `$what that ends the process is set aside after a few starts, and the other items are processed (${engine})`,
  async ({ what, letter: expected, prepare, poison }) => {
    const folder = await mkdtemp(join(tmpdir(), 'moonbase-poison-'));
    await using database = await createTestDatabase();
    await using sink = await startSink();
    const settings = {
      ...(engine === 'postgres' && database.environment),
      MOONBASE_DATA_DIR: folder,
      MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    };
    const start = () => startHubProcess(settings, poisonedHub);
    const letters = async ({ url: hubUrl }: HubProcess) => {
      const found = [];
      for await (const letter of listDeadLetters({ hubUrl, accessToken: ACCESS_TOKEN, retry: false }))
        found.push(letter);
      return found;
    };
    try {
      let hub = await start();
      const connection = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, retry: false as const });
      await createRepo({ ...connection(), type: 'model', repo: 'admin/bert' });
      await createWebhook({
        ...connection(),
        webhook: { url: sink.url, watched: [ADMIN], domains: ['repo'] },
      });
      const branch = (name: string) =>
        createBranch({ ...connection(), type: 'model', repo: 'admin/bert', branch: name }).catch((error: unknown) => {
          if (!(error instanceof TypeError)) throw error;
        });
      const arrived = (name: string) => vi.waitUntil(() => sink.arrivals.has(`refs/heads/${name}`), MAX_WAIT_MS);
      await branch('before');
      await arrived('before');
      const prepared = (await prepare?.(connection(), sink.url)) ?? '';
      await Promise.all([poison(connection(), prepared).catch(() => {}), hub.ended]);

      let ends = 1;
      for (let isOver = false; !isOver; ) {
        hub = await start();
        const ended = hub.ended.then(() => 'ended' as const);
        const found = vi
          .waitUntil(async () => (await letters(hub)).length > 0, { timeout: MAX_WAIT_MS, interval: 100 })
          .then(
            () => 'set aside' as const,
            () => ended,
          );
        isOver = (await Promise.race([ended, found])) === 'set aside';
        if (!isOver) ends += 1;
        expect(ends).toBeLessThanOrEqual(MAX_ENDS);
      }
      const [letter] = await letters(hub);
      expect(letter).toMatchObject({ ...expected, failures: 0, deaths: 3 });

      const startedAt = Date.now();
      await branch('usual');
      await arrived('usual');
      console.log(
        `${what} was set aside after ${ends} ends; the next event took ${Date.now() - startedAt} ms (${engine})`,
      );
      await discardDeadLetter({ ...connection(), id: letter?.id ?? '' });
      expect(await hub.stop()).toBe(0);
      hub = await start();
      await branch('after');
      await arrived('after');
      expect(await hub.stop()).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

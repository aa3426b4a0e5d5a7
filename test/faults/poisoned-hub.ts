import { setTimeout as pause } from 'node:timers/promises';
import type * as config from '../../packages/server/src/config.ts';
import type * as hubs from '../../packages/server/src/hub.ts';

/** Imports a module of the built hub, which has no types of its own. */
const built = async (name: string): Promise<unknown> =>
  import(new URL(`../../packages/server/dist/${name}.js`, import.meta.url).href);

const { readConfig } = (await built('config')) as typeof config;
const { createHub } = (await built('hub')) as typeof hubs;
const end = () => process.exit(3);

// The built hub with poison: its process ends at an event about a repository named `poison`, at the purge of a webhook,
// shortly after the beginning of a delivery to a path `/poison`, and at the first step of a job.
const hub = await createHub(readConfig(process.env), {
  reactions: (table) => [
    ...table,
    {
      topic: 'repo',
      names: ['poison'],
      pending: ({ text }) => [['poison', async () => (text.includes('poison') ? end() : undefined)]],
    },
  ],
  tasks: (table) => table.map((work) => (work.kind === 'webhooks.purge' ? { ...work, step: end } : work)),
  outbound: {
    async post({ url, headers, body }) {
      if (url.endsWith('/poison')) {
        await pause(300);
        end();
      }
      const { status } = await fetch(url, { method: 'POST', headers, body });
      return { kind: 'answered', status, headers: {}, body: '', durationMs: 1 };
    },
    async [Symbol.asyncDispose]() {},
  },
  runner: {
    name: 'poison',
    note: null,
    refusal: () => undefined,
    start: end,
    inspect: end,
    read: async (_key, position) => ({ bytes: Buffer.alloc(0), position }),
    async discard() {},
    async stop() {},
    async forget() {},
    async sweep() {},
  },
});
await hub.prepare();
const url = await hub.start();
process.once('SIGTERM', () => void hub.stop());
console.log(`Moonbase is listening on ${url}`);

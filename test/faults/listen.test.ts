import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createRepo, createTag } from '@moonbase/client/repositories';
import { listWebhookStreams } from '@moonbase/client/webhook-streams';
import { expect, test } from 'vitest';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { pause, seeded } from './pace.ts';

const DELIVERIES = 1000;
const CUTS = 20;
const KILLS = 5;
const ACCESS_TOKEN = 'hf_tokenOfTheFaultTestsWithEnoughLetters';
const MAX_WAIT_MS = 300_000;
const command = fileURLToPath(new URL('../../packages/cli/bin/moonbase.js', import.meta.url));

/** Starts a local receiver, which no hub could reach; `tags` holds its tags in order of arrival, with repeats. */
async function startLocal(random: () => number) {
  const tags: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { updatedRefs } = JSON.parse(text) as { updatedRefs?: { ref: string }[] };
      tags.push(updatedRefs?.[0]?.ref.replace('refs/tags/', '') ?? '');
      setTimeout(() => response.end(), 4 * random());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    tags,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts `moonbase listen` in a process of its own. */
async function startListening(hubUrl: string, forwardTo: string) {
  const child = spawn(process.execPath, [command, 'listen', '--json', '--forward-to', forwardTo], {
    env: { PATH: process.env.PATH, MOONBASE_URL: hubUrl, MOONBASE_TOKEN: ACCESS_TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const counts: Record<string, number> = {};
  const started = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { type } = JSON.parse(line) as { type: string };
      counts[type] = (counts[type] ?? 0) + 1;
      if (type === 'listening') resolve();
    });
  });
  await Promise.race([started, ended]);
  return {
    /** The number of output lines of each type. */
    counts,
    async interrupt(): Promise<number | null> {
      child.kill('SIGINT');
      await ended;
      return child.exitCode;
    },
  };
}

interface Fixture {
  /** The proxy in front of the hub, or of all of its replicas. */
  readonly proxy: CuttingProxy;
  readonly hub: () => HubProcess;
  readonly anyHub: () => HubProcess;
  readonly restart: () => Promise<void>;
}

async function withHub(
  story: (fixture: Fixture) => Promise<void>,
  { replicas = 1, random = Math.random } = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-listen-'));
  await using database = await createTestDatabase();
  const settings = {
    ...(engine === 'postgres' && database.environment),
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
  };
  let hub = await startHubProcess(settings);
  const others: HubProcess[] = [];
  for (let more = 1; more < replicas; more++) others.push(await startHubProcess(settings));
  const anyHub = () => [hub, ...others][Math.floor(random() * replicas)] ?? hub;
  await using proxy = await startCuttingProxy(() => Number(new URL(anyHub().url).port));
  try {
    await story({
      proxy,
      hub: () => hub,
      anyHub,
      async restart() {
        await hub.kill();
        hub = await startHubProcess(settings);
      },
    });
    expect(await hub.stop()).toBe(0);
  } finally {
    for (const each of [hub, ...others]) await each.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const connection = (hub: HubProcess) => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN });
const tag = (hub: HubProcess, name: string) =>
  createTag({ ...connection(hub), type: 'model', repo: 'admin/bert', revision: 'main', tag: name });

async function until(reached: () => boolean): Promise<void> {
  for (const deadline = Date.now() + MAX_WAIT_MS; !reached() && Date.now() < deadline; ) await pause(20);
}

/** Removes repeats; each tag keeps its first position. */
const firsts = (tags: readonly string[]) => [...new Set(tags)];

test(`${DELIVERIES} deliveries arrive in order while the connection is cut ${CUTS} times, and none arrives after the end (${engine})`, async () => {
  const random = seeded(34);
  await using local = await startLocal(random);
  await withHub(async ({ proxy, hub }) => {
    await createRepo({ ...connection(hub()), type: 'model', repo: 'admin/bert' });
    const listening = await startListening(proxy.url, local.url);
    const made = Array.from({ length: DELIVERIES }, (_, at) => `t${at}`);
    const startedAt = performance.now();
    const writing = (async () => {
      for (const name of made) await tag(hub(), name);
    })();
    let broken = 0;
    for (let cut = 0; cut < CUTS; cut++) {
      const next = ((cut + random()) * DELIVERIES) / CUTS;
      await until(() => local.tags.length >= next);
      broken += proxy.cut();
    }
    await writing;
    await until(() => new Set(local.tags).size === DELIVERIES);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const status = await listening.interrupt();
    const came = local.tags.length;
    for (const name of ['after-1', 'after-2', 'after-3']) await tag(hub(), name);
    await pause(500);

    console.log(
      `forwarded ${new Set(local.tags).size} of ${DELIVERIES}, twice ${came - DELIVERIES}, ${broken} connections broken in ${CUTS} cuts, ${listening.counts.disconnected} times connected anew, ${seconds} s (${engine})`,
    );
    expect(firsts(local.tags)).toEqual(made);
    expect(local.tags).toHaveLength(came);
    expect(broken).toBeGreaterThanOrEqual(CUTS);
    expect(listening.counts).toMatchObject({ listening: 1, closed: 1 });
    expect(listening.counts.disconnected).toBeGreaterThanOrEqual(CUTS / 2);
    expect(status).toBe(0);
    expect(await listWebhookStreams(connection(hub()))).toEqual([]);
  });
});

test(`after each of ${KILLS} kills of the hub the command resumes its stream, and nothing is lost (${engine})`, async () => {
  const random = seeded(35);
  await using local = await startLocal(random);
  await withHub(async ({ proxy, hub, restart }) => {
    await createRepo({ ...connection(hub()), type: 'model', repo: 'admin/bert' });
    const listening = await startListening(proxy.url, local.url);
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const writing = (async () => {
        for (let at = 0; ; at++) {
          const name = `k${kill}-${at}`;
          try {
            await tag(hub(), name);
          } catch (error) {
            if (error instanceof TypeError) return;
            throw error;
          }
          acknowledged.push(name);
        }
      })();
      await until(() => acknowledged.some((name) => name.startsWith(`k${kill}-`)));
      await pause(300 + 300 * random());
      await restart();
      await writing;
    }
    const lost = () => acknowledged.filter((name) => !local.tags.includes(name));
    await until(() => lost().length === 0);
    expect(lost()).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS);
    const asked = new Set(acknowledged);
    expect(firsts(local.tags).filter((name) => asked.has(name))).toEqual(acknowledged);
    expect(listening.counts.listening).toBe(1);
    expect(await listening.interrupt()).toBe(0);
    expect(await listWebhookStreams(connection(hub()))).toEqual([]);
  });
});

test.runIf(engine === 'postgres')(
  'with two replicas nothing is lost, whichever takes a connection or an answer',
  async () => {
    const random = seeded(36);
    await using local = await startLocal(random);
    await withHub(
      async ({ proxy, hub, anyHub }) => {
        await createRepo({ ...connection(hub()), type: 'model', repo: 'admin/bert' });
        const listening = await startListening(proxy.url, local.url);
        const made = Array.from({ length: 200 }, (_, at) => `t${at}`);
        for (const [at, name] of made.entries()) {
          await tag(anyHub(), name);
          if (at % 20 === 10) proxy.cut();
        }
        await until(() => new Set(local.tags).size === made.length);
        expect(await listening.interrupt()).toBe(0);
        const came = local.tags.length;
        await tag(anyHub(), 'after');
        await pause(1500);
        expect(new Set(local.tags)).toEqual(new Set(made));
        expect(local.tags).toHaveLength(came);
        expect(listening.counts).toMatchObject({ listening: 1, closed: 1 });
      },
      { replicas: 2, random },
    );
  },
);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommit, listTree } from '@moonbase/client/content';
import { commentDiscussion, createDiscussion, getDiscussion, listDiscussions } from '@moonbase/client/discussions';
import { getNotificationPage } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, getDeliveryPage } from '@moonbase/client/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { ACCESS_TOKEN, expectNothingLost, prepareHub, startLoad, until } from './load.ts';
import { pause } from './pace.ts';
import { openReleases, type Release } from './releases.ts';
import { startRoundRobin } from './round-robin.ts';
import { startSink } from './sink.ts';

/** How long processes of both releases work before the next one is replaced. */
const BESIDE_MS = Number(process.env.MOONBASE_TEST_BESIDE_MS ?? 500);

const NOTES = { type: 'model', repo: 'admin/notes' } as const;

/** Uses a repository as people and programs do until `isOver`; notes the commits, the files, and what failed. */
async function startUse(hubUrl: string, sinkUrl: string, isOver: () => boolean) {
  const hub = { hubUrl, accessToken: ACCESS_TOKEN, retry: false as const };
  const notes = { ...hub, ...NOTES };
  const commits: string[] = [];
  const files: string[] = [];
  const failures: string[] = [];
  await createRepo(notes);
  const watched = [{ type: NOTES.type, name: NOTES.repo }];
  const { webhook } = await createWebhook({
    ...hub,
    webhook: { url: sinkUrl, watched, domains: ['repo', 'discussion'] },
  });

  async function round(at: number): Promise<void> {
    const path = `notes/${at}.txt`;
    const lines = [
      { key: 'header', value: { summary: `Note ${at}`, description: '' } },
      { key: 'file', value: { path, content: Buffer.from(`note ${at}`).toString('base64'), encoding: 'base64' } },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const operations = new Blob([text], { type: 'application/x-ndjson' });
    const { commitOid } = await createCommit({ ...notes, branch: 'main', operations });
    commits.push(commitOid);
    files.push(path);
    const { num } = await createDiscussion({ ...notes, title: `Question ${at}`, description: 'What now?' });
    await commentDiscussion({ ...notes, num, comment: `An answer to ${at}, @admin` });
    const { events } = await getDiscussion({ ...notes, num });
    if (events.length < 2) throw new Error(`The discussion ${num} has no comment.`);
    await listDiscussions({ ...notes, search: String(at) });
    await getNotificationPage({ ...hub, page: 0 });
    await getDeliveryPage({ ...hub, webhookId: webhook.id });
  }
  async function use(): Promise<void> {
    for (let at = 0; !isOver(); at++, await pause(20))
      await round(at).catch((error: unknown) => failures.push(String(error)));
  }
  return { commits, files, failures, ended: use() };
}

/** Returns a place for processes, which are killed before the database goes. */
function startedProcesses() {
  const slots: { readonly role: string; hub: HubProcess }[] = [];
  return {
    slots,
    [Symbol.asyncDispose]: () => Promise.all(slots.map(({ hub }) => hub.kill())).then(() => {}),
  };
}

test.runIf(engine === 'postgres')(
  'a release replaces the one before under load, and goes back, without a failed request',
  async () => {
    const previous = process.env.MOONBASE_TEST_PREVIOUS;
    using releases = openReleases(previous);
    await using database = await createTestDatabase('empty');
    await using sink = await startSink();
    await using sinkOfNotes = await startSink();
    const data = await mkdtemp(join(tmpdir(), 'moonbase-upgrade-'));
    onTestFinished(() => rm(data, { recursive: true }));
    const settings = {
      ...database.environment,
      MOONBASE_DATA_DIR: data,
      MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
      MOONBASE_DRAIN_SECONDS: '1',
      MOONBASE_LOG_LEVEL: 'warn',
      MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1',
    };
    const errors: string[] = [];
    const start = (release: Release, role: string) =>
      startHubProcess({ ...settings, MOONBASE_ROLE: role }, release.main, (text) => {
        errors.push(...text.split('\n').filter((line) => line.includes('"level":"error"')));
      });

    await using processes = startedProcesses();
    const { slots } = processes;
    for (const role of ['api', 'api', 'worker', 'worker'])
      slots.push({ role, hub: await start(releases.before, role) });
    const apis = slots.filter(({ role }) => role === 'api').map(({ hub }) => hub.url);
    await using balancer = await startRoundRobin(apis);
    await prepareHub(balancer.url, sink.url);

    let isOver = false;
    const load = startLoad(balancer.url, 'beside', { writers: 2, restMs: 10 });
    const use = await startUse(balancer.url, sinkOfNotes.url, () => isOver);
    /** Replaces processes by those of a release, one after the other; each new one answers before the old one stops. */
    async function replaceAll(release: Release, among = slots): Promise<void> {
      for (const slot of among) {
        const old = slot.hub;
        slot.hub = await start(release, slot.role);
        if (slot.role === 'api') balancer.replace(old.url, slot.hub.url);
        expect(await old.stop()).toBe(0);
        await pause(BESIDE_MS);
      }
    }
    const report = (what: string) =>
      console.log(
        `${what}: ${load.done.writes} branches, ${load.done.reads} reads, ${use.commits.length} commits with discussions; failed: ${load.refusals.length + use.failures.length}`,
      );

    await pause(BESIDE_MS);
    await releases.after.migrate(settings);
    // A process of the release before that ends meanwhile starts again.
    await replaceAll(releases.before, slots.slice(0, 1));
    await replaceAll(releases.after);
    report('upgraded');
    await replaceAll(releases.before);
    report('went back');

    isOver = true;
    await Promise.all([load.stop(), use.ended]);
    const failed = { refusals: load.refusals, failures: use.failures, errors };
    expect(failed).toEqual({ refusals: [], failures: [], errors: [] });
    expect(use.commits.length).toBeGreaterThan(10);
    const stored: string[] = [];
    const notes = { hubUrl: balancer.url, accessToken: ACCESS_TOKEN, ...NOTES };
    for await (const { path } of listTree({ ...notes, revision: 'main', recursive: true })) stored.push(path);
    expect(use.files.filter((path) => !stored.includes(path))).toEqual([]);
    await until('all commits are delivered', () => use.commits.every((sha) => sinkOfNotes.heads.has(sha)));
    await expectNothingLost('upgrades', balancer.url, { acknowledged: load.acknowledged, sink });
  },
);

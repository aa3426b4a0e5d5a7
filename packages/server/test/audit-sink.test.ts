import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportAuditLog } from '@moonbase/client/audit-log';
import { createRepo } from '@moonbase/client/repositories';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outbound, OutboundResult } from '../src/platform/outbound/outbound.ts';
import { MINUTE, SECOND } from './clock.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { keepingLogger } from './logged-lines.ts';

interface CopiedEvent {
  readonly seq: number;
  readonly hash: string;
  readonly type: string;
  readonly organization: { readonly _id: string; readonly name?: string };
}

const fill = (hub: TestHub) =>
  hub.apply({
    users: ['ada'].map(person),
    organizations: ['acme', 'tools'].map((name) => ({
      name,
      plan: 'team' as const,
      members: [{ user: 'ada', role: 'admin' as const }],
    })),
  });

const seqsOf = (events: readonly CopiedEvent[], name: string) =>
  events.filter(({ organization }) => organization.name === name).map(({ seq }) => seq);

describe('MOONBASE_AUDIT_SINK with a file', () => {
  let folder = '';
  let path = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'moonbase-sink-'));
    path = join(folder, 'audit.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const lines = async (): Promise<CopiedEvent[]> =>
    (await readFile(path, 'utf8'))
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as CopiedEvent]));

  test('appends one line per event, in order within each organization, as in an export', async () => {
    await using hub = await startHub({ MOONBASE_AUDIT_SINK: `file:${path}` });
    await fill(hub);
    await hub.drain();
    await createRepo({ ...hub.as('ada'), repo: 'acme/bert' });
    await hub.apply({ organizations: [{ name: 'tools', state: 'absent' }] });
    await hub.drain();
    await hub.drain();
    const events = await lines();
    expect(seqsOf(events, 'acme')).toEqual([1, 2, 3]);
    expect(seqsOf(events, 'tools')).toEqual([1, 2]);
    const ofSite = events.filter(({ organization }) => organization._id === 'site');
    expect(ofSite.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'user.create'],
      [2, 'token.create'],
    ]);
    const ofGone = ({ organization }: CopiedEvent) => organization.name === undefined && organization._id !== 'site';
    expect(events.filter(ofGone)).toMatchObject([{ type: 'org.delete', seq: 3 }]);
    const exported = await exportAuditLog({ ...hub.as('ada'), name: 'acme' });
    const organization = events.find((event) => event.organization.name === 'acme')?.organization;
    expect(events.filter((event) => event.organization.name === 'acme').reverse()).toEqual(
      exported.map((event) => ({ ...event, organization })),
    );
  });

  test('copies many events in batches, beginning with those recorded before it was configured', async () => {
    await using hub = await startHub({ MOONBASE_AUDIT_SINK: `file://${path}` });
    await fill(hub);
    await hub.apply({ repos: Array.from({ length: 500 }, (_, at) => ({ name: `acme/r${at}` })) });
    await hub.drain();
    expect(seqsOf(await lines(), 'acme')).toEqual(Array.from({ length: 502 }, (_, at) => at + 1));
  });

  test('continues in a new file when the old one is moved away, and after a truncated line', async () => {
    await using hub = await startHub({ MOONBASE_AUDIT_SINK: `file:${path}` });
    await fill(hub);
    await hub.drain();
    await rename(path, `${path}.1`);
    await appendFile(path, '{"half":');
    await createRepo({ ...hub.as('ada'), repo: 'acme/bert' });
    await hub.drain();
    const [half, whole, ...rest] = (await readFile(path, 'utf8')).split('\n');
    expect([half, rest]).toEqual(['{"half":', ['']]);
    expect(JSON.parse(whole ?? '')).toMatchObject({ type: 'repo.create', seq: 3 });
  });

  test('retries while the file cannot be written, and nothing else waits for it', async () => {
    const settings = { MOONBASE_AUDIT_SINK: `file:${folder}/sub/audit.jsonl` };
    await using hub = await startHub(settings, { logger: pino({ level: 'silent' }) });
    await fill(hub);
    await hub.drain();
    await createRepo({ ...hub.as('ada'), repo: 'acme/bert' });
    path = join(folder, 'sub', 'audit.jsonl');
    await hub.drain();
    await mkdir(join(folder, 'sub'), { recursive: true });
    await writeFile(path, '');
    hub.clock.advance(MINUTE);
    await hub.drain();
    expect(seqsOf(await lines(), 'acme')).toEqual([1, 2, 3]);
  });
});

test('a sink that cannot be written to is told at the start of the hub, and once however often it is tried', async () => {
  const { lines, logger } = keepingLogger('info');
  const settings = { MOONBASE_AUDIT_SINK: 'file:/no/such/folder/audit.jsonl' };
  await using hub = await startHub(settings, { background: true, logger });
  const told = () => lines.filter((line) => line.includes('could not be copied'));
  await expect.poll(told).toEqual([expect.stringMatching(/"level":"error".*"reason":"ENOENT/)]);
  await fill(hub);
  for (const wait of [0, 1, 2, 4]) {
    hub.clock.advance(wait * SECOND);
    await hub.drain();
  }
  expect(told()).toHaveLength(1);
});

describe('MOONBASE_AUDIT_SINK with an address', () => {
  const OK: OutboundResult = { kind: 'answered', status: 204, headers: {}, body: '', durationMs: 1 };

  function receiver() {
    const posts: { url: string; events: CopiedEvent[] }[] = [];
    const answers: OutboundResult[] = [];
    const outbound: Outbound = {
      async post({ url, headers, body }) {
        expect(headers['content-type']).toBe('application/json');
        posts.push({ url, events: JSON.parse(body) as CopiedEvent[] });
        return answers.shift() ?? OK;
      },
      async [Symbol.asyncDispose]() {},
    };
    return { outbound, posts, answers };
  }

  const URL_OF_SINK = 'https://logs.example/audit?key=secret';

  test('posts batches of one organization, which a refusal or a lost response only delays', async () => {
    const { outbound, posts, answers } = receiver();
    const settings = { MOONBASE_AUDIT_SINK: URL_OF_SINK };
    const logged: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    await using hub = await startHub(settings, { outbound, logger });
    answers.push({ ...OK, status: 503 } as OutboundResult, {
      kind: 'failed',
      error: 'Timed out after 10 s',
      durationMs: 1,
    });
    await fill(hub);
    await hub.drain();
    expect(posts).toHaveLength(1);
    await hub.drain();
    expect(posts).toHaveLength(1);
    hub.clock.advance(SECOND);
    await hub.drain();
    expect(posts).toHaveLength(2);
    hub.clock.advance(SECOND);
    await hub.drain();
    expect(posts).toHaveLength(2);
    hub.clock.advance(SECOND);
    await createRepo({ ...hub.as('ada'), repo: 'acme/bert' });
    await hub.drain();
    const delivered = posts.slice(2).flatMap(({ events }) => events);
    expect(seqsOf(delivered, 'acme')).toEqual([1, 2, 3]);
    expect(seqsOf(delivered, 'tools')).toEqual([1, 2]);
    expect(posts.every(({ url }) => url === URL_OF_SINK)).toBe(true);
    expect(posts.every(({ events }) => new Set(events.map(({ organization }) => organization._id)).size === 1)).toBe(
      true,
    );
    expect(logged.filter((line) => line.includes('could not be copied'))).toHaveLength(1);
    expect(logged.join('')).toContain('It answered 503');
    expect(logged.join('')).not.toContain('key=secret');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadAuditLog, getAuditLogHead } from '@moonbase/client/audit-log';
import { AuditEvent } from '@moonbase/contract/audit-log/events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyAudit } from '../../packages/cli/src/audit.ts';
import { formerHash, linkHash, NO_HASH, type Sealed, sealedText } from '../../packages/server/src/audit-log/chain.ts';
import { ask } from '../../packages/server/test/ask.ts';
import { person, startHub, type TestHub } from '../../packages/server/test/harness.ts';

let hub: TestHub;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moonbase-audit-'));
  hub = await startHub();
  await hub.apply({
    users: [person('ada')],
    organizations: [{ name: 'acme', plan: 'team', members: [{ user: 'ada', role: 'admin' }] }],
  });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await hub[Symbol.asyncDispose]();
});

const make = async (name: string, userAgent: string) => {
  const body = { name, organization: 'acme', type: 'model' };
  expect((await ask(hub.as('ada'), 'POST /api/repos/create', body, { 'user-agent': userAgent })).status).toBe(200);
};

async function exported(): Promise<AuditEvent[]> {
  const { text } = await downloadAuditLog({ ...hub.as('ada'), name: 'acme' });
  return AuditEvent.array().parse(await new Response(text).json());
}

const head = async () => (await getAuditLogHead({ ...hub.as('ada'), name: 'acme' })).last?.hash ?? '';

/** Returns the output of `moonbase audit verify` for a file, and its exit status. */
async function verified(log: unknown, given?: string) {
  const file = join(folder, 'log.json');
  writeFileSync(file, JSON.stringify(log));
  let said = '';
  const say = (text: string) => {
    said += text;
  };
  const terminal = { out: say, err: say } as Parameters<typeof verifyAudit>[1];
  const status = await verifyAudit({ file, head: given, pruned: false, json: false }, terminal);
  return { status, said };
}

/** Rewrites the whole log with consistent hashes. */
function rewritten(log: readonly AuditEvent[], change: (event: AuditEvent) => object): unknown[] {
  let previous = NO_HASH;
  return log
    .toReversed()
    .map((event) => {
      const forged = { ...event, ...change(event), prevHash: previous };
      previous = linkHash(previous, sealedText(forged as Sealed));
      return { ...forged, hash: previous };
    })
    .reverse();
}

describe('verification', () => {
  test('reports a completely rewritten log as merely consistent, unless the head is known', async () => {
    await make('one', 'curl/8');
    const noted = await head();
    const forged = rewritten(await exported(), () => ({ author: { _id: 'f'.repeat(24), user: 'mallory' } }));
    const without = await verified(forged);
    expect(without).toMatchObject({ status: 0, said: expect.stringContaining('consistent with itself') });
    expect(without.said).not.toMatch(/: nothing was changed/);
    expect(without.said).toContain('does not prove that nothing was changed');
    expect(without.said).toContain('--head');
    expect(await verified(forged, noted)).toMatchObject({ status: 1, said: expect.stringContaining('rewritten') });
  });

  test('with a known head proves everything up to the head; later events are only consistent', async () => {
    await make('one', 'curl/8');
    const noted = await head();
    const known = await exported();
    expect((await verified(known, noted)).said).toBe(`Events 1 to ${known.length}: nothing was changed.\n`);
    await make('two', 'curl/8');
    const { status, said } = await verified(await exported(), noted);
    expect(status).toBe(0);
    expect(said).toContain(`Events 1 to ${known.length}: nothing was changed.\n`);
    expect(said).toContain('The last 1 came after the given head');
  });
});

describe('the shown fields of an event', () => {
  test.each<[string, (event: AuditEvent) => object]>([
    ['another user agent', () => ({ userAgent: 'huggingface_hub/1.0' })],
    ['no user agent', () => ({ userAgent: undefined })],
    ['a location', () => ({ location: { formatted: 'Paris, France', country: 'France', city: 'Paris' } })],
    ['another role of the token', ({ token }) => ({ token: { ...token, role: 'read' } })],
    ['other last characters of the token', ({ token }) => ({ token: { ...token, last4: 'xxxx' } })],
    ['an application', () => ({ oauth: { clientId: 'an application' } })],
    // The new hash covers fields that the old one left out, so this event cannot pass for an event of an older version.
    [
      'another user agent, under the hash of an older version',
      (event) => {
        const changed = { ...event, userAgent: 'huggingface_hub/1.0' };
        return { ...changed, hash: formerHash(event.prevHash, changed) };
      },
    ],
  ])('reveal tampering: %s', async (_, change) => {
    await make('one', 'curl/8');
    await make('two', 'curl/8');
    const noted = await head();
    const log = await exported();
    expect(await verified(log, noted)).toMatchObject({ status: 0 });
    for (const at of [0, 1]) {
      const tampered = log.map((event, index) => (index === at ? { ...event, ...change(event) } : event));
      expect(await verified(tampered, noted)).toMatchObject({ status: 1 });
    }
  });

  test('exclude current data, so that a log verifies after its authors and tokens are deleted', async () => {
    await make('one', 'curl/8');
    const noted = await head();
    const log = await exported();
    const later = log.map(({ author, token, ...event }) => ({
      ...event,
      author: { ...author, avatarUrl: 'http://elsewhere.test/a.svg', deleted: true },
      ...(token && { token: { ...token, deleted: true } }),
    }));
    expect(await verified(later, noted)).toMatchObject({
      status: 0,
      said: expect.stringContaining('nothing was changed'),
    });
  });

  test('a user agent cannot imitate other fields of its event', async () => {
    await make('one', '"token":{"id":"x"},"author":{');
    const [newest] = await exported();
    expect(newest).toMatchObject({ userAgent: '"token":{"id":"x"},"author":{', author: { user: 'ada' } });
    expect(await verified(await exported(), await head())).toMatchObject({ status: 0 });
  });
});

test('a chain of an older version is continued, and verification names the events with unproved fields', async () => {
  await make('one', 'curl/8');
  // This is how the previous version stored the same events.
  let previous = NO_HASH;
  for (const event of (await exported()).toReversed()) {
    const { _id, author, createdAt, data, ip, message, token, type, userAgent } = event;
    const plain = { _id, author: { _id: author._id, user: author.user }, createdAt, data, ip, message, type };
    const body = sealedText({ ...plain, ...(token && { token: { id: token.id } }) });
    const context = {
      ...(userAgent !== undefined && { userAgent }),
      token: { role: token?.role, last4: token?.last4 },
    };
    const hash = formerHash(previous, event);
    await hub.database.transaction((tx) =>
      tx
        .updateTable('audit_events')
        .set({ body, context: JSON.stringify(context), prev_hash: previous, hash })
        .where('id', '=', _id)
        .execute(),
    );
    previous = hash;
  }
  await hub.database.transaction((tx) => tx.updateTable('audit_chains').set({ hash: previous }).execute());
  const former = await exported();
  await make('two', 'curl/8');

  const log = await exported();
  const noted = await head();
  expect(log.slice(1)).toEqual(former);
  const { status, said } = await verified(log, noted);
  expect(status).toBe(0);
  expect(said).toContain(`Events 1 to ${log.length}: nothing was changed.`);
  expect(said).toContain(`For events up to ${former.length}, recorded by an older version,`);
  const tampered = (at: number) => log.map((event, index) => (index === at ? { ...event, userAgent: 'x' } : event));
  expect(await verified(tampered(0), noted)).toMatchObject({ status: 1 });
  expect(await verified(tampered(1), noted)).toMatchObject({ status: 0 });
});

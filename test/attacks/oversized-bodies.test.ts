import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseHubDocument } from '../../packages/cli/src/hub-document.ts';
import { jsonBoundsFault } from '../../packages/server/src/platform/http/json/bounds.ts';
import { type TestHub, tokenOf } from '../../packages/server/test/harness.ts';
import { newUser, PATCH, type ScimFixture, startScim } from '../../packages/server/test/scim-fixture.ts';

let fixture: ScimFixture;
let hub: TestHub;
beforeAll(async () => {
  fixture = await startScim();
  hub = fixture.hub;
});
afterAll(() => fixture[Symbol.asyncDispose]());

const send = async (accessToken: string, request: string, body: string) => {
  const [method, path] = request.split(' ');
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${hub.url}${path}`, { method: method ?? '', headers, body });
  return { status: answer.status, body: (await answer.json()) as { error: string; issues?: unknown[] } };
};
const apply = (body: string) => send(hub.admin.accessToken, 'PUT /api/admin/hub', body);
const change = (body: string) => send(tokenOf('ada'), 'PATCH /api/settings/notifications', body);

const TOO_DEEP = 'The body must not be nested more than 64 levels deep';
const TOO_MANY = /^The body must not have more than \d+ values/;
const FIVE_MILLION = 5_000_000;
const MIB = 1024 * 1024;

describe('JSON that is small to send and large to parse', () => {
  test('is refused before it is parsed: five million lists, nested or side by side', async () => {
    const nested = `{"users":${'['.repeat(FIVE_MILLION)}${']'.repeat(FIVE_MILLION)}}`;
    expect(await apply(nested)).toMatchObject({ status: 400, body: { error: TOO_DEEP } });
    const siblings = `{"users":[${'[],'.repeat(FIVE_MILLION)}[]]}`;
    expect(await apply(siblings)).toMatchObject({ status: 400, body: { error: expect.stringMatching(TOO_MANY) } });
    const parsingATenth = timeOf(() => JSON.parse(`[${'[],'.repeat(FIVE_MILLION / 10)}[]]`));
    for (const body of [nested, siblings])
      expect(timeOf(() => jsonBoundsFault(body, 500_000))).toBeLessThan(parsingATenth);
  });

  test.each([
    ['lists', '['.repeat(MIB - 1)],
    ['objects', '{"a":'.repeat(MIB / 5 - 1)],
    ['closed lists', `${'['.repeat(65)}${']'.repeat(65)}`],
  ])('is refused in every body: nested %s', async (_title, body) => {
    expect(await change(body)).toMatchObject({ status: 400, body: { error: TOO_DEEP } });
  });

  test('is refused in every body: hundreds of thousands of numbers', async () => {
    expect(await change(`{"x":[${'0,'.repeat(MIB / 2 - 10)}0]}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(TOO_MANY) },
    });
  });

  test('is told apart from strings that look similar', async () => {
    const text = JSON.stringify(`${'[{"'.repeat(30_000)}\\" ${'\\'.repeat(999)}`);
    expect((await change(`{"notifications":{},"x":${text},"y":${text}}`)).status).toBe(200);
    expect((await change(`{"notifications":{},"x":${'['.repeat(63)}${']'.repeat(63)}}`)).status).toBe(200);
  });

  test.each([
    ['"\\u0000"', true],
    ['"\\\\u0000"', false],
    ['"\\\\\\u0000"', true],
    ['{"\\u0000":1}', true],
    ['"\\"\\u0000"', true],
    ['"a\\"', false],
    ['"', false],
    ['\\u0000', false],
  ])('with the string %s has a NUL character: %s', (text, has) => {
    expect(jsonBoundsFault(text, 100)).toEqual(has ? 'The body must not contain a NUL character' : undefined);
  });

  test('gets a response with a limited number of errors', async () => {
    const { status, body } = await apply(`{"users":[${'[],'.repeat(20_000)}[]]}`);
    expect([status, body.issues?.length]).toEqual([400, 1000]);
  });
});

describe('a SCIM PATCH', () => {
  test('has at most 100 operations for a user, however they are grouped, and 2,000 for a group', async () => {
    const { body: user } = await fixture.scim('POST /Users', newUser('grace'));
    const { body: group } = await fixture.scim('POST /Groups', { displayName: 'Staff' });
    const path = `PATCH /Users/${user.id}` as const;
    const rename = { op: 'replace', path: 'displayName', value: 'Grace' };
    const times = (count: number) => Array.from({ length: count }, () => rename);
    expect((await fixture.scim(path, PATCH(...times(100)))).status).toBe(200);
    expect(await fixture.scim(path, PATCH(...times(10_000)))).toMatchObject({
      status: 400,
      body: { detail: 'A PATCH must not have more than 100 operations' },
    });
    const spellings = Array.from({ length: 101 }, (_, n) => [`${' '.repeat(n)}displayName`, 'Grace']);
    const value = Object.fromEntries(spellings);
    expect((await fixture.scim(path, PATCH({ op: 'replace', value }))).status).toBe(400);
    const leave = { op: 'remove', path: `members[value eq "${user.id}"]` };
    const operations = Array.from({ length: 2_001 }, () => leave);
    const ofGroup = `PATCH /Groups/${group.id}` as const;
    expect((await fixture.scim(ofGroup, PATCH(...operations))).status).toBe(400);
    expect((await fixture.scim(ofGroup, PATCH(...operations.slice(1)))).status).toBe(200);
  });

  test('has a database cost that does not depend on how often it adds and removes the same members', async () => {
    const users = ['u1', 'u2', 'u3'].map((name) => fixture.scim('POST /Users', newUser(name)));
    const [u1, u2, u3] = (await Promise.all(users)).map(({ body }) => body.id as string);
    const { body: group } = await fixture.scim('POST /Groups', { displayName: 'Guests', members: [{ value: u3 }] });
    const come = (id: string | undefined) => ({ op: 'add', path: 'members', value: [{ value: id }] });
    const go = (id: string | undefined) => ({ op: 'remove', path: `members[value eq "${id}"]` });
    const turns = Array.from({ length: 600 }, () => [come(u1), go(u1), come(u2)]).flat();
    const path = `PATCH /Groups/${group.id}` as const;
    const { body } = await fixture.scim(path, PATCH(...turns));
    expect(new Set(body.members.map(({ value }: { value: string }) => value))).toEqual(new Set([u2, u3]));
    const [, message] = (await fixture.audit()).at(-1) ?? [];
    expect(message).toBe('Changed the SCIM group Guests');
    const stranger = await fixture.scim(path, PATCH(come('nobody'), go('nobody')));
    expect(stranger).toMatchObject({ status: 400, body: { detail: 'members: there is no user with the id nobody' } });
    const replaced = await fixture.scim(
      path,
      PATCH({ op: 'replace', path: 'members', value: [{ value: u1 }] }, go(u1)),
    );
    expect(replaced.body.members).toEqual([]);
  });
});

test('a hub document in YAML has limited depth, and aliases cannot expand it', () => {
  for (const nested of ['[', '{', '- ', '? ', '{"a": '])
    expect(() => parseHubDocument(nested.repeat(200_000), 'hub.yaml')).toThrow('hub.yaml must not be nested');
  const levels = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${Array(10).fill(`*l${n}`).join(',')}]`);
  const laughs = ['l0: &l0 [ha]', ...levels].join('\n');
  expect(() => parseHubDocument(laughs, 'hub.yaml')).toThrow(/hub.yaml is neither YAML nor JSON/);
});

/** Returns the shortest of five runs in ms, which depends least on other programs. */
function timeOf(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });
  return Math.min(...times);
}

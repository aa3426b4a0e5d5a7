import { applyHub } from '@moonbase/client/admin';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { createHub } from '@moonbase/server';
import { readConfig } from '@moonbase/server/config';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../src/program/program.ts';

/*
 * An export of a hub, changed in one place in a thousand ways, is verified by the command against the noted head:
 * the command reports a fault if, and only if, a hashed field differs.
 */
const ADMIN = 'hf_administrator';
const TOKEN = 'hf_tokenOfAda';

let hub: Awaited<ReturnType<typeof createHub>>;
let hubUrl: string;
let exported: string;
let head: string;

async function moonbase(argv: string[], input = ''): Promise<{ status: number; out: string }> {
  let out = '';
  const status = await run(argv, {
    env: { MOONBASE_URL: hubUrl, HF_TOKEN: TOKEN },
    stdin: (async function* () {
      yield input;
    })(),
    out(text) {
      out += text;
    },
    err() {},
    fetch,
  });
  return { status, out };
}
const verify = async (file: string) => (await moonbase(['audit', 'verify', '-', '--head', head], file)).status;

beforeAll(async () => {
  const environment = { MOONBASE_PORT: '0', MOONBASE_DATA_DIR: ':memory:', MOONBASE_LOG_LEVEL: 'error' };
  hub = await createHub(readConfig({ ...environment, MOONBASE_ADMIN_TOKEN: ADMIN }), { background: false });
  await hub.prepare();
  hubUrl = await hub.start();
  const members = ['ada', 'bob', 'carol'].map((user) => ({ user, role: user === 'ada' ? 'admin' : 'read' }));
  const document = {
    users: [
      { name: 'ada', tokens: [{ name: 'test', role: 'write' as const, token: TOKEN }] },
      { name: 'bob' },
      { name: 'carol' },
    ],
    organizations: [{ name: 'acme', plan: 'enterprise' as const, members }],
  };
  await applyHub({ hubUrl, accessToken: ADMIN, document });
  const ada = { hubUrl, accessToken: TOKEN };
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  async function send(method: string, path: string, body: object): Promise<void> {
    const answer = await fetch(hubUrl + path, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  }
  const org = '/api/organizations/acme';
  for (let at = 0; at < 8; at++) {
    const repo = `acme/r${at}`;
    await createRepo({ ...ada, repo, private: at % 2 === 0 });
    await updateRepoSettings({ ...ada, type: 'model', repo, settings: { gated: 'auto' } });
    await send('POST', `${org}/roles`, { name: `role ${at}`, base: 'read', description: 'Grüße „äöü“ 🤗 \u2028' });
    await send('PUT', `${org}/members/bob/role`, { role: `role ${at}` });
    await send('POST', `${org}/resource-groups`, { name: `lab ${at}`, users: [{ user: 'carol', role: 'write' }] });
    await send('PATCH', `${org}`, { details: `<${at}> "quoted" \\ ${'x'.repeat(at * 40)}` });
  }
  ({ out: exported } = await moonbase(['audit', 'export', 'acme']));
  head = (await moonbase(['audit', 'head', 'acme'])).out.trim();
});
afterAll(() => hub.stop());

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type AuditEvent = { [key: string]: Json };

/** Sorts the keys of a value. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, ordered(inner)]),
  );
};

/** The fields that the chain covers according to docs/audit-log.md, of a whole file; undefined if it is not a log. */
function essenceOf(file: string): string | undefined {
  try {
    const events = JSON.parse(file) as Record<string, Record<string, unknown>>[];
    return JSON.stringify(
      events.map(({ author, token, ...event }) => {
        const { avatarUrl: _picture, type: _kind, deleted: _gone, ...by } = author ?? {};
        const { type: _sort, deleted: _ended, ...withToken } = token ?? {};
        return ordered({ ...event, author: author && by, token: token && withToken });
      }),
    );
  } catch {
    return undefined;
  }
}

/** Returns every place in a value, as the keys that lead to it. */
function placesIn(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) => placesIn(each as Json, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

/** Returns a copy with the value at a place replaced, or left out for undefined. */
function replaced(
  value: Json,
  [key, ...rest]: readonly (string | number)[],
  change: (old: Json) => Json | undefined,
): Json {
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  const copy: Record<string, Json> | Json[] = Array.isArray(value) ? [...value] : { ...value };
  const slots = copy as Record<string | number, Json>;
  const old = slots[key] as Json;
  const now = rest.length > 0 ? replaced(old, rest, change) : change(old);
  if (now === undefined) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete slots[key];
  } else slots[key] = now;
  return copy;
}

const other = (value: Json, at: number): Json => {
  if (typeof value === 'string') {
    const index = at % (value.length + 1);
    const letter = 'a0Z "é'[at % 6]!;
    return value.slice(0, index) + letter + value.slice(index + (at % 2));
  }
  if (typeof value === 'number') return value + 1 + (at % 3);
  if (typeof value === 'boolean') return !value;
  return Array.isArray(value) ? [...value, at] : { was: value };
};

/** Each kind of tampering; a number selects the place. */
const TAMPERINGS: Readonly<Record<string, (file: string, log: AuditEvent[], at: number, to: number) => string>> = {
  'a value': (_, log, at, to) => {
    const places = placesIn(log);
    return JSON.stringify(replaced(log, places[at % places.length]!, (old) => other(old, to)));
  },
  'a value taken out': (_, log, at) => {
    const places = placesIn(log);
    return JSON.stringify(replaced(log, places[at % places.length]!, () => undefined));
  },
  'a character': (file, _, at, to) => {
    const index = at % file.length;
    return file.slice(0, index) + '01aF"{},:\\ \n'[to % 12] + file.slice(index + 1);
  },
  'a character taken out': (file, _, at) => file.slice(0, at % file.length) + file.slice((at % file.length) + 1),
  'an event taken out': (_, log, at) => JSON.stringify(log.toSpliced(at % log.length, 1)),
  'some events taken out': (_, log, at, to) => JSON.stringify(log.toSpliced(at % log.length, 1 + (to % log.length))),
  'two events swapped': (_, log, at, to) => {
    const [one, two] = [at % log.length, to % log.length];
    return JSON.stringify(log.with(one, log[two]!).with(two, log[one]!));
  },
  'an event moved': (_, log, at, to) => {
    const [event] = log.slice(at % log.length);
    return JSON.stringify(log.toSpliced(at % log.length, 1).toSpliced(to % log.length, 0, event!));
  },
  'an event repeated': (_, log, at, to) => JSON.stringify(log.toSpliced(to % log.length, 0, log[at % log.length]!)),
  'the newest events removed': (_, log, at) => JSON.stringify(log.slice(1 + (at % log.length))),
  'the oldest events removed': (_, log, at) => JSON.stringify(log.slice(0, at % log.length)),
  'the file truncated': (file, _, at) => file.slice(0, at % file.length),
  'two values swapped': (_, log, at, to) => {
    const keys = ['_id', 'createdAt', 'type', 'message', 'data', 'author', 'token', 'hash', 'prevHash', 'seq'];
    const key = keys[to % keys.length]!;
    const [one, two] = [at % log.length, (at * 7 + to) % log.length];
    const value = (from: number) => log[from]?.[key] ?? null;
    return JSON.stringify(
      log.with(one, { ...log[one], [key]: value(two) }).with(two, { ...log[two], [key]: value(one) }),
    );
  },
};

test('an untouched export is verified, however it is formatted', async () => {
  const log = JSON.parse(exported) as AuditEvent[];
  expect(log.length).toBeGreaterThan(50);
  expect(new Set(log.map(({ type }) => type)).size).toBeGreaterThan(6);
  for (const file of [exported, JSON.stringify(log), JSON.stringify(log, null, 2), JSON.stringify(log.map(ordered))])
    expect(await verify(file)).toBe(0);
});

test('each of 1,000 changes of hashed fields is found, and no other change is reported', async () => {
  const log = JSON.parse(exported) as AuditEvent[];
  const whole = essenceOf(exported);
  const found: Record<string, number> = {};
  let harmless = 0;
  const numbers = fc.sample(fc.tuple(fc.constantFrom(...Object.keys(TAMPERINGS)), fc.nat(), fc.nat()), {
    numRuns: 1500,
    seed: 20260105,
  });
  for (const [kind, at, to] of numbers) {
    const tampered = TAMPERINGS[kind]!(exported, log, at, to);
    const isHarmless = essenceOf(tampered) === whole;
    expect({ kind, at, to, status: await verify(tampered) }).toEqual({ kind, at, to, status: isHarmless ? 0 : 1 });
    if (isHarmless) harmless += 1;
    else found[kind] = (found[kind] ?? 0) + 1;
  }
  const all = Object.values(found).reduce((sum, count) => sum + count, 0);
  expect(all).toBeGreaterThanOrEqual(1000);
  expect(Object.keys(found).sort()).toEqual(Object.keys(TAMPERINGS).sort());
  expect(harmless).toBeGreaterThan(20);
});

import { setImmediate } from 'node:timers/promises';
import { HubDocument } from '@moonbase/contract/admin/hub-document';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { explainIssue } from './explain-issue.ts';
import { hasLongList, parseCooperatively, parsedBy } from './parse-cooperatively.ts';

const TEXTS = { error: explainIssue };

const Team = z.strictObject({
  name: z.string(),
  members: z.array(z.object({ user: z.string(), tags: z.array(z.string()).default([]) })).max(3),
  groups: z
    .array(z.string().trim())
    .refine((groups) => new Set(groups).size === groups.length, 'has a group twice')
    .default([]),
  notes: z.array(z.number()).optional(),
});

test.for<[string, unknown]>([
  ['a valid value', { name: 'a', members: [{ user: 'x', extra: 1 }], groups: [' a ', 'b'] }],
  ['defaults', { name: 'a', members: [] }],
  ['an invalid item', { name: 'a', members: [{ user: 'x' }, { user: 2 }], notes: [1, '2'] }],
  ['a list that is too long', { name: 'a', members: Array.from({ length: 5 }, () => ({ user: 'x' })) }],
  ['a list that a rule refuses', { name: 'a', members: [], groups: ['a', 'a '] }],
  ['missing and unknown keys', { members: [{}], other: 1 }],
  ['other values instead of lists', { name: 'a', members: 'all', groups: null }],
  ['a text', 'text'],
  ['null', null],
  ['a list', [1, 2]],
])('parsing in turns has the same result as parsing in one piece: %s', async ([, value]) => {
  expect(await parseCooperatively(Team, value, TEXTS)).toEqual(parsedBy(Team, value, TEXTS));
});

test('parsing in turns has the same result for a schema that is not an object', async () => {
  expect(await parseCooperatively(z.array(z.string()), ['a', 1], TEXTS)).toEqual(
    parsedBy(z.array(z.string()), ['a', 1], TEXTS),
  );
});

test('other work gets its turn while a long list is parsed', async () => {
  const users = Array.from({ length: 20_000 }, (_, at) => ({
    name: `user-${at}`,
    tokens: [{ name: 'a', role: 'read' }],
  }));
  let turns = 0;
  let done = false;
  const parsing = parseCooperatively(HubDocument, { users }, TEXTS).finally(() => (done = true));
  while (!done) {
    await setImmediate();
    turns += 1;
  }
  expect((await parsing).issues).toEqual([]);
  expect(turns).toBeGreaterThan(3);
});

test('a list is long from 251 items on', () => {
  expect(hasLongList({ users: Array(250).fill(1) })).toBe(false);
  expect(hasLongList({ users: Array(251).fill(1) })).toBe(true);
  expect(hasLongList(Array(251).fill(1))).toBe(false);
});

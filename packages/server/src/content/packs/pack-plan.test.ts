import { expect, test } from 'vitest';
import { planPacks } from './pack-plan.ts';
import type { KeptPack } from './pack-store.ts';

const pack = (name: string, more: Partial<KeptPack> = {}): KeptPack => ({
  ...{ name, bytes: 1, objects: 1, indexed: true, replaces: 0, replacedBy: null },
  ...more,
});

function plan(rows: readonly KeptPack[], local: readonly string[]) {
  const { missing, covered, superseded, unknown } = planPacks(rows, new Set(local));
  const namesOf = (packs: readonly KeptPack[]) => packs.map(({ name }) => name);
  return { missing: namesOf(missing), covered: namesOf(covered), superseded, unknown };
}

const NOTHING = { missing: [], covered: [], superseded: [], unknown: [] };

test('a folder lacks the packs that it does not have, and keeps those that no row names', () => {
  expect(plan([pack('a'), pack('b')], ['a', 'x'])).toEqual({ ...NOTHING, missing: ['b'], unknown: ['x'] });
  expect(plan([pack('a')], ['a'])).toEqual(NOTHING);
});

const ROWS = [
  ...[pack('a', { replacedBy: 'ab' }), pack('b', { replacedBy: 'ab' })],
  ...[pack('ab', { replaces: 2, replacedBy: 'abc' }), pack('c', { replacedBy: 'abc' })],
  pack('abc', { replaces: 2 }),
];

test('a pack need not be fetched at once if all that it replaced is in the folder', () => {
  expect(plan(ROWS, ['a', 'b', 'c'])).toEqual({ ...NOTHING, covered: ['abc'] });
  expect(plan(ROWS, ['ab', 'c'])).toEqual({ ...NOTHING, covered: ['abc'] });
  expect(plan(ROWS, ['a', 'c'])).toEqual({ ...NOTHING, missing: ['abc'] });
  expect(plan([], ['a'])).toEqual({ ...NOTHING, unknown: ['a'] });
});

test('a pack must be fetched if the row of one that it replaced is gone', () => {
  const rows = ROWS.filter(({ name }) => name !== 'a');
  expect(plan(rows, ['b', 'c'])).toEqual({ ...NOTHING, missing: ['abc'] });
});

test('packs are superseded once a pack with their objects is in the folder', () => {
  expect(plan(ROWS, ['a', 'b', 'c', 'abc'])).toEqual({ ...NOTHING, superseded: ['a', 'b', 'c'] });
  expect(plan(ROWS, ['a', 'b', 'ab', 'c'])).toEqual({ ...NOTHING, covered: ['abc'], superseded: ['a', 'b'] });
});

import { expect, test } from 'vitest';
import { planUpdate } from './plan.ts';

const id = (letter: string): string => letter.repeat(40);
const local = (refs: Readonly<Record<string, string>>) =>
  Object.entries(refs).map(([ref, sha]) => ({ ref, sha, tagId: null }));
const remote = (refs: Readonly<Record<string, string>>, head?: string) => ({
  refs: new Map(Object.entries(refs)),
  head,
});
const MAIN = 'refs/heads/main';

test('what the remote has alone is created, what differs is moved, and what it has no more is deleted first', () => {
  const before = local({ [MAIN]: id('a'), 'refs/heads/a': id('b'), 'refs/tags/v1': id('c'), 'refs/pr/1': id('d') });
  const plan = planUpdate(before, remote({ [MAIN]: id('e'), 'refs/heads/a/b': id('b') }), []);
  expect(plan.commands).toEqual([
    { ref: 'refs/heads/a', oldId: id('b'), newId: null },
    { ref: 'refs/tags/v1', oldId: id('c'), newId: null },
    { ref: MAIN, oldId: id('a'), newId: id('e') },
    { ref: 'refs/heads/a/b', oldId: null, newId: id('b') },
  ]);
  expect(plan.wants).toEqual([id('e')]);
});

test('an annotated tag is compared by its own object', () => {
  const before = [...local({ [MAIN]: id('a') }), { ref: 'refs/tags/v1', sha: id('a'), tagId: id('f') }];
  expect(planUpdate(before, remote({ [MAIN]: id('a'), 'refs/tags/v1': id('f') }), []).commands).toEqual([]);
  expect(planUpdate(before, remote({ [MAIN]: id('a'), 'refs/tags/v1': id('a') }), [])).toMatchObject({
    commands: [{ ref: 'refs/tags/v1', oldId: id('f'), newId: id('a') }],
    wants: [],
  });
});

test('main is never deleted, and is what HEAD leads to where the remote has none', () => {
  const before = local({ [MAIN]: id('a') });
  expect(planUpdate(before, remote({ 'refs/heads/trunk': id('b') }), []).commands).toEqual([
    { ref: 'refs/heads/trunk', oldId: null, newId: id('b') },
  ]);
  expect(planUpdate(before, remote({ 'refs/heads/trunk': id('b') }, id('b')), []).commands).toEqual([
    { ref: 'refs/heads/trunk', oldId: null, newId: id('b') },
    { ref: MAIN, oldId: id('a'), newId: id('b') },
  ]);
  expect(planUpdate(before, remote({ [MAIN]: id('a'), 'refs/heads/trunk': id('a') }, id('b')), []).wants).toEqual([]);
});

test('a refused ref is tried again once it leads elsewhere, or once another ref is deleted', () => {
  const before = local({ [MAIN]: id('a') });
  const refused = [{ ref: 'refs/tags/tree', reason: 'a tree cannot be its head', id: id('b') }];
  const same = { [MAIN]: id('a'), 'refs/tags/tree': id('b') };
  expect(planUpdate(before, remote(same), refused)).toEqual({ commands: [], wants: [], refused });
  const moved = planUpdate(before, remote({ ...same, 'refs/tags/tree': id('c') }), refused);
  expect(moved).toMatchObject({ wants: [id('c')], refused: [] });
  const withOther = local({ [MAIN]: id('a'), 'refs/tags/old': id('a') });
  expect(planUpdate(withOther, remote(same), refused).commands).toHaveLength(2);
  expect(planUpdate(before, remote({ [MAIN]: id('a') }), refused).refused).toEqual([]);
});

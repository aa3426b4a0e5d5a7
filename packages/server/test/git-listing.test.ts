import { createBranch, createTag } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { contentHub } from './content-hub.ts';
import { pktLineOf } from './git-packs.ts';

/** A hub with some refs, and what `ls-refs` returns for prefixes. */
async function hubWithRefs() {
  const at = await contentHub();
  const repo = { ...at.hub.as('ada'), type: 'model', repo: 'ada/m' } as const;
  for (const branch of ['a', 'ab', 'b/c']) await createBranch({ ...repo, branch });
  for (const tag of ['a', 'v1']) await createTag({ ...repo, revision: 'main', tag });
  async function list(prefixes: readonly string[]): Promise<string[]> {
    const lines = prefixes.map((prefix) => pktLineOf(`ref-prefix ${prefix}\n`).toString());
    const response = await at.ask('/ada/m/git-upload-pack', {
      method: 'POST',
      body: ['0014command=ls-refs\n', '0001', ...lines, '0000'].join(''),
      headers: { 'git-protocol': 'version=2', 'content-type': 'application/x-git-upload-pack-request' },
    });
    return Array.from((await response.text()).matchAll(/[0-9a-f]{40} (.+)\n/g), ([, name = '']) => name);
  }
  return { list, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

const BRANCHES = ['refs/heads/a', 'refs/heads/ab', 'refs/heads/b/c', 'refs/heads/main'];
const ALL = ['HEAD', ...BRANCHES, 'refs/tags/a', 'refs/tags/v1'];

test.each<[string[], string[]]>([
  [[], ALL],
  [[''], ALL],
  [['refs/tags/v1', ''], ALL],
  [['refs/'], ALL.slice(1)],
  [
    ['refs/heads/b', 'refs/heads/a', 'refs/heads/ab'],
    ['refs/heads/a', 'refs/heads/ab', 'refs/heads/b/c'],
  ],
  [
    ['refs/tags/a', 'refs/heads/', 'refs/heads/zzz', 'refs/heads/a'],
    [...BRANCHES, 'refs/tags/a'],
  ],
  [
    ['HEAD', 'refs/tags/v', 'refs/tags/v1', 'refs/tags/v1x'],
    ['HEAD', 'refs/tags/v1'],
  ],
  [['refs/heads/main/', 'refs/headsx', 'A', 'HEADS', 'é'], []],
])('the refs with the prefixes %j are listed', async (prefixes, names) => {
  await using at = await hubWithRefs();
  expect(await at.list(prefixes)).toEqual(names);
});

test('all refs are listed for as many prefixes as git takes for too many', async () => {
  await using at = await hubWithRefs();
  const prefixes = Array.from({ length: 65_535 }, (_, position) => `refs/tags/v1${position}`);
  expect(await at.list(prefixes)).toEqual([]);
  expect(await at.list([...prefixes.slice(1), 'refs/tags/v'])).toEqual(['refs/tags/v1']);
  expect(await at.list([...prefixes, 'refs/tags/v'])).toEqual(ALL);
});

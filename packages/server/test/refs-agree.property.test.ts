import { createBranch, createTag, deleteBranch, deleteTag, listRefs } from '@moonbase/client/repositories';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentHub, jsonOf } from './content-hub.ts';
import { hasGit, knownGitStore, stockGit } from './git-folder.ts';

interface RefUpdate {
  readonly ref: string;
  readonly oldSha: string | null;
  readonly newSha: string | null;
}

const NAME = fc.constantFrom('a', 'b', 'c/d');
const CHANGE = fc.oneof(
  fc.record({ kind: fc.constant('commit'), name: fc.constantFrom('main', 'a', 'b', 'c/d'), file: fc.nat(2) }),
  fc.record({ kind: fc.constantFrom('branch', 'no-branch', 'tag', 'no-tag'), name: NAME, file: fc.constant(0) }),
);

test.runIf(hasGit)('events, API and stock git agree on every ref, with one event for each change', async () => {
  const gitStore = knownGitStore();
  await using at = await contentHub({ gitStore });
  const ada = { ...at.hub.as('ada'), type: 'model', repo: 'ada/m' } as const;
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  const updates = async (): Promise<readonly RefUpdate[]> =>
    (await at.payloads()).flatMap(({ updatedRefs }) => updatedRefs ?? []);
  const shown = async () => {
    const { branches, tags } = await listRefs(ada);
    return new Map([...branches, ...tags].map(({ ref, targetCommit }) => [ref, targetCommit]));
  };
  const inGit = () => {
    const lines = stockGit(gitStore, _id, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n');
    return new Map(lines.map((line): [string, string] => [line.slice(0, line.indexOf(' ')), line.slice(-40)]));
  };
  const done = { commit: 0, branch: 0, 'no-branch': 0, tag: 0, 'no-tag': 0 };

  await fc.assert(
    fc.asyncProperty(fc.array(CHANGE, { minLength: 1, maxLength: 8 }), async (changes) => {
      for (const { kind, name, file } of changes) {
        const [before, eventsBefore] = [await shown(), (await updates()).length];
        if (kind === 'commit') await at.commit({ files: { x: `${file}` } }, { branch: name });
        else
          await {
            branch: () => createBranch({ ...ada, branch: name, startingPoint: 'main' }),
            'no-branch': () => deleteBranch({ ...ada, branch: name }),
            tag: () => createTag({ ...ada, tag: name, revision: 'main' }),
            'no-tag': () => deleteTag({ ...ada, tag: name }),
          }
            [kind]?.()
            .catch(() => undefined);
        const after = await shown();
        const moved = [...new Set([...before.keys(), ...after.keys()])]
          .filter((ref) => before.get(ref) !== after.get(ref))
          .map((ref) => ({ ref, oldSha: before.get(ref) ?? null, newSha: after.get(ref) ?? null }));
        expect((await updates()).slice(eventsBefore)).toEqual(moved);
        expect(moved.length).toBeLessThanOrEqual(1);
        done[kind as keyof typeof done] += moved.length;
      }
      const told = new Map((await updates()).map(({ ref, newSha }) => [ref, newSha]));
      const refs = await shown();
      for (const [ref, sha] of told) expect(refs.get(ref) ?? null).toBe(sha);
      if (done.commit > 0) await expect.poll(inGit).toEqual(refs);
    }),
    { numRuns: 8, seed: 7, endOnFailure: true },
  );
  for (const count of Object.values(done)) expect(count).toBeGreaterThan(0);
});

import { squashBranch } from '@moonbase/client/content';
import { mergePullRequest } from '@moonbase/client/discussions';
import { createBranch, createTag, deleteBranch, deleteTag, listRefs } from '@moonbase/client/repositories';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentHub, jsonOf, ndjson } from './content-hub.ts';
import { hasGit, knownGitStore, stockGit } from './git-folder.ts';

interface RefUpdate {
  readonly ref: string;
  readonly oldSha: string | null;
  readonly newSha: string | null;
}

const NAME = fc.constantFrom('a', 'c/d');
const CHANGE = fc.oneof(
  { weight: 4, arbitrary: change('commit', fc.constantFrom('main', 'a', 'c/d')) },
  { weight: 4, arbitrary: change('branch', NAME) },
  { weight: 2, arbitrary: change('no-branch', NAME) },
  { weight: 3, arbitrary: change('tag', NAME) },
  { weight: 2, arbitrary: change('no-tag', NAME) },
  { weight: 3, arbitrary: change('propose', fc.constant('main')) },
  { weight: 3, arbitrary: change('commit-to-proposal', fc.constant('')) },
  { weight: 2, arbitrary: change('merge', fc.constant('')) },
  { weight: 2, arbitrary: change('squash', fc.constantFrom('main', 'a')) },
);

type Kind = Parameters<typeof change>[0];

/** A change to a repository; the text of a file is one of three, so that many commits change nothing. */
function change(
  kind: 'commit' | 'branch' | 'no-branch' | 'tag' | 'no-tag' | 'propose' | 'commit-to-proposal' | 'merge' | 'squash',
  name: fc.Arbitrary<string>,
) {
  return fc.record({ kind: fc.constant(kind), name, text: fc.constantFrom('0', '1', '2') });
}

test.runIf(hasGit)('events, API and stock git agree on every ref, with one event for each change', async () => {
  const gitStore = knownGitStore();
  await using at = await contentHub({ gitStore });
  const ada = { ...at.hub.as('ada'), type: 'model', repo: 'ada/m' } as const;
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  /** Returns the moves of refs that each event about content names. */
  const told = async (): Promise<(readonly RefUpdate[])[]> =>
    (await at.payloads()).flatMap(({ event, updatedRefs }) => (event.scope === 'repo.content' ? [updatedRefs] : []));
  const shown = async () => {
    const { branches, tags, pullRequests = [] } = await listRefs({ ...ada, includePullRequests: true });
    return new Map([...branches, ...tags, ...pullRequests].map(({ ref, targetCommit }) => [ref, targetCommit]));
  };
  const inGit = () => {
    const lines = stockGit(gitStore, _id, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n');
    return new Map(lines.map((line): [string, string] => [line.slice(0, line.indexOf(' ')), line.slice(-40)]));
  };
  /** The number of the latest pull request. */
  let proposal = 0;
  const make: Readonly<Record<Kind, (name: string, text: string) => Promise<unknown>>> = {
    commit: (name, text) => at.commit({ files: { x: text } }, { branch: name }),
    branch: (name) => createBranch({ ...ada, branch: name, startingPoint: 'main' }),
    'no-branch': (name) => deleteBranch({ ...ada, branch: name }),
    tag: (name) => createTag({ ...ada, tag: name, revision: 'main' }),
    'no-tag': (name) => deleteTag({ ...ada, tag: name }),
    async propose(name, text) {
      const headers = { 'content-type': 'application/x-ndjson' };
      const body = ndjson({ files: { [`of-${proposal}`]: text } });
      const path = `/api/models/ada/m/commit/${name}?create_pr=1`;
      expect((await at.ask(path, { method: 'POST', headers, body })).status).toBe(200);
      proposal += 1;
    },
    'commit-to-proposal': (_, text) => at.commit({ files: { y: text } }, { branch: `refs/pr/${proposal}` }),
    merge: () => mergePullRequest({ ...ada, num: proposal }),
    squash: (name) => squashBranch({ ...ada, branch: name }),
  };
  const done = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(fc.array(CHANGE, { minLength: 4, maxLength: 12 }), async (changes) => {
      for (const { kind, name, text } of changes) {
        const [before, eventsBefore] = [await shown(), (await told()).length];
        await make[kind](name, text).catch(() => undefined);
        const after = await shown();
        const moved = [...new Set([...before.keys(), ...after.keys()])]
          .filter((ref) => before.get(ref) !== after.get(ref))
          .map((ref) => ({ ref, oldSha: before.get(ref) ?? null, newSha: after.get(ref) ?? null }));
        expect(moved.length).toBeLessThanOrEqual(1);
        expect((await told()).slice(eventsBefore)).toEqual(moved.map((move) => [move]));
        done.set(kind, (done.get(kind) ?? 0) + moved.length);
        if (moved.length === 0) done.set(`${kind}, without effect`, 1);
      }
      const latest = new Map((await told()).flat().map(({ ref, newSha }) => [ref, newSha]));
      const refs = await shown();
      for (const [ref, sha] of latest) expect(refs.get(ref) ?? null).toBe(sha);
      if (done.get('commit')) await expect.poll(inGit).toEqual(refs);
    }),
    { numRuns: 8, seed: 7, endOnFailure: true },
  );
  for (const kind of Object.keys(make)) expect([kind, done.get(kind)]).toEqual([kind, expect.any(Number)]);
  for (const [kind, times] of done) expect([kind, times > 0]).toEqual([kind, true]);
  // Identical commits were among the changes.
  expect(done.get('commit, without effect')).toBe(1);
});

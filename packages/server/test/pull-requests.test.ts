import { compareRevisions, createCommit, listCommits } from '@moonbase/client/content';
import {
  changeDiscussionStatus,
  createDiscussion,
  deletePullRequestRef,
  getDiscussion,
  mergePullRequest,
} from '@moonbase/client/discussions';
import { createBranch, createRepo, deleteBranch, listRefs, updateRepoSettings } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { eavesdrop } from './eavesdrop.ts';
import { type Connection, startHub, tokenOf } from './harness.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;

interface Change {
  readonly summary?: string;
  readonly description?: string;
  readonly parentCommit?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly deleted?: readonly string[];
}

const operationsOf = ({ files = {}, deleted = [], summary = 'A change', ...header }: Change) => {
  const operations = {
    summary,
    ...header,
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    deletedFiles: deleted.map((path) => ({ path })),
  };
  return new Blob([JSON.stringify(operations)], { type: 'application/json' });
};

const commit = (who: Connection, branch: string, change: Change, createPullRequest?: true) =>
  createCommit({ ...who, ...REPO, branch, createPullRequest, operations: operationsOf(change) });
const propose = (who: Connection, change: Change, branch = 'main') => commit(who, branch, change, true);
const details = async (who: Connection, num = 1) => {
  const shown = await getDiscussion({ ...who, ...REPO, num });
  if (!shown.isPullRequest) throw new Error('This is a discussion');
  return shown;
};
const merge = (who: Connection, num = 1) => mergePullRequest({ ...who, ...REPO, num });
const setStatus = (who: Connection, status: 'open' | 'closed', num = 1) =>
  changeDiscussionStatus({ ...who, ...REPO, num, status });
const openDraft = (who: Connection) =>
  createDiscussion({ ...who, ...REPO, title: 'A change', description: '', pullRequest: true });

/** Starts a hub with the public model `alice/letters`; bob and carol may only read and discuss it. */
async function fixture() {
  const hub = await startHub();
  await hub.people('alice', 'bob', 'carol');
  const [alice, bob, carol] = [hub.as('alice'), hub.as('bob'), hub.as('carol')];
  await createRepo({ ...alice, repo: REPO.repo });
  const textAt = async (revision: string, path: string) => {
    const url = `${hub.url}/${REPO.repo}/resolve/${encodeURIComponent(revision)}/${path}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${tokenOf('bob')}` } });
    return response.status === 200 ? response.text() : response.status;
  };
  const headOf = async (ref: string) => {
    const refs = await listRefs({ ...bob, ...REPO, includePullRequests: true });
    return [...refs.branches, ...(refs.pullRequests ?? [])].find((each) => each.ref === ref)?.targetCommit;
  };
  const parentsOf = async (revision: string) => (await listCommits({ ...bob, ...REPO, revision })).map(({ id }) => id);
  return { hub, alice, bob, carol, textAt, headOf, parentsOf, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('a commit with create_pr', () => {
  test('opens a pull request with it, for anyone who may read the repository', async () => {
    await using at = await fixture();
    const main = await at.headOf('refs/heads/main');
    const made = await propose(at.bob, {
      summary: 'Add a card',
      description: 'Why not?',
      files: { 'README.md': 'Hi' },
    });
    expect(made).toMatchObject({ success: true, pullRequestUrl: `${at.hub.url}/alice/letters/discussions/1` });
    expect(await at.headOf('refs/heads/main')).toBe(main);
    expect(await at.headOf('refs/pr/1')).toBe(made.commitOid);
    expect([await at.textAt('refs/pr/1', 'README.md'), await at.textAt('main', 'README.md')]).toEqual(['Hi', 404]);
    const shown = await details(at.carol);
    expect(shown).toMatchObject({
      title: 'Add a card',
      status: 'open',
      author: { name: 'bob' },
      changes: { base: 'refs/heads/main' },
      filesWithConflicts: [],
      events: [
        { type: 'comment', data: { latest: { raw: 'Why not?' } } },
        { type: 'commit', author: { name: 'bob' }, data: { subject: 'Add a card', oid: made.commitOid } },
      ],
    });
  });

  test('records the discussion with its comment, then the ref, each once', async () => {
    await using at = await fixture();
    await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
    await listener.payloads();
    const { commitOid } = await propose(at.bob, { summary: 'Add', description: 'Why not?', files: { a: '1' } });
    const [opened, content, ...others] = await listener.payloads();
    expect(others).toEqual([]);
    expect(opened).toMatchObject({
      event: { scope: 'discussion', action: 'create' },
      discussion: { num: 1, status: 'open', isPullRequest: true, changes: { base: 'refs/heads/main' } },
      comment: { content: 'Why not?' },
    });
    expect(content).toMatchObject({
      event: { scope: 'repo.content', action: 'update' },
      repo: { headSha: await at.headOf('refs/heads/main') },
      updatedRefs: [{ ref: 'refs/pr/1', oldSha: null, newSha: commitOid }],
    });
  });

  test('begins at its parent, and may be for any branch', async () => {
    await using at = await fixture();
    const first = await commit(at.alice, 'main', { files: { a: '1' } });
    await createBranch({ ...at.alice, ...REPO, branch: 'dev', startingPoint: 'main' });
    await commit(at.alice, 'dev', { files: { a: '2' } });
    const { commitOid } = await propose(at.bob, { parentCommit: first.commitOid, files: { b: '1' } }, 'dev');
    expect(await at.parentsOf('refs/pr/1')).toEqual([commitOid, first.commitOid, expect.any(String)]);
    expect((await details(at.bob)).changes).toEqual({ base: 'refs/heads/dev' });
    const main = await at.headOf('refs/heads/main');
    await merge(at.alice);
    expect([await at.textAt('dev', 'b'), await at.textAt('main', 'b')]).toEqual(['1', 404]);
    expect(await at.headOf('refs/heads/main')).toBe(main);
    expect((await details(at.bob)).changes).toMatchObject({ mergeCommitId: await at.headOf('refs/heads/dev') });
  });

  test('that changes nothing opens a draft', async () => {
    await using at = await fixture();
    const { commitOid } = await propose(at.bob, {});
    expect(commitOid).toBe(await at.headOf('refs/heads/main'));
    expect(await details(at.bob)).toMatchObject({ status: 'draft', events: [{ type: 'comment' }] });
  });

  test('is refused for refs other than branches, without discussions, and for strangers, and nothing is opened', async () => {
    await using at = await fixture();
    const main = (await at.headOf('refs/heads/main')) ?? '';
    const change = { files: { a: '1' } };
    for (const branch of [main, 'nowhere', 'refs/pr/1'])
      await expect(propose(at.bob, change, branch)).rejects.toMatchObject({ status: 404, code: 'RevisionNotFound' });
    await expect(propose(at.bob, { ...change, parentCommit: 'a'.repeat(40) })).rejects.toMatchObject({ status: 404 });
    await expect(propose(at.bob, { deleted: ['nothing'] })).rejects.toMatchObject({ status: 404 });
    await updateRepoSettings({ ...at.alice, ...REPO, settings: { discussionsDisabled: true } });
    await expect(propose(at.alice, change)).rejects.toMatchObject({ status: 403 });
    await updateRepoSettings({ ...at.alice, ...REPO, settings: { discussionsDisabled: false, private: true } });
    await expect(propose(at.bob, change)).rejects.toMatchObject({ status: 404 });
    expect((await listRefs({ ...at.alice, ...REPO, includePullRequests: true })).pullRequests).toEqual([]);
  });
});

describe('a commit on a pull request', () => {
  test('may be made by its author and by writers, and opens a draft', async () => {
    await using at = await fixture();
    await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
    await openDraft(at.bob);
    await listener.payloads();
    const oldSha = await at.headOf('refs/pr/1');
    const one = await commit(at.bob, 'refs/pr/1', { summary: 'One', files: { a: '1' } });
    expect(await listener.payloads()).toMatchObject([
      { event: { scope: 'repo.content' }, updatedRefs: [{ ref: 'refs/pr/1', oldSha, newSha: one.commitOid }] },
      { event: { scope: 'discussion', action: 'update' }, discussion: { status: 'open' } },
    ]);
    const two = await commit(at.alice, 'refs/pr/1', { summary: 'Two', files: { a: '2' } });
    expect(await listener.events()).toEqual(['repo.content/update']);
    expect((await details(at.bob)).events.map(({ type, data }) => [type, data])).toEqual([
      ['comment', expect.anything()],
      ['commit', { subject: 'One', oid: one.commitOid }],
      ['status-change', { status: 'open' }],
      ['commit', { subject: 'Two', oid: two.commitOid }],
    ]);
    await expect(commit(at.carol, 'refs/pr/1', { files: { a: '3' } })).rejects.toMatchObject({ status: 403 });
    expect(await at.textAt('refs/pr/1', 'a')).toBe('2');
  });

  test('has opened a draft already when its client opens it', async () => {
    await using at = await fixture();
    await openDraft(at.bob);
    await commit(at.bob, 'refs/pr/1', { files: { a: '1' } });
    await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
    await listener.payloads();
    const { newStatus } = await setStatus(at.bob, 'open');
    expect(newStatus).toMatchObject({ type: 'status-change', data: { status: 'open' }, author: { name: 'bob' } });
    expect((await details(at.bob)).events.at(-1)).toMatchObject({ id: newStatus.id });
    expect(await listener.payloads()).toEqual([]);
    await expect(setStatus(at.carol, 'open')).rejects.toMatchObject({ status: 403 });
    await merge(at.alice);
    await expect(setStatus(at.bob, 'open')).rejects.toMatchObject({ status: 409 });
  });

  test('has no effect when repeated, is refused if its parent is stale, and waits for others', async () => {
    await using at = await fixture();
    const first = await propose(at.bob, { files: { a: '1' } });
    const change = { parentCommit: first.commitOid, files: { b: '1' } };
    const second = await commit(at.bob, 'refs/pr/1', change);
    expect(await commit(at.bob, 'refs/pr/1', change)).toEqual(second);
    const stale = commit(at.bob, 'refs/pr/1', { ...change, files: { c: '1' } });
    await expect(stale).rejects.toMatchObject({ status: 412 });
    const both = await Promise.all(['x', 'y'].map((path) => commit(at.bob, 'refs/pr/1', { files: { [path]: '1' } })));
    expect(new Set(both.map(({ commitOid }) => commitOid)).size).toBe(2);
    expect([await at.textAt('refs/pr/1', 'x'), await at.textAt('refs/pr/1', 'y')]).toEqual(['1', '1']);
  });

  test('is refused once it is closed or merged', async () => {
    await using at = await fixture();
    await propose(at.bob, { files: { a: '1' } });
    await setStatus(at.bob, 'closed');
    const again = () => commit(at.bob, 'refs/pr/1', { files: { a: '2' } });
    await expect(again()).rejects.toMatchObject({ status: 409, message: expect.stringMatching(/closed/) });
    await setStatus(at.bob, 'open');
    await merge(at.alice);
    await expect(again()).rejects.toMatchObject({ status: 409, message: expect.stringMatching(/merged/) });
    await createDiscussion({ ...at.bob, ...REPO, title: 'A question', description: '' });
    for (const ref of ['refs/pr/2', 'refs/pr/7'])
      await expect(commit(at.bob, ref, {})).rejects.toMatchObject({ status: 404, code: 'RevisionNotFound' });
  });
});

describe('merging', () => {
  const text = (...words: string[]) => words.map((word) => `${word}\n`).join('');

  test('joins both sides in a commit with both as parents, and leaves the ref where it is', async () => {
    await using at = await fixture();
    await commit(at.alice, 'main', { files: { 'a.txt': text('one', 'two', 'three'), 'b.txt': text('b'), c: 'c' } });
    const proposed = await propose(at.bob, {
      files: { 'a.txt': text('one', 'two', 'THREE'), new: 'n' },
      deleted: ['c'],
    });
    const main = await commit(at.alice, 'main', {
      files: { 'a.txt': text('ONE', 'two', 'three'), 'b.txt': text('B') },
    });
    await merge(at.alice);
    expect(await at.textAt('main', 'a.txt')).toBe(text('ONE', 'two', 'THREE'));
    expect(await Promise.all(['b.txt', 'c', 'new'].map((path) => at.textAt('main', path)))).toEqual(['B\n', 404, 'n']);
    expect(await at.headOf('refs/pr/1')).toBe(proposed.commitOid);
    const ids = await at.parentsOf('main');
    expect(ids.slice(1, 3).toSorted()).toEqual([main.commitOid, proposed.commitOid].toSorted());
    expect((await details(at.bob)).changes).toEqual({ base: 'refs/heads/main', mergeCommitId: ids[0] });
  });

  test('is refused with the files that both sides changed, until the pull request resolves the conflict', async () => {
    await using at = await fixture();
    const pointer = (digit: string) =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 5\n`;
    const files = { 'a.txt': text('one', 'two'), 'b.bin': 'b\0', 'large.bin': pointer('1'), 'd.txt': 'd', e: 'e' };
    await commit(at.alice, 'main', { files });
    const mine = { 'a.txt': text('ONE', 'two'), 'b.bin': 'B\0', 'large.bin': pointer('2'), 'new.txt': 'x' };
    await propose(at.bob, { files: mine, deleted: ['d.txt'] });
    const theirs = {
      'a.txt': text('1', 'two'),
      'b.bin': 'bb\0',
      'large.bin': pointer('3'),
      'new.txt': 'y',
      'd.txt': 'D',
    };
    await commit(at.alice, 'main', { files: theirs });
    const filesWithConflicts = ['a.txt', 'b.bin', 'd.txt', 'large.bin', 'new.txt'];
    expect((await details(at.bob)).filesWithConflicts).toEqual(filesWithConflicts);
    const before = await at.headOf('refs/heads/main');
    const refused = await fetch(`${at.hub.url}/api/models/${REPO.repo}/discussions/1/merge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf('alice')}` },
    });
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { error: expect.stringContaining('a.txt, b.bin'), filesWithConflicts },
    ]);
    expect(await details(at.bob)).toMatchObject({ status: 'open', changes: { base: 'refs/heads/main' } });
    expect(await at.headOf('refs/heads/main')).toBe(before);
    await commit(at.bob, 'refs/pr/1', { files: theirs });
    expect((await details(at.bob)).filesWithConflicts).toEqual([]);
    await merge(at.alice);
    expect(await at.textAt('main', 'a.txt')).toBe(text('1', 'two'));
  });

  test('while others commit contains every acknowledged commit', async () => {
    await using at = await fixture();
    await propose(at.bob, { files: { proposed: '1' } });
    const names = Array.from({ length: 8 }, (_, number) => `file-${number}`);
    const committing = names.map((name) => commit(at.alice, 'main', { files: { [name]: name } }));
    const more = commit(at.bob, 'refs/pr/1', { files: { more: '1' } }).then(
      () => '1',
      () => 404,
    );
    await Promise.all([...committing, merge(at.alice)]);
    for (const name of names) expect(await at.textAt('main', name)).toBe(name);
    expect(await at.textAt('main', 'proposed')).toBe('1');
    expect(await at.textAt('main', 'more')).toBe(await more);
  });

  test('is refused if the branch was deleted', async () => {
    await using at = await fixture();
    await createBranch({ ...at.alice, ...REPO, branch: 'dev', startingPoint: 'main' });
    await propose(at.bob, { files: { a: '1' } }, 'dev');
    await deleteBranch({ ...at.alice, ...REPO, branch: 'dev' });
    await expect(merge(at.alice)).rejects.toMatchObject({ status: 409 });
    expect(await details(at.bob)).toMatchObject({ status: 'open', filesWithConflicts: [] });
  });
});

describe('what a pull request changes', () => {
  const diffOf = async (who: Connection, num = 1) => {
    const shown = await getDiscussion({ ...who, ...REPO, num, diff: '1' });
    return shown.isPullRequest ? shown.diff : undefined;
  };
  const onAdded = (path: string, line: string) => expect.stringContaining(`+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`);

  test('is a diff against where it begins, even after it is merged or its ref is deleted', async () => {
    await using at = await fixture();
    await propose(at.bob, { files: { a: '1\n' } });
    await commit(at.alice, 'main', { files: { b: '1\n' } });
    const diff = await diffOf(at.carol);
    expect(diff).toEqual(onAdded('a', '1'));
    expect(diff).not.toContain('b/b');
    expect(await details(at.carol)).not.toHaveProperty('diff');
    await merge(at.alice);
    expect(await diffOf(at.carol)).toBe(diff);
    await deletePullRequestRef({ ...at.alice, ...REPO, num: 1 });
    expect(await diffOf(at.carol)).toBe(diff);
    await openDraft(at.bob);
    expect(await diffOf(at.carol, 2)).toBe('');
  });

  test('can be compared: with two dots what differs, with three what changed since it diverged', async () => {
    await using at = await fixture();
    await propose(at.bob, { files: { a: '1\n' } });
    await commit(at.alice, 'main', { files: { b: '1\n' } });
    const compare = (compared: string) => compareRevisions({ ...at.carol, ...REPO, compared });
    expect(await compare('main...refs/pr/1')).toEqual(onAdded('a', '1'));
    expect(await compare('main...refs/pr/1')).not.toContain('b/b');
    const head = (await at.headOf('refs/pr/1')) ?? '';
    expect(await compare(`main..${head}`)).toMatch(/\+\+\+ b\/a\n[\s\S]*--- a\/b\n\+\+\+ \/dev\/null/);
    expect(await compare('main..main')).toBe('');
    expect(await compare(`${head}^..${head}`)).toEqual(onAdded('a', '1'));
    expect(await compare('refs/pr/1^..refs/pr/1')).toEqual(onAdded('a', '1'));
    const [, first = ''] = (await listCommits({ ...at.carol, ...REPO, revision: 'main' })).map(({ id }) => id);
    expect(await compare(`${first}^..${first}`)).toMatch(/^diff --git a\/\.gitattributes b\/\.gitattributes\nnew file/);
    for (const [compared, status] of [
      ['main', 400],
      ['main..', 400],
      ['..main', 400],
      ['main....dev', 404],
      ['main..nowhere', 404],
      [`main..${first}^`, 400],
      ['nowhere^..main', 404],
    ] as const)
      await expect(compare(compared), compared).rejects.toMatchObject({ status });
  });
});

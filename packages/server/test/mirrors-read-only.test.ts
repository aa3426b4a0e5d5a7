import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { createCommit, duplicateRepo, squashBranch } from '@moonbase/client/content';
import { changeDiscussionStatus, createDiscussion, mergePullRequest } from '@moonbase/client/discussions';
import { deleteLargeFile } from '@moonbase/client/large-files';
import { deleteMirror } from '@moonbase/client/mirrors';
import { createBranch, createTag, deleteBranch, deleteTag } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { eavesdrop } from './eavesdrop.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { commitTo, MIRROR, mirrorHubs, ORIGIN } from './mirror-hubs.ts';

const READ_ONLY = /is a mirror: its branches and tags follow another repository/;

/** A mirror with the branches main and side and the tag v1. */
async function fixture() {
  const at = await mirrorHubs();
  await at.commit({ 'a.txt': 'a' });
  await createBranch({ ...at.ada, ...ORIGIN, branch: 'side' });
  await at.commit({ 'b.txt': 'b' }, 'side');
  await createTag({ ...at.ada, ...ORIGIN, revision: 'main', tag: 'v1' });
  await at.begin();
  return at;
}

test('nobody changes the branches and tags of a mirror by the API, not even its owner', async () => {
  await using at = await fixture();
  const { alice } = at;
  await using listener = await eavesdrop(at.hub, alice, { type: 'user', name: 'alice' });
  const before = await at.refs();
  const one = { ...alice, ...MIRROR };
  const changes = {
    commit: () => commitTo(alice, MIRROR, { 'b.txt': 'b' }),
    'create a branch': () => createBranch({ ...one, branch: 'new' }),
    'move a branch': () => createBranch({ ...one, branch: 'side', startingPoint: 'v1', overwrite: true }),
    'create an empty branch': () => createBranch({ ...one, branch: 'empty', emptyBranch: true }),
    'delete a branch': () => deleteBranch({ ...one, branch: 'side' }),
    'create a tag': () => createTag({ ...one, revision: 'main', tag: 'v2' }),
    'create an annotated tag': () => createTag({ ...one, revision: 'main', tag: 'v3', message: 'Third' }),
    'delete a tag': () => deleteTag({ ...one, tag: 'v1' }),
    squash: () => squashBranch({ ...one, branch: 'main' }),
    'apply files': () =>
      applyHub({ ...at.hub.admin, document: { repos: [{ name: MIRROR.repo, files: { 'a.txt': 'b' } }] } }),
  };
  for (const [what, change] of Object.entries(changes))
    await expect(change(), what).rejects.toMatchObject({ message: expect.stringMatching(/mirror|already/) });
  const sha = 'a'.repeat(64);
  await expect(deleteLargeFile({ ...one, sha, rewriteHistory: 'true' })).rejects.toMatchObject({ status: 404 });
  expect(await at.refs()).toEqual(before);
  expect(await listener.events()).toEqual([]);
});

test('a push to a mirror is refused with a sentence, except to a pull request', async () => {
  await using at = await fixture();
  await using client = await gitClient();
  await client.run('.', 'clone', '--quiet', remoteOf(at.alice, MIRROR.repo), 'clone');
  await writeFile(join(client.folder, 'clone', 'b.txt'), 'b');
  await client.run('clone', 'add', '--all');
  await client.run('clone', 'commit', '--quiet', '--message', 'Add b.txt');
  const head = await client.run('clone', 'rev-parse', 'HEAD');
  const before = await at.refs();
  await createDiscussion({ ...at.alice, ...MIRROR, title: 'A change', description: '', pullRequest: true });
  for (const spec of ['HEAD:main', 'HEAD:new', ':side', 'HEAD:refs/tags/v2', ':refs/tags/v1']) {
    const { code, terminal } = await client.attempt('clone', 'push', 'origin', spec);
    expect(code).toBe(1);
    expect(terminal).toMatch(READ_ONLY);
  }
  const mixed = await client.attempt('clone', 'push', 'origin', 'HEAD:main', 'HEAD:refs/pr/1');
  expect(mixed.terminal).toMatch(READ_ONLY);
  expect(await at.refs()).toEqual({ ...before, 'refs/pr/1': head });
});

test('pull requests can be opened and closed in a mirror, but not merged', async () => {
  await using at = await fixture();
  const operations = new Blob([JSON.stringify({ summary: 'Propose', files: [{ path: 'b.txt', content: 'b' }] })], {
    type: 'application/json',
  });
  const bob = { ...at.hub.as('bob'), ...MIRROR };
  await createCommit({ ...bob, branch: 'main', createPullRequest: true, operations });
  const one = { ...at.alice, ...MIRROR, num: 1 };
  await expect(mergePullRequest(one)).rejects.toMatchObject({ status: 403, message: expect.stringMatching(READ_ONLY) });
  await changeDiscussionStatus({ ...one, status: 'closed' });
  // The change comes from the remote, if at all.
  await at.commit({ 'b.txt': 'b' });
  await at.sync();
  expect((await at.refs())['refs/heads/main']).toBe((await at.originRefs())['refs/heads/main']);
});

test('a mirror that no longer follows is an ordinary repository with the same content', async () => {
  await using at = await fixture();
  const before = await at.refs();
  await deleteMirror({ ...at.alice, ...MIRROR });
  await expect(at.state()).rejects.toMatchObject({ status: 404 });
  await at.commit({ 'late.txt': 'late' });
  await at.hub.drain();
  expect(await at.refs()).toEqual(before);
  const head = await commitTo(at.alice, MIRROR, { 'own.txt': 'own' });
  expect((await at.refs())['refs/heads/main']).toBe(head);
});

test('a duplicate of a mirror is an ordinary repository', async () => {
  await using at = await fixture();
  await duplicateRepo({ ...at.hub.as('bob'), ...MIRROR, to: 'bob/copy' });
  await commitTo(at.hub.as('bob'), { type: 'model', repo: 'bob/copy' }, { 'own.txt': 'own' });
  expect((await at.refs())['refs/heads/main']).toBe((await at.originRefs())['refs/heads/main']);
});

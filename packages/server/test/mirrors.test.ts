import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiscussion } from '@moonbase/client/discussions';
import { updateMirror } from '@moonbase/client/mirrors';
import { createBranch, createTag, deleteBranch, deleteTag, moveRepo } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { bareRemote } from './bare-remote.ts';
import { HOUR, MINUTE } from './clock.ts';
import { eavesdrop } from './eavesdrop.ts';
import { tokenOf } from './harness.ts';
import { commitTo, MIRROR, mirrorHubs, mirroringHub, ORIGIN } from './mirror-hubs.ts';

const MAIN = 'refs/heads/main';

describe('a mirror of a repository of another hub', () => {
  test('has its branches, tags and files, and each sync that changes something is one event', async () => {
    await using at = await mirrorHubs();
    const head = await at.commit({ 'a.txt': 'a', 'b/c.txt': 'c' });
    await createBranch({ ...at.ada, ...ORIGIN, branch: 'side/one' });
    const side = await at.commit({ 'd.txt': 'd' }, 'side/one');
    await createTag({ ...at.ada, ...ORIGIN, revision: 'main', tag: 'v1', message: 'The first' });
    await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
    const before = (await at.refs())[MAIN];
    const state = await at.begin();
    expect(state).toMatchObject({ state: 'synced', syncing: false, failures: 0, user: 'alice', hasToken: true });
    expect(state).not.toHaveProperty('lastError');
    expect(await at.refs()).toEqual({ [MAIN]: head, 'refs/heads/side/one': side, 'refs/tags/v1': head });
    expect(await at.refs()).toEqual(await at.originRefs());
    expect(at.fsck()).toBe('');
    const [payload, ...others] = await listener.payloads();
    expect(others).toEqual([]);
    expect(payload).toMatchObject({
      event: { scope: 'repo.content', action: 'update' },
      repo: { name: MIRROR.repo },
      updatedRefs: [
        { ref: MAIN, oldSha: before, newSha: head },
        { ref: 'refs/heads/side/one', oldSha: null, newSha: side },
        { ref: 'refs/tags/v1', oldSha: null, newSha: head },
      ],
    });
    const read = async (path: string) =>
      (await fetch(`${at.hub.url}/${MIRROR.repo}/resolve/${path}`, { headers: bearer('alice') })).text();
    expect(await Promise.all(['main/b/c.txt', 'side%2Fone/d.txt', 'v1/a.txt'].map(read))).toEqual(['c', 'd', 'a']);

    expect(await at.sync()).toMatchObject({ state: 'synced' });
    expect(await listener.payloads()).toEqual([]);
    const next = await at.commit({ 'a.txt': 'again' });
    await at.commit({ 'd.txt': 'again' }, 'side/one');
    await at.sync();
    const [update, ...more] = await listener.payloads();
    expect(more).toEqual([]);
    expect(update?.updatedRefs?.map(({ ref }) => ref)).toEqual([MAIN, 'refs/heads/side/one']);
    expect((await at.refs())[MAIN]).toBe(next);
    expect(at.fsck()).toBe('');
  });

  test('follows what the remote rewrites and deletes, but keeps main', async () => {
    await using at = await mirrorHubs();
    for (const branch of ['gone', 'one']) await createBranch({ ...at.ada, ...ORIGIN, branch });
    await createTag({ ...at.ada, ...ORIGIN, revision: 'main', tag: 'v1' });
    await at.commit({ 'a.txt': '1' });
    await at.commit({ 'a.txt': '2' });
    await at.begin();
    const older = (await at.originRefs())['refs/heads/gone'];
    await createBranch({ ...at.ada, ...ORIGIN, branch: 'main', startingPoint: older, overwrite: true });
    const rewritten = await at.commit({ 'b.txt': 'another history' });
    await deleteBranch({ ...at.ada, ...ORIGIN, branch: 'gone' });
    // A branch takes the place of a folder of branches.
    await deleteBranch({ ...at.ada, ...ORIGIN, branch: 'one' });
    await createBranch({ ...at.ada, ...ORIGIN, branch: 'one/two' });
    await deleteTag({ ...at.ada, ...ORIGIN, tag: 'v1' });
    await createTag({ ...at.ada, ...ORIGIN, revision: 'main', tag: 'v1', message: 'Another' });
    expect(await at.sync()).toMatchObject({ state: 'synced', skippedRefs: [] });
    expect(await at.refs()).toEqual({
      [MAIN]: rewritten,
      'refs/heads/one/two': rewritten,
      'refs/tags/v1': rewritten,
    });
    expect(at.fsck()).toBe('');
  });

  test('is synced at its interval, and under its new name after a move', async () => {
    await using at = await mirrorHubs();
    const { nextSyncAt } = await at.begin({ interval: 3600 });
    expect(Date.parse(nextSyncAt) - at.hub.clock.now()).toBe(HOUR);
    const head = await at.commit({ 'a.txt': 'a' });
    at.hub.clock.advance(HOUR - MINUTE);
    await at.hub.drain();
    expect((await at.refs())[MAIN]).not.toBe(head);
    await moveRepo({ ...at.alice, type: 'model', from: MIRROR.repo, to: 'alice/climate' });
    at.hub.clock.advance(MINUTE);
    await at.hub.drain();
    const { headers } = await fetch(`${at.hub.url}/alice/climate/resolve/main/a.txt`, { headers: bearer('alice') });
    expect(headers.get('x-repo-commit')).toBe(head);
  });

  test('keeps discussions and pull requests of its own', async () => {
    await using at = await mirrorHubs();
    await at.begin();
    const about = { ...at.hub.as('bob'), ...MIRROR, title: 'A change', description: 'Why not?' };
    await createDiscussion(about);
    await createDiscussion({ ...about, pullRequest: true });
    const proposed = (await at.refs())['refs/pr/2'];
    await at.commit({ 'a.txt': 'a' });
    await at.sync();
    expect(await at.refs()).toEqual({ ...(await at.originRefs()), 'refs/pr/2': proposed });
  });

  test('does not take over the pull requests of its remote', async () => {
    await using at = await mirrorHubs();
    await createDiscussion({ ...at.ada, ...ORIGIN, title: 'A change', description: '', pullRequest: true });
    await at.begin();
    expect(Object.keys(await at.originRefs())).toContain('refs/pr/1');
    expect(Object.keys(await at.refs())).toEqual([MAIN]);
  });
});

const bearer = (user: string) => ({ authorization: `Bearer ${tokenOf(user)}` });

/** `MOONBASE_TEST_MIRROR_UPDATES=1000` follows as many as a hub must be able to. */
const UPDATES = Number(process.env.MOONBASE_TEST_MIRROR_UPDATES ?? 30);
/** Far beyond what an update takes. */
const MAX_UPDATE_MS = 20_000;

test(`${UPDATES} updates, each synced before the next, arrive in order with one delivery each`, {
  timeout: UPDATES * MAX_UPDATE_MS,
}, async () => {
  await using at = await mirrorHubs();
  await at.begin();
  await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
  const made: string[] = [];
  const moves: object[] = [];
  const startedAt = performance.now();
  let before = (await at.refs())[MAIN];
  for (let number = 1; number <= UPDATES; number++) {
    const head = await at.commit({ 'count.txt': `${number}\n`, [`files/${number % 50}.txt`]: `${number}` });
    made.push(head);
    await at.sync();
    for (const { event, updatedRefs } of await listener.payloads()) moves.push({ event, updatedRefs });
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (UPDATES > 100) console.log(`${UPDATES} updates followed in ${seconds.toFixed(1)} s`);
  const expected = made.map((newSha) => {
    const move = { ref: MAIN, oldSha: before, newSha };
    before = newSha;
    return { event: { action: 'update', scope: 'repo.content' }, updatedRefs: [move] };
  });
  expect(moves).toEqual(expected);
  expect(await at.refs()).toEqual(await at.originRefs());
  expect(at.fsck()).toBe('');
});

describe('a mirror of a repository that stock git serves', () => {
  const commit = async (remote: Awaited<ReturnType<typeof bareRemote>>, name: string, path: string, text: string) => {
    await writeFile(join(remote.client.folder, `${name}-clone`, path), text);
    await remote.git(`${name}-clone`, 'add', '--all');
    await remote.git(`${name}-clone`, 'commit', '--quiet', '--message', `Add ${path}`);
    await remote.git(`${name}-clone`, 'push', '--quiet', 'origin', 'HEAD');
    return remote.git(`${name}-clone`, 'rev-parse', 'HEAD');
  };

  test('has the branch that HEAD names on main, too, unless there is a main', async () => {
    await using remote = await bareRemote();
    await using at = await mirroringHub();
    const url = await remote.create('letters', 'trunk');
    const trunk = await commit(remote, 'letters', 'a.txt', 'a');
    await at.follow(url);
    await at.hub.drain();
    expect(await at.refs()).toEqual({ [MAIN]: trunk, 'refs/heads/trunk': trunk });
    await remote.git('letters-clone', 'push', '--quiet', 'origin', 'HEAD:main');
    await commit(remote, 'letters', 'b.txt', 'b');
    await at.sync();
    expect((await at.refs())[MAIN]).toBe(trunk);
    await remote.git('letters-clone', 'push', '--quiet', 'origin', ':main');
    const last = await commit(remote, 'letters', 'c.txt', 'c');
    await at.sync();
    expect(await at.refs()).toEqual({ [MAIN]: last, 'refs/heads/trunk': last });
  });

  test('stays as it is while the remote is empty', async () => {
    await using remote = await bareRemote();
    await using at = await mirroringHub();
    const url = await remote.create('letters');
    await at.follow(url);
    await at.hub.drain();
    expect(await at.state()).toMatchObject({
      state: 'failing',
      lastError: 'The remote has no branches; the repository stays as it is',
    });
    const head = await commit(remote, 'letters', 'a.txt', 'a');
    expect(await at.sync()).toMatchObject({ state: 'synced', failures: 0 });
    await remote.git('.', '--git-dir', 'letters.git', 'update-ref', '-d', MAIN);
    expect(await at.sync()).toMatchObject({ state: 'failing' });
    expect(await at.refs()).toEqual({ [MAIN]: head });
  });

  test('names the refs that it leaves out, and does not fetch them again', async () => {
    await using remote = await bareRemote();
    await using at = await mirroringHub();
    const url = await remote.create('letters');
    const head = await commit(remote, 'letters', 'a.txt', 'a');
    await remote.git('letters-clone', 'tag', 'files', 'HEAD^{tree}');
    await remote.git('letters-clone', 'push', '--quiet', 'origin', 'files');
    await at.follow(url);
    await at.hub.drain();
    expect(await at.refs()).toEqual({ [MAIN]: head });
    const skippedRefs = [{ ref: 'refs/tags/files', reason: 'a tree cannot be its head' }];
    expect(await at.state()).toMatchObject({ state: 'synced', skippedRefs });
    const packs = () => readdir(join(at.gitStore.folderOf(at.id), 'objects', 'pack'));
    const before = await packs();
    remote.requests.splice(0);
    expect(await at.sync()).toMatchObject({ state: 'synced', skippedRefs });
    expect(await packs()).toEqual(before);
    // One request asks what the remote supports, and one for its refs.
    expect(remote.requests).toHaveLength(2);
  });

  test('gets large histories, with deltas, and only what is new', async () => {
    await using remote = await bareRemote();
    await using at = await mirroringHub();
    const url = await remote.create('letters');
    const lines = Array.from({ length: 2_000 }, (_, line) => `${line} ${Math.sin(line)}`);
    for (let number = 0; number < 20; number++) {
      lines[number * 100] = `changed ${number}`;
      await commit(remote, 'letters', 'a.txt', lines.join('\n'));
    }
    await remote.git('.', '--git-dir', 'letters.git', 'repack', '-adq');
    await at.follow(url);
    await at.hub.drain();
    expect(await at.state()).toMatchObject({ state: 'synced' });
    lines[7] = 'changed at last';
    const head = await commit(remote, 'letters', 'a.txt', lines.join('\n'));
    await at.sync();
    expect((await at.refs())[MAIN]).toBe(head);
    expect(at.fsck()).toBe('');
    const { headers } = await fetch(`${at.hub.url}/${MIRROR.repo}/resolve/main/a.txt`, { headers: bearer('alice') });
    expect(headers.get('content-length')).toBe(String(lines.join('\n').length));
  });
});

describe('the settings of a mirror', () => {
  test('replace what a repository has only if that is asked for', async () => {
    await using at = await mirrorHubs();
    await commitTo(at.alice, MIRROR, { 'own.txt': 'own' });
    await expect(at.begin()).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('overwrite: true'),
    });
    expect(await at.begin({ overwrite: true })).toMatchObject({ state: 'synced' });
    expect(await at.refs()).toEqual(await at.originRefs());
    await expect(at.begin({ overwrite: true })).rejects.toMatchObject({ status: 409 });
  });

  test.each([
    ['ssh://git@127.0.0.1/letters', /ssh, git and file are not supported/],
    ['git@127.0.0.1:letters', /ssh, git and file are not supported/],
    ['git://127.0.0.1/letters', /ssh, git and file are not supported/],
    ['file:///etc', /ssh, git and file are not supported/],
    ['/etc/passwd', /ssh, git and file are not supported/],
    ['https://ada:secret@example.com/letters', /give them as username and token/],
    ['https://example.com/letters?token=secret', /Remove what follows \? or #/],
    ['https://exa\tmple.com/letters', /control characters/],
  ])('refuse the URL %s', async (url, message) => {
    await using at = await mirroringHub();
    await expect(at.follow(url)).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) });
    await expect(at.state()).rejects.toMatchObject({ status: 404 });
  });

  test('have an interval that the operator bounds, and can be switched off', async () => {
    await using at = await mirrorHubs({ MOONBASE_MIRROR_MIN_INTERVAL: '600' });
    await expect(at.begin({ interval: 599 })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('at least 600 seconds'),
    });
    expect(await at.begin()).toMatchObject({ interval: 8 * 3600 });
    await using off = await mirrorHubs({ MOONBASE_MIRRORS: 'false' });
    await expect(off.begin()).rejects.toMatchObject({ status: 403 });
  });

  test('change at any time, and a sync follows at once', async () => {
    await using at = await mirrorHubs();
    await at.begin({ token: 'hf_wrongTokenOfAda' });
    expect(await at.state()).toMatchObject({ state: 'failing', lastError: 'The remote refuses the token (401)' });
    const changed = await updateMirror({ ...at.alice, ...MIRROR, token: tokenOf('ada'), interval: 120 });
    expect(changed).toMatchObject({ state: 'pending', failures: 0, interval: 120, hasToken: true });
    await at.hub.drain();
    expect(await at.state()).toMatchObject({ state: 'synced' });
    expect(await at.refs()).toEqual(await at.originRefs());
  });
});

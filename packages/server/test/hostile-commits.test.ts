import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { createBranch, createTag, listRefs } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { contentHub, jsonOf, pathsOf } from './content-hub.ts';
import { knownGitStore } from './git-folder.ts';
import { tokenOf } from './harness.ts';

const MEBIBYTE = 1024 * 1024;
const HEADER = '{"key":"header","value":{"summary":"x"}}\n';

async function withFolder() {
  const gitStore = knownGitStore();
  const at = await contentHub({ gitStore });
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  await at.commit({ files: { first: '1' } });
  /** Returns all files of the repository's folder that hold objects, finished or not. */
  const objectFiles = async () =>
    (await readdir(gitStore.folderOf(_id), { recursive: true }))
      .filter((name) => /^objects\/.*(tmp_obj_|pack-|[0-9a-f]{38}$)/.test(name))
      .toSorted();
  const { url } = at.hub;
  /** Opens a connection that begins to send a commit; it collects what the hub answers. */
  const beginCommit = (length: number) => {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
    });
    socket.write(`POST /api/models/ada/m/commit/main HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`);
    socket.write(`authorization: Bearer ${tokenOf('ada')}\r\ncontent-type: application/x-ndjson\r\n`);
    socket.write(`content-length: ${length}\r\n\r\n${HEADER}`);
    return { socket, answer: () => answer };
  };
  return { ...at, objectFiles, beginCommit };
}

const fileLine = (value: object) =>
  `${JSON.stringify({ key: 'file', value: { path: 'x', encoding: 'base64', ...value } })}\n`;

describe('the body of a commit', () => {
  test('with a line of a gigabyte is refused early, and not read to the end', async () => {
    await using at = await withFolder();
    const before = await at.objectFiles();
    const { socket, answer } = at.beginCommit(1024 * MEBIBYTE);
    const piece = Buffer.alloc(64 * 1024, 'a');
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('drain', pour);
    socket.write('{"key":"file","value":{"path":"x","content":"');
    pour();
    await closed;
    expect(answer()).toMatch(/^HTTP\/1.1 413 /);
    expect(socket.bytesWritten).toBeLessThan(64 * MEBIBYTE);
    expect(await at.objectFiles()).toEqual(before);
  });

  test('that stops midway leaves nothing, whether the client leaves before or after it became a pack', async () => {
    await using at = await withFolder();
    const [before, { sha }] = [await at.objectFiles(), await at.info()];
    const lines = Array.from({ length: 60 }, (_, number) =>
      fileLine({ path: `${number}`, content: btoa(`${number}`) }),
    ).join('');
    const unfinished = async () => (await at.objectFiles()).filter((name) => name.includes('tmp_obj_'));
    for (const sent of [lines.slice(0, 200), `${lines}{"key":"file","val`]) {
      const { socket } = at.beginCommit(100_000);
      await new Promise((resolve) => socket.write(sent, resolve));
      if (sent.length > 1000) await expect.poll(unfinished).toHaveLength(1);
      socket.destroy();
      await expect.poll(at.objectFiles).toEqual(before);
    }
    expect(await at.info()).toMatchObject({ sha });
    expect(await at.commit({ files: { x: '1' } })).toMatchObject({ status: 200 });
  });

  test.each<[what: string, body: string | Uint8Array]>([
    ['a file that is not base64', fileLine({ content: '*** not base64 ***' })],
    ['base64 with garbage in it', fileLine({ content: 'eHh4\u0000eHh4!' })],
    ['base64 with padding in the middle', fileLine({ content: 'eA==eA==' })],
    ['one letter of base64', fileLine({ content: 'e' })],
    ['a truncated line', fileLine({ content: 'eHh4' }).slice(0, -8)],
    ['no JSON', 'hello\n'],
    ['JSON that is no object', '[1]\n'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])],
    ['JSON nested 10,000 deep', `${'['.repeat(10_000)}\n`],
    ['a key twice', '{"key":"header","value":{"summary":"y"}}\n'],
    ['an unknown key', '{"key":"__proto__","value":{}}\n'],
    [
      'a hash that is none',
      '{"key":"lfsFile","value":{"path":"x","algo":"sha256","oid":"../../etc/passwd","size":1}}\n',
    ],
  ])('with %s is refused and leaves nothing', async (_what, body) => {
    await using at = await withFolder();
    const [before, { sha }] = [await at.objectFiles(), await at.info()];
    const response = await at.ask('/api/models/ada/m/commit/main', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: Buffer.concat([Buffer.from(HEADER), Buffer.from(body)]),
    });
    expect([response.status, await at.objectFiles(), (await at.info()).sha]).toEqual([400, before, sha]);
  });
});

test('a path may have 4,096 bytes, but no more, and is listed and downloaded', async () => {
  await using at = await contentHub();
  const part = `${'é'.repeat(127)}/`;
  const path = `${part.repeat(16)}${'x'.repeat(16)}`;
  expect(Buffer.byteLength(path)).toBe(4096);
  expect(await at.commit({ files: { [`${path}x`]: '1' } })).toMatchObject({ status: 422 });
  expect(await at.commit({ files: { [path]: 'deep' } })).toMatchObject({ status: 200 });
  expect(pathsOf(await at.tree('main?recursive=true'))).toContain(path);
  const url = `/ada/m/resolve/main/${path.split('/').map(encodeURIComponent).join('/')}`;
  expect([400, 404, 414, 431]).toContain((await at.ask(`${url}${'/y'.repeat(5000)}`)).status);
  expect(await (await at.ask(url)).text()).toBe('deep');
});

test('refs with control characters are refused, and a thousand refs are all listed', async () => {
  await using at = await contentHub();
  const ada = { ...at.hub.as('ada'), type: 'model', repo: 'ada/m' } as const;
  for (const name of [
    'a\nb',
    'a\u0000b',
    'a\u007fb',
    'a\u0085b',
    '\u001b[31m',
    'a\tb',
    'a b',
    'a..b',
    'a.lock',
    'refs\\x',
  ]) {
    await expect(createBranch({ ...ada, branch: name })).rejects.toMatchObject({ status: 400 });
    await expect(createTag({ ...ada, tag: name, revision: 'main' })).rejects.toMatchObject({ status: 400 });
    expect((await at.commit({ files: { x: '1' } }, { branch: name })).status).toBeOneOf([400, 404]);
  }
  const { sha } = await at.info();
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  const refs = Array.from({ length: 1000 }, (_, number) => `refs/heads/branch-${number}`);
  await at.hub.database.transaction(async (tx) => {
    for (const ref of refs) await tx.insertInto('refs').values({ repo_id: _id, ref, sha, tag_id: null }).execute();
  });
  expect((await listRefs(ada)).branches).toHaveLength(1001);
  const { commitOid } = await at.commit({ files: { x: '1' } }, { branch: 'branch-999' });
  expect(await at.commit({ files: { x: '2' } }, { branch: 'branch-998' })).toMatchObject({ status: 200 });
  expect((await at.ask(`/ada/m/resolve/${commitOid}/x`)).status).toBe(200);
  expect((await at.ask(`/ada/m/resolve/${commitOid.slice(0, 12)}/x`)).status).toBe(200);
});

test('of two commits on the same parent one wins, and the other is told', async () => {
  await using at = await contentHub();
  const { sha: parentCommit } = await at.info();
  const answers = await Promise.all(['a', 'b'].map((name) => at.commit({ parentCommit, files: { [name]: '1' } })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  const winner = answers.find(({ status }) => status === 200);
  expect(await at.info()).toMatchObject({ sha: winner?.commitOid });
});

import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createBranch } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import type { RemoteTimes } from '../src/mirrors/index.ts';
import { idOf } from '../src/platform/git/objects/object.ts';
import { encodeEntryHeader } from '../src/platform/git/packs/pack-entry.ts';
import { eavesdrop } from './eavesdrop.ts';
import { commitOf, packOf, pktLineOf, treeOf } from './git-packs.ts';
import {
  data,
  FLUSH,
  hostileRemote,
  lines,
  PACKFILE,
  type Reply,
  refs,
  reply,
  typeOf,
  VERSION_2,
} from './hostile-remote.ts';
import { mirrorHubs, mirroringHub, ORIGIN } from './mirror-hubs.ts';

const MEBIBYTE = 1024 * 1024;
const ID = '1'.repeat(40);
/** Times so short that remotes without end are ended soon, each for the cases that need them. */
const SOON = {
  headers: { headersMs: 500 },
  stall: { stallMs: 500 },
  prepare: { prepareMs: 500 },
  pace: { pace: { minBytes: 10_000, windowMs: 500 } },
};

const withPack = (bytes: Uint8Array, ...rest: readonly Uint8Array[]): Reply =>
  reply('result', PACKFILE, data(bytes), ...rest);
const oneRef = refs(`${ID} refs/heads/main`);

/** Writes the same piece again and again, until the other side has had enough. */
function endless(response: ServerResponse, piece: Uint8Array, everyMs = 0): void {
  const more = () => {
    if (response.destroyed) return;
    if (everyMs > 0) {
      response.write(piece);
      setTimeout(more, everyMs);
    } else if (response.write(piece)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
}

const begin =
  (kind: 'advertisement' | 'result', piece: Uint8Array, first: Uint8Array = Buffer.alloc(0), everyMs = 0): Reply =>
  (response) => {
    response.writeHead(200, typeOf(kind)).write(first);
    endless(response, piece, everyMs);
  };

const blob = { type: 'blob' as const, body: Buffer.from('hi\n') };
const tree = treeOf('a.txt', idOf(blob));
const commit = commitOf(idOf(tree));
const sound = [blob, tree, commit] as const;
const large = { type: 'blob' as const, body: Buffer.alloc(11 * MEBIBYTE) };
const listOf = (id: string): Reply => refs(`${id} HEAD symref-target:refs/heads/main`, `${id} refs/heads/main`);
const bigTree = treeOf('big.dat', idOf(large));
const bigCommit = commitOf(idOf(bigTree));
const dotGit = treeOf('.git', idOf(blob));

/** The begin of a pack with one file of 60,000 bytes, which are not compressed and still to come. */
const SLOW_PACK = Buffer.concat([
  Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1'),
  encodeEntryHeader('blob', 60_000),
  Buffer.from([0x78, 0x01, 0x00, 0x60, 0xea, 0x9f, 0x15]),
]);

type Replies = Parameters<typeof hostileRemote>[0];

/** What a remote does, and what the mirror says about it. */
const HOSTILE: [what: string, replies: Replies, message: RegExp, times?: Partial<RemoteTimes>][] = [
  // The address.
  [
    'is a web page',
    { advertise: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>') },
    /not that of a git repository: it answers with text\/html/,
  ],
  [
    'says an ugly type',
    { advertise: (response) => response.writeHead(200, { 'content-type': `x/${'y'.repeat(900)}` }).end() },
    /^.{1,400}$/,
  ],
  ['asks for credentials', { advertise: (response) => response.writeHead(401).end() }, /asks for credentials \(401\)/],
  ['refuses access', { advertise: (response) => response.writeHead(403).end() }, /refuses access \(403\)/],
  ['is not there', { advertise: (response) => response.writeHead(404).end() }, /has no such repository \(404\)/],
  ['is busy', { advertise: (response) => response.writeHead(429).end() }, /come back later \(429\)/],
  ['fails', { advertise: (response) => response.writeHead(503).end() }, /answered with the status 503/],
  ['hangs up', { advertise: (response) => response.destroy() }, /closed before the answer was complete/],
  ['says nothing', { advertise: () => {} }, /Timed out after 0.5 s/, SOON.headers],
  ['speaks no HTTP', { advertise: (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n') }, /not valid HTTP/],
  [
    'sends endless headers',
    { advertise: (response) => response.writeHead(200, { x: 'y'.repeat(20_000) }).end() },
    /headers are too large/,
  ],
  // Redirects.
  [
    'redirects without end',
    { advertise: (response, { url }) => response.writeHead(302, { location: url }).end() },
    /redirects too often/,
  ],
  [
    'redirects to metadata',
    {
      advertise: (response) =>
        response.writeHead(302, { location: 'http://169.254.169.254/latest/info/refs?service=git-upload-pack' }).end(),
    },
    /Plain http is only for addresses that the operator/,
  ],
  [
    'redirects to a private address',
    {
      advertise: (response) =>
        response.writeHead(302, { location: 'https://10.0.0.1/info/refs?service=git-upload-pack' }).end(),
    },
    /Address not allowed: 10\.0\.0\.1/,
  ],
  [
    'redirects to a private address in disguise',
    {
      advertise: (response) =>
        response.writeHead(302, { location: 'https://[::ffff:192.168.0.1]/info/refs?service=git-upload-pack' }).end(),
    },
    /Address not allowed/,
  ],
  [
    'redirects to a file',
    { advertise: (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end() },
    /redirects to no web address/,
  ],
  [
    'redirects with credentials',
    { advertise: (response) => response.writeHead(302, { location: 'http://a:b@127.0.0.1/' }).end() },
    /with credentials/,
  ],
  [
    'redirects nowhere',
    { advertise: (response) => response.writeHead(302, { location: 'http://' }).end() },
    /redirects to no web address/,
  ],
  [
    'redirects to its sign-in page',
    {
      advertise: (response, { url }) =>
        void (url === '/sign-in'
          ? VERSION_2(response, response.req)
          : response.writeHead(302, { location: '/sign-in' }).end()),
    },
    /redirects to something that is not a git repository/,
  ],
  [
    'redirects in the middle',
    { list: (response) => response.writeHead(307, { location: '/elsewhere' }).end() },
    /status 307/,
  ],
  // The protocol.
  [
    'compresses',
    {
      advertise: (response) =>
        response
          .writeHead(200, { ...typeOf('advertisement'), 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(50 * MEBIBYTE))),
    },
    /compresses its answer \(gzip\)/,
  ],
  [
    'speaks version 0',
    {
      advertise: reply(
        'advertisement',
        lines('# service=git-upload-pack'),
        FLUSH,
        pktLineOf(`${ID} HEAD\0multi_ack`),
        FLUSH,
      ),
    },
    /old version of git's protocol/,
  ],
  [
    'is a dumb server',
    {
      advertise: (response) =>
        response.writeHead(200, { 'content-type': 'text/plain' }).end(`${ID}\trefs/heads/main\n`),
    },
    /answers with text\/plain/,
  ],
  [
    'hashes with SHA-256',
    { advertise: reply('advertisement', lines('version 2', 'ls-refs', 'fetch', 'object-format=sha256'), FLUSH) },
    /format sha256/,
  ],
  [
    'speaks nonsense',
    { advertise: reply('advertisement', Buffer.from('<html><body>hello')) },
    /does not speak git: The length of a pkt-line is malformed/,
  ],
  [
    'breaks off',
    { advertise: reply('advertisement', Buffer.from('000eversion 2\n00')) },
    /does not speak git: The body ends within/,
  ],
  [
    'has capabilities without end',
    { advertise: begin('advertisement', lines('x'.repeat(60_000)), lines('version 2')) },
    /more than 4194304 bytes of pkt-lines/,
  ],
  ['reports an error', { list: reply('result', lines('ERR \u001b[31mgo away\u0007')) }, /The remote says: .*go away$/],
  // Refs.
  ['has refs without end', { list: begin('result', lines(`${ID} refs/tags/${'x'.repeat(200)}`)) }, /lists a ref twice/],
  [
    'has too many refs',
    { list: refs(...Array.from({ length: 5_001 }, (_, at) => `${ID} refs/heads/b${at}`)) },
    /more than 5000 branches and tags/,
  ],
  ['lists nonsense', { list: refs('what is this') }, /in a form of its own/],
  ['has no branches', { list: refs(`${ID} refs/tags/v1`) }, /has no branches/],
  [
    'sends one byte now and then',
    { list: begin('result', Buffer.from('x'), Buffer.from('0fff'), 50) },
    /too slow: \d+ bytes came/,
    SOON.pace,
  ],
  [
    'stops in the middle',
    { list: (response) => void response.writeHead(200, typeOf('result')).write('00') },
    /Timed out after 0.5 s/,
    SOON.stall,
  ],
  // The pack.
  ['sends no pack', { list: oneRef, fetch: reply('result', FLUSH) }, /breaks off/],
  [
    'says that it cannot',
    { list: oneRef, fetch: reply('result', lines('ERR upload-pack: not our ref')) },
    /The remote says: upload-pack: not our ref/,
  ],
  [
    'fails while it packs',
    { list: oneRef, fetch: reply('result', PACKFILE, pktLineOf('\u0003out of memory')) },
    /The remote says: out of memory/,
  ],
  [
    'is a shallow clone',
    { list: oneRef, fetch: reply('result', lines('shallow-info', `shallow ${ID}`), Buffer.from('0001'), PACKFILE) },
    /only the end of its history/,
  ],
  [
    'talks without end',
    { list: oneRef, fetch: begin('result', pktLineOf(`\u0002${'x'.repeat(1000)}`), PACKFILE) },
    /messages without end/,
  ],
  [
    'prepares without end',
    { list: oneRef, fetch: begin('result', pktLineOf('\u0002'), PACKFILE, 50) },
    /sent no objects for 1 s/,
    SOON.prepare,
  ],
  [
    'drips a pack',
    { list: oneRef, fetch: begin('result', data(Buffer.from('x')), Buffer.concat([PACKFILE, data(SLOW_PACK)]), 20) },
    /too slow: \d+ bytes came/,
    SOON.pace,
  ],
  [
    'sends another band',
    { list: oneRef, fetch: reply('result', PACKFILE, pktLineOf('\u0007x')) },
    /a pack in a form of its own/,
  ],
  ['cuts the pack', { list: listOf(idOf(commit)), fetch: withPack(packOf(...sound).subarray(0, 60)) }, /breaks off/],
  [
    'sends a damaged pack',
    { list: listOf(idOf(commit)), fetch: withPack(Buffer.alloc(500, 'PACK'), FLUSH) },
    /What the remote sent is refused/,
  ],
  [
    'sends a pack with a wrong hash',
    {
      list: listOf(idOf(commit)),
      fetch: withPack(Buffer.concat([packOf(...sound).subarray(0, -20), Buffer.alloc(20)]), FLUSH),
    },
    /What the remote sent is refused: .*SHA1/i,
  ],
  [
    'sends a pack without end',
    {
      list: listOf(idOf(commit)),
      fetch: begin(
        'result',
        data(Buffer.alloc(60_000)),
        Buffer.concat([PACKFILE, data(Buffer.from('PACK\0\0\0\x02\xff\xff\xff\xff', 'latin1'))]),
      ),
    },
    /What the remote sent is refused/,
  ],
  [
    'sends other objects',
    { list: listOf(ID), fetch: withPack(packOf(...sound), FLUSH) },
    /refused: the pack refers to objects that neither it nor the repository has/,
  ],
  [
    'leaves objects out',
    { list: listOf(idOf(commit)), fetch: withPack(packOf(commit, tree), FLUSH) },
    /refused: the pack refers to objects that neither it nor the repository has: [0-9a-f]{40}/,
  ],
  [
    'sends a file above 10 MiB',
    { list: listOf(idOf(bigCommit)), fetch: withPack(packOf(large, bigTree, bigCommit), FLUSH) },
    /Files above 10 MiB must be stored with git-lfs:\n {2}big\.dat \(11\.0 MiB\)$/,
  ],
  [
    'sends a tree with .git',
    {
      list: listOf(idOf(commitOf(idOf(dotGit)))),
      fetch: withPack(packOf(blob, dotGit, commitOf(idOf(dotGit))), FLUSH),
    },
    /What the remote sent is refused: .*\.git/,
  ],
];

describe('a remote that', () => {
  test.each(HOSTILE)(
    '%s is refused with a sentence, and nothing of it is kept',
    async (_, replies, message, times = {}) => {
      await using at = await mirroringHub({}, { remoteTimes: times });
      await using remote = await hostileRemote(replies);
      const before = await at.refs();
      await at.follow(remote.url);
      await at.hub.drain();
      const { lastError, ...state } = await at.state();
      expect(lastError).toMatch(message);
      expect(lastError).not.toContain('\u001b');
      expect(lastError).not.toContain(at.gitStore.folderOf(at.id));
      expect(state).toMatchObject({ state: 'failing', failures: 1, syncing: false });
      expect(await at.refs()).toEqual(before);
      const kept = await readdir(at.gitStore.folderOf(at.id), { recursive: true }).catch(() => []);
      expect(kept.filter((name) => /tmp_|\.pack$/.test(name))).toEqual([]);
    },
  );

  test('has a larger pack than the hub takes is told so, and followed once it is smaller', async () => {
    await using at = await mirrorHubs({}, { gitLimits: { maxPushBytes: MEBIBYTE } });
    const noise = (bytes: number) => randomBytes(bytes / 2).toString('hex');
    const older = await at.commit({ 'a.txt': 'a' });
    await at.commit({ 'b.txt': noise(MEBIBYTE / 2), 'c.txt': noise(MEBIBYTE / 2), 'd.txt': noise(4 * MEBIBYTE) });
    const before = await at.refs();
    const { lastError, ...state } = await at.begin();
    expect(lastError).toBe('What the remote sent is refused: its pack has more than 1 MiB');
    expect(state).toMatchObject({ state: 'failing', failures: 1 });
    expect(await at.refs()).toEqual(before);
    await createBranch({ ...at.ada, ...ORIGIN, branch: 'main', startingPoint: older, overwrite: true });
    expect(await at.sync()).toMatchObject({ state: 'synced' });
    expect((await at.refs())['refs/heads/main']).toBe(older);
  });

  test('has refs with hostile names is followed without them, and they are listed without harm', async () => {
    const pack = withPack(packOf(...sound), FLUSH);
    const id = idOf(commit);
    const names = [
      'a\u0000b',
      'a\u001b[31m',
      'a..b',
      'a.lock',
      '-x',
      '.x',
      'x/',
      'a@{b',
      'x'.repeat(256),
      'a\\b',
      'a~1',
    ];
    const list = reply(
      'result',
      ...names.map((name) => lines(`${id} refs/heads/${name}`)),
      Buffer.concat([Buffer.from(`003a${id} refs/heads/`), Buffer.from([0xff, 0x0a])]),
      lines(`${id} refs/heads/main`, `${id} refs/pr/1`, `${id} refs/notes/x`),
      FLUSH,
    );
    await using at = await mirroringHub();
    await using remote = await hostileRemote({ list, fetch: pack });
    await at.follow(remote.url);
    await at.hub.drain();
    const state = await at.state();
    expect(state).toMatchObject({ state: 'synced' });
    expect(await at.refs()).toEqual({ 'refs/heads/main': id });
    expect(state.skippedRefs.length).toBe(names.length + 1);
    expect(JSON.stringify(state.skippedRefs)).not.toMatch(/\\u00[01]/);
  });

  test('has very many branches and tags is followed in one event', async () => {
    const id = idOf(commit);
    const names = Array.from({ length: 1_000 }, (_, at) => [`refs/heads/b${at % 10}/${at}`, `refs/tags/t${at}`]).flat();
    let listed = names;
    await using at = await mirroringHub();
    await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
    await using remote = await hostileRemote({
      list: (...given) => refs(`${id} refs/heads/main`, ...listed.map((name) => `${id} ${name}`))(...given),
      fetch: withPack(packOf(...sound), FLUSH),
    });
    await at.follow(remote.url);
    const [first, ...others] = await listener.payloads();
    expect(others).toEqual([]);
    expect(first?.updatedRefs).toHaveLength(names.length + 1);
    expect(Object.keys(await at.refs()).sort()).toEqual(['refs/heads/main', ...names].sort());
    // Branches take the place of the folders that others leave, all at once.
    listed = Array.from({ length: 10 }, (_, number) => `refs/heads/b${number}`);
    await at.sync();
    expect(await listener.payloads()).toHaveLength(1);
    expect(Object.keys(await at.refs()).sort()).toEqual([...listed, 'refs/heads/main'].sort());
  });

  test('takes the token only at its own address', async () => {
    await using other = await hostileRemote({});
    await using remote = await hostileRemote({
      advertise: (response) =>
        response.writeHead(302, { location: `${other.url}/info/refs?service=git-upload-pack` }).end(),
    });
    await using at = await mirroringHub();
    await at.follow(remote.url, { token: 'hf_secretOfTheRemote' });
    await at.hub.drain();
    expect(remote.requests.map(({ headers }) => headers.authorization)).toEqual([expect.stringMatching(/^Basic /)]);
    expect(other.requests.length).toBeGreaterThan(0);
    for (const { headers } of other.requests) expect(headers.authorization).toBeUndefined();
  });
});

describe('outside of development mode', () => {
  const settings = {
    MOONBASE_PUBLIC_URL: 'https://hub.example.com',
    MOONBASE_ADMIN_TOKEN: 'hf_administratorOfTestsMayDoAllThereIs',
  };

  test.each([
    ['http://127.0.0.1:9/letters', /Plain http is only for addresses that the operator of this hub allows/],
    ['http://93.184.215.14/letters', /Plain http is only for addresses that the operator of this hub allows/],
    ['https://127.0.0.1:9/letters', /Address not allowed: 127\.0\.0\.1/],
    ['https://169.254.169.254/letters', /Address not allowed: 169\.254\.169\.254/],
    ['https://[fd00::1]/letters', /Address not allowed: fd00::1/],
    ['https://localhost/letters', /Address not allowed: localhost \(no public address was found/],
  ])('%s is not asked', async (url, message) => {
    await using at = await mirroringHub(settings);
    await at.follow(url);
    await at.hub.drain();
    expect(await at.state()).toMatchObject({ state: 'failing', lastError: expect.stringMatching(message) });
  });

  test('plain http reaches the addresses that the operator allows', async () => {
    await using at = await mirroringHub({ ...settings, MOONBASE_OUTBOUND_ALLOW: '127.0.0.1' });
    await using remote = await hostileRemote({ list: refs(`${ID} refs/tags/v1`) });
    await at.follow(remote.url);
    await at.hub.drain();
    expect(await at.state()).toMatchObject({ lastError: expect.stringMatching(/has no branches/) });
  });
});

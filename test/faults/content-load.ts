import { createHash } from 'node:crypto';
import { HubApiError } from '@moonbase/client';
import { createCommit } from '@moonbase/client/content';
import { mergePullRequest } from '@moonbase/client/discussions';
import { lfsBatch } from '@moonbase/client/large-files';
import { createBranch } from '@moonbase/client/repositories';
import { createAddresses } from '../../packages/server/src/lfs/addresses.ts';
import { BlobError, type BlobName, type BlobStore } from '../../packages/server/src/platform/blobs/blob-store.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { createSigner } from '../../packages/server/src/platform/secrets.ts';
import { bytesOf, nameOf } from '../../packages/server/test/blobs/bytes.ts';
import { chunksOf } from '../../packages/server/test/xet-chunker.ts';
import {
  fileOf,
  sendShard,
  sendXorb,
  shardOf,
  wholeXorb,
  type XetToken,
  xorbOf,
} from '../../packages/server/test/xet-client.ts';
import { ACCESS_TOKEN } from './load.ts';
import { pause } from './pace.ts';

export const MODEL = { type: 'model', repo: 'admin/bert' } as const;
export const SECRET_KEY = 'a key for the fault tests, long enough to be taken';
export const LARGE_SIZE = 300_000;
export const PARTS_SIZE = 1_500_000;
const PART_SIZE = 500_000;
const FILES_OF_A_PACK = 60;
/** The maximum number of branches between two kills; branches are quicker than commits. */
const BRANCHES = 20;

/** The changes that the hub acknowledged. */
export interface AcknowledgedContent {
  /** The ids of the commits, on `main` and on pull requests. */
  readonly commits: Set<string>;
  /** The paths of the files on `main`. */
  readonly paths: Set<string>;
  /** The hashes of the large files, committed or not. */
  readonly uploads: Set<string>;
  readonly branches: Set<string>;
  /** The numbers of the pull requests. */
  readonly proposed: Set<number>;
  readonly merged: Set<number>;
}

export const nothingAcknowledged = (): AcknowledgedContent => ({
  commits: new Set(),
  paths: new Set(),
  uploads: new Set(),
  branches: new Set(),
  proposed: new Set(),
  merged: new Set(),
});

/** Returns the content of the file with a path; the path says its size and kind. */
export function contentAt(path: string): Buffer {
  if (/^(basic|xet)\//.test(path)) return bytesOf(LARGE_SIZE, path);
  return path.startsWith('parts/') ? bytesOf(PARTS_SIZE, path) : bytesOf(100, path);
}

const pathsOf = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${folder}/${at + 1}-of-${count}`);

interface Where {
  readonly hubUrl: string;
  readonly store: Pick<BlobStore, 'parts'>;
  readonly acknowledged: AcknowledgedContent;
  /** Whether to end; otherwise the changes end when the hub is gone. */
  readonly isOver?: () => boolean;
  /** Awaited before each change. */
  readonly mayGoOn?: () => Promise<void>;
  /** Whether large files through Xet are the only changes. */
  readonly onlyXet?: boolean;
  /** Called with each refusal, after which the changes go on; without it a refusal is thrown. */
  readonly onRefusal?: (refusal: { readonly status: number; readonly error: string }) => void;
}

/** A refusal of the bytes of a large file. */
class Refused extends Error {
  override name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const signer = createSigner(SECRET_KEY, 'addresses of files');
const addresses = createAddresses({ signer, clock: systemClock });

/** Makes changes of every kind until the hub is gone; notes what the hub acknowledged. */
export async function changeUntilGone(
  { hubUrl, store, acknowledged, isOver = () => false, mayGoOn, onlyXet = false, onRefusal }: Where,
  prefix: string,
): Promise<void> {
  const connection = { hubUrl, accessToken: ACCESS_TOKEN, ...MODEL };

  async function commit(summary: string, lines: readonly object[], createPullRequest?: true) {
    const header = { key: 'header', value: { summary, description: '' } };
    const text = [header, ...lines].map((line) => JSON.stringify(line)).join('\n');
    const operations = new Blob([text], { type: 'application/x-ndjson' });
    const answer = await createCommit({ ...connection, branch: 'main', createPullRequest, operations });
    acknowledged.commits.add(answer.commitOid);
    return answer;
  }
  const fileLines = (paths: readonly string[]) =>
    paths.map((path) => ({
      key: 'file',
      value: { path, content: contentAt(path).toString('base64'), encoding: 'base64' },
    }));
  const note = (paths: readonly string[]) => {
    for (const path of paths) acknowledged.paths.add(path);
  };

  async function commitFiles(folder: string, count: number): Promise<void> {
    const paths = pathsOf(folder, count);
    await commit(folder, fileLines(paths));
    note(paths);
  }

  async function commitLarge(path: string, send: (name: BlobName, bytes: Buffer) => Promise<void>): Promise<void> {
    const bytes = contentAt(path);
    const name = nameOf(bytes);
    await send(name, bytes);
    acknowledged.uploads.add(name.sha256);
    await commit(path, [{ key: 'lfsFile', value: { path, algo: 'sha256', oid: name.sha256, size: name.size } }]);
    note([path]);
  }

  async function addressOf({ sha256, size }: BlobName): Promise<string> {
    const { objects } = await lfsBatch({ ...connection, operation: 'upload', objects: [{ oid: sha256, size }] });
    const href = objects[0]?.actions?.upload?.href;
    if (href === undefined) throw new Error(`The hub has ${sha256} before it came`);
    return href;
  }

  async function sendWhole(name: BlobName, bytes: Buffer): Promise<void> {
    await ask(await addressOf(name), { method: 'PUT', body: new Uint8Array(bytes) });
  }

  async function sendInParts(name: BlobName, bytes: Buffer): Promise<void> {
    const { repoId, userId } = purposeOf(await addressOf(name));
    const upload = await store.parts.begin(name);
    const common = { repoId, userId, permission: 'repo.write' as const, ...name, upload };
    const parts: { partNumber: number; etag: string | null }[] = [];
    for (let first = 0; first < bytes.length; first += PART_SIZE) {
      const piece = new Uint8Array(bytes.subarray(first, first + PART_SIZE));
      const number = parts.length + 1;
      const url = addresses.urlFor(hubUrl, { what: 'part', ...common, number, partSize: piece.length });
      const { headers } = await ask(url, { method: 'PUT', body: piece });
      parts.push({ partNumber: number, etag: headers.get('etag') });
    }
    await ask(addresses.urlFor(hubUrl, { what: 'complete', ...common }), {
      method: 'POST',
      headers: { 'content-type': 'application/vnd.git-lfs+json' },
      body: JSON.stringify({ oid: name.sha256, parts }),
    });
  }

  async function sendByXet(_name: BlobName, bytes: Buffer): Promise<void> {
    const token = await xetToken(hubUrl, MODEL.repo);
    const xorb = xorbOf(chunksOf(bytes));
    await checked(await sendXorb(token, xorb));
    await checked(await sendShard(token, shardOf([fileOf(wholeXorb(xorb))], [xorb]), 1));
  }

  async function proposeAndMerge(folder: string): Promise<void> {
    const paths = pathsOf(folder, 2);
    const { pullRequestUrl } = await commit(folder, fileLines(paths), true);
    const num = Number(pullRequestUrl?.split('/').at(-1));
    acknowledged.proposed.add(num);
    await mergePullRequest({ ...connection, num });
    acknowledged.merged.add(num);
    note(paths);
  }

  async function branch(name: string): Promise<void> {
    await createBranch({ ...connection, branch: name });
    acknowledged.branches.add(`refs/heads/${name}`);
  }

  /** Repeats a step until the hub is gone, or often enough. */
  async function repeat(step: (at: number) => Promise<void>, times = Infinity): Promise<void> {
    for (let at = 0; at < times && !isOver(); at++)
      try {
        await mayGoOn?.();
        await step(at);
      } catch (error) {
        if (onRefusal === undefined) {
          if (error instanceof TypeError) return;
          throw error;
        }
        if (error instanceof HubApiError || error instanceof Refused)
          onRefusal({ status: error.status, error: error.message });
        // A refusal may end the connection while the body is still on its way; a bucket that is down begins no upload.
        else if (!(error instanceof TypeError || error instanceof BlobError)) throw error;
        await pause(20);
      }
  }

  const sendXet = (worker: string) => repeat((at) => commitLarge(`xet/${prefix}-${worker}-${at}`, sendByXet));
  if (onlyXet) return void (await Promise.all(['a', 'b', 'c'].map(sendXet)));
  await Promise.all([
    repeat((at) => commitFiles(`small/${prefix}-${at}`, 3)),
    repeat((at) => commitFiles(`packs/${prefix}-${at}`, FILES_OF_A_PACK)),
    repeat((at) => commitLarge(`basic/${prefix}-${at}`, sendWhole)),
    repeat((at) => commitLarge(`parts/${prefix}-${at}`, sendInParts)),
    sendXet('a'),
    repeat((at) => proposeAndMerge(`proposed/${prefix}-${at}`)),
    repeat((at) => branch(`${prefix}-${at}`), BRANCHES),
  ]);
}

async function xetToken(hubUrl: string, repo: string): Promise<XetToken> {
  const url = `${hubUrl}/api/models/${repo}/xet-write-token/main`;
  return JSON.parse((await ask(url, { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } })).text) as XetToken;
}

/** Makes a file for a repository of chunks that were sent before; returns whether the hub still has them. */
export async function isMadeOfOldChunks(hubUrl: string, repo: string, bytes: Buffer): Promise<boolean> {
  const file = fileOf(wholeXorb(xorbOf(chunksOf(bytes))));
  return (await sendShard(await xetToken(hubUrl, repo), shardOf([file]), 1)).ok;
}

const ask = async (url: string, init: RequestInit) => checked(await fetch(url, init));

async function checked(answer: Response): Promise<{ readonly headers: Headers; readonly text: string }> {
  const text = await answer.text();
  if (!answer.ok) throw new Refused(answer.status, text);
  return { headers: answer.headers, text };
}

/** Returns the user and the repository that the address of an upload is for. */
function purposeOf(href: string): { readonly repoId: string; readonly userId: string } {
  const [text = ''] = href.replace(/.*\//, '').split('.');
  return JSON.parse(Buffer.from(text, 'base64url').toString()).purpose;
}

/** Returns the id that git gives a file with the content. */
export const gitIdOf = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

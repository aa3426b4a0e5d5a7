import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { listCommits, listTree } from '@moonbase/client/content';
import { listDiscussions } from '@moonbase/client/discussions';
import { listLargeFiles } from '@moonbase/client/large-files';
import { listRefs } from '@moonbase/client/repositories';
import { expect } from 'vitest';
import { nameOf } from '../../packages/server/test/blobs/bytes.ts';
import { type AcknowledgedContent, contentAt, gitIdOf, MODEL } from './content-load.ts';
import { ACCESS_TOKEN } from './load.ts';

const PAGE = 1000;

/** Reads everything that a hub has in the repository of these tests. */
export async function readAll(hubUrl: string) {
  const connection = { hubUrl, accessToken: ACCESS_TOKEN, ...MODEL };
  const files = new Map<string, { readonly oid: string; readonly sha256: string | undefined }>();
  for await (const { type, path, oid, lfs } of listTree({ ...connection, revision: 'main', recursive: true }))
    if (type === 'file' && path !== '.gitattributes') files.set(path, { oid, sha256: lfs?.oid });
  const history: string[] = [];
  for (let page = 0; history.length === page * PAGE; page++)
    history.push(...(await listCommits({ ...connection, revision: 'main', page, limit: PAGE })).map(({ id }) => id));
  const pullRequests: { readonly num: number; readonly title: string; readonly status: string }[] = [];
  for (let page = 0, count = 1; pullRequests.length < count; page++) {
    const answer = await listDiscussions({ ...connection, page });
    pullRequests.push(...answer.discussions);
    count = answer.count;
  }
  const large = new Set<string>();
  for await (const { fileOid } of listLargeFiles(connection)) large.add(fileOid);
  const refs = await listRefs({ ...connection, includePullRequests: true });
  return { files, history, pullRequests, large, refs: [...refs.branches, ...(refs.pullRequests ?? [])] };
}

export type Stored = Awaited<ReturnType<typeof readAll>>;

/** Returns the acknowledged changes that are not stored. */
export function lostOf(
  { files, history, pullRequests, large, refs }: Stored,
  acknowledged: AcknowledgedContent,
): string[] {
  const named = new Map(refs.map(({ ref, targetCommit }) => [ref, targetCommit]));
  const commits = new Set([...history, ...named.values()]);
  const statuses = new Map(pullRequests.map(({ num, status }) => [num, status]));
  return [
    ...[...acknowledged.commits].filter((id) => !commits.has(id)),
    ...[...acknowledged.paths].filter((path) => !files.has(path)),
    ...[...acknowledged.uploads].filter((sha256) => !large.has(sha256)),
    ...[...acknowledged.branches].filter((ref) => !named.has(ref)),
    ...[...acknowledged.proposed].filter((num) => !statuses.has(num)).map((num) => `pull request ${num}`),
    ...[...acknowledged.merged].filter((num) => statuses.get(num) !== 'merged').map((num) => `merge of ${num}`),
  ];
}

/** Returns the changes, acknowledged or not, that are stored only in part or with other content than was sent. */
export function halfThere({ files, pullRequests, large, refs }: Stored): string[] {
  const faults: string[] = [];
  const counts = new Map<string, number>();
  for (const [path, { oid, sha256 }] of files) {
    const [, folder, total] = /^(.*)\/\d+-of-(\d+)$/.exec(path) ?? [];
    if (folder !== undefined) counts.set(`${folder} ${total}`, (counts.get(`${folder} ${total}`) ?? 0) + 1);
    const content = contentAt(path);
    const isSame = sha256 === undefined ? oid === gitIdOf(content) : sha256 === nameOf(content).sha256;
    if (!isSame || (sha256 !== undefined && !large.has(sha256))) faults.push(path);
  }
  for (const [key, count] of counts) if (!key.endsWith(` ${count}`)) faults.push(key);
  const names = new Set(refs.map(({ ref }) => ref));
  for (const { num, title, status } of pullRequests) {
    if (!names.has(`refs/pr/${num}`)) faults.push(`the ref of pull request ${num}`);
    if (files.has(`${title}/1-of-2`) !== (status === 'merged')) faults.push(`the merge of pull request ${num}`);
  }
  return faults;
}

/** Reads a file; once more if the connection that was kept open ended just when it was used again. */
async function read(url: string, tries = 2): Promise<{ readonly status: number; readonly body: Buffer }> {
  try {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
  } catch (error) {
    if (tries === 1) throw error;
    return read(url, tries - 1);
  }
}

/** Downloads files and compares every byte; returns the paths that differ, and the number of bytes. */
export async function download(hubUrl: string, paths: readonly string[]) {
  const differing: string[] = [];
  let bytes = 0;
  const queue = [...paths];
  async function work(): Promise<void> {
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const { status, body } = await read(`${hubUrl}/${MODEL.repo}/resolve/main/${path}`);
      bytes += body.length;
      if (status !== 200 || !body.equals(contentAt(path))) differing.push(`${status} ${path}`);
    }
  }
  await Promise.all(Array.from({ length: 4 }, work));
  return { differing, bytes };
}

/** Runs stock git on a bare repository; returns its output. */
function git(folder: string, ...args: readonly string[]): string {
  const environment = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: tmpdir() };
  return execFileSync('git', ['--git-dir', folder, ...args], { env: environment, stdio: 'pipe', maxBuffer: 2 ** 28 })
    .toString()
    .trim();
}

/** Expects stock git to find the same refs, which follow the rows in the background. */
export async function expectRefsForGit(folder: string, { refs }: Stored): Promise<void> {
  const wanted = refs.map(({ ref, targetCommit }) => `${targetCommit} ${ref}`).toSorted();
  await expect
    .poll(() => git(folder, 'for-each-ref', '--format=%(objectname) %(refname)').split('\n').toSorted())
    .toEqual(wanted);
}

/** Expects stock git to find every object sound; throws if it does not. Nobody may pack meanwhile. */
export function expectSoundForGit(folder: string): void {
  expect(git(folder, 'fsck', '--full', '--strict', '--no-dangling')).not.toMatch(/missing|broken|error/);
}

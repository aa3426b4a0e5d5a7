import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRepo } from '@moonbase/client/repositories';
import { nextLine, startChild } from '../child.ts';
import { ACCESS_TOKEN, type BenchHub } from '../hub.ts';
import { load, requestBytes } from '../load.ts';
import type { Scale } from '../scale.ts';
import { type Figure, ratio } from '../stats.ts';

const REPOS = 16;
const HEADERS = { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/x-ndjson' };

export interface NewFile {
  readonly path: string;
  readonly content: string;
}

/** Returns the bytes of a commit of new files to the main branch of a model. */
export function commitBytes(hub: Pick<BenchHub, 'url'>, repo: string, files: readonly NewFile[]): string {
  const lines = [
    { key: 'header', value: { summary: 'Add files' } },
    ...files.map(({ path, content }) => ({ key: 'file', value: { path, content, encoding: 'utf-8' } })),
  ];
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  return requestBytes(hub.url, 'POST', `/api/models/${repo}/commit/main`, HEADERS, body);
}

/** Commits files one after the other, each commit with one new file. */
export function commitOneByOne(hub: Pick<BenchHub, 'url'>, repo: string, count: number, prefix: string) {
  let at = 0;
  const next = () => commitBytes(hub, repo, [{ path: `${prefix}-${at++}.txt`, content: `The file ${prefix}-${at}\n` }]);
  return load({ url: hub.url, connections: 1, requests: count, next });
}

/** Measures commits of one small file against a bare loop that writes the same objects and rows. */
export async function commitRates(hub: BenchHub, scale: Scale, prefix: string): Promise<Figure[]> {
  const { contentCommits, rounds } = scale;
  const repos = Array.from({ length: REPOS }, (_, at) => `admin/${prefix}-${at}`);
  for (const repo of repos) await createRepo({ ...hub.connection, type: 'model', repo });
  const rate = async (count: number, name: string, of: readonly string[]) => {
    const startedAt = performance.now();
    await Promise.all(of.map((repo) => commitOneByOne(hub, repo, count / of.length, name)));
    return count / ((performance.now() - startedAt) / 1000);
  };
  await rate(REPOS * 4, 'warm', repos);
  const alone: [number, number][] = [];
  const together: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const one = repos.slice(0, 1);
    alone.push([await rate(contentCommits, `a${round}`, one), await bareCommits(hub, contentCommits, 1)]);
    const many = contentCommits * 4;
    together.push([await rate(many, `t${round}`, repos), await bareCommits(hub, many, REPOS)]);
  }
  const name = 'commits of a small file, to a bare loop of the same objects and rows';
  return [
    {
      name: `${name}: one after the other`,
      value: ratio(alone),
      unit: 'ratio',
      bound: { atLeast: 0.4 },
      rounds: alone,
    },
    {
      ...{ name: `${name}: ${REPOS} repositories at once`, value: ratio(together), unit: 'ratio' },
      ...{ bound: { atLeast: 0.5 }, rounds: together },
    },
  ];
}

async function bareCommits(hub: BenchHub, count: number, repos: number): Promise<number> {
  const place = 'url' in hub.database ? [hub.database.url] : [];
  await using child = startChild('content/bare-commits.ts', [String(count), String(repos), ...place]);
  return Number(await nextLine(child));
}

/** Measures one commit of many new files against `git fast-import` of the same. */
export async function firstCommit(hub: BenchHub, { contentFiles, rounds }: Scale): Promise<Figure> {
  const repo = 'admin/many-files';
  await createRepo({ ...hub.connection, type: 'model', repo });
  const pairs: [number, number][] = [];
  // The first rounds create the bare repository and warm the code up.
  for (let round = -3; round < rounds; round++) {
    const files = Array.from({ length: contentFiles }, (_, at) => ({
      path: `folder-${round}-${at % 20}/file-${at}.txt`,
      content: `The file ${at} of round ${round}\n${'A line of text.\n'.repeat(20)}`,
    }));
    const bytes = commitBytes(hub, repo, files);
    const ours = await load({ url: hub.url, connections: 1, requests: 1, next: () => bytes });
    if (round >= 0) pairs.push([ours, await fastImports(files)]);
  }
  return {
    name: `a commit of ${contentFiles.toLocaleString('en')} new files, to git fast-import of the same`,
    ...{ value: ratio(pairs), unit: 'ratio', bound: { atLeast: 0.5 }, rounds: pairs },
  };
}

/** Returns how many of these commits git would import in a second, with its files synced. */
async function fastImports(files: readonly NewFile[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-git-'));
  const git = (...args: string[]) => promisify(execFile)('git', ['-c', 'core.fsync=all', '-C', folder, ...args]);
  try {
    await git('init', '--bare', '--quiet', '.');
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const commit = `commit refs/heads/main\ncommitter Admin <admin@example.com> 0 +0000\n${data('Add files')}`;
    const stream = commit + files.map(({ path, content }) => `M 644 inline ${path}\n${data(content)}`).join('');
    const startedAt = performance.now();
    const importing = git('fast-import', '--quiet');
    importing.child.stdin?.end(stream);
    await importing;
    return 1000 / (performance.now() - startedAt);
  } finally {
    await rm(folder, { recursive: true });
  }
}

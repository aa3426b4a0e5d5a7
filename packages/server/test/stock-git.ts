import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitStore } from '../src/platform/git/git-store.ts';
import { encodeCommit } from '../src/platform/git/objects/commit.ts';
import type { GitRepository } from '../src/platform/git/repository.ts';
import { changeTree, type TreeChange } from '../src/platform/git/tree-changes.ts';

export const hasStockGit = (() => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export interface FileContent {
  readonly content: string;
  readonly mode?: string;
}

/** The files of a tree, by path. */
export type Files = ReadonlyMap<string, FileContent>;

/** Opens a folder of repositories that both the hub's code and stock git read. */
export function openScratch() {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-stock-git-'));
  const store = createGitStore(folder, { durable: false });
  let made = 0;
  return {
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
    folder,

    async newRepository() {
      const id = (made++).toString(16).padStart(24, '0');
      await store.create(id);
      const path = store.folderOf(id);
      const git = (args: readonly string[], { input, cwd }: { input?: string; cwd?: string } = {}) => {
        const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
        const { status, stdout, stderr } = spawnSync('git', ['--git-dir', path, ...args], { env, input, cwd });
        return { status, stdout: stdout.toString(), stderr: stderr.toString() };
      };
      return { repository: store.open(id), git };
    },
  };
}

export interface NewCommit {
  readonly parents: readonly string[];
  readonly files: Files;
  readonly time: number;
}

/** Writes a commit with exactly the given files; returns its id. */
export async function commitFiles(repository: GitRepository, { parents, files, time }: NewCommit): Promise<string> {
  const writer = repository.writer();
  const changes: TreeChange[] = [];
  for (const [path, { content, mode }] of files) {
    const id = await writer.add({ type: 'blob', body: Buffer.from(content) });
    changes.push({ kind: 'put', path, id, ...(mode !== undefined && { mode }) });
  }
  const tree = await changeTree(repository, (body) => writer.add({ type: 'tree', body }), undefined, changes);
  const person = { name: 'Ada', email: 'ada@example.com', time };
  const body = encodeCommit({ tree, parents: [...parents], author: person, committer: person, message: 'change' });
  const id = await writer.add({ type: 'commit', body });
  await writer.finish();
  return id;
}

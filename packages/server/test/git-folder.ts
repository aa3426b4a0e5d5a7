import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitStore, type GitStore } from '../src/platform/git/git-store.ts';

/** Returns a store of repositories with a known folder; a hub in memory deletes the folder at its end. */
export const knownGitStore = (): GitStore =>
  createGitStore(mkdtempSync(join(tmpdir(), 'moonbase-git-')), { durable: false });

/** Runs stock git on a repository; returns its output. */
export function stockGit(store: GitStore, repoId: string, ...args: readonly string[]): string {
  const environment = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: tmpdir() };
  const options = { env: environment, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 28 } as const;
  return execFileSync('git', ['--git-dir', store.folderOf(repoId), ...args], { ...options, stdio: [...options.stdio] })
    .toString()
    .trimEnd();
}

export const hasGit = (() => {
  try {
    execFileSync('git', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gitClient } from '../../packages/server/test/git-client.ts';

export type LfsClient = Awaited<ReturnType<typeof lfsClient>>;

/** Creates a folder in which stock git and git-lfs work as clients of hubs. Throws if git-lfs is not installed. */
export async function lfsClient(environment: Readonly<Record<string, string>> = {}) {
  const client = await gitClient(environment);
  const { code } = await client.attempt('.', 'lfs', 'install', '--skip-repo');
  if (code !== 0) {
    await client[Symbol.asyncDispose]();
    throw new Error('These tests need git-lfs (Debian: apt-get install git-lfs)');
  }
  const pathOf = (...path: string[]) => join(client.folder, ...path);
  return {
    ...client,
    pathOf,
    /** Runs git; returns its exit code and everything that it prints at the terminal. */
    async shown(where: string, ...args: string[]): Promise<readonly [code: number, text: string]> {
      const run = await client.attempt(where, ...args);
      return [run.code, run.output + run.terminal];
    },
    /** Commits files, whose content is random unless it is given. */
    async commit(where: string, files: Readonly<Record<string, Uint8Array | string | number>>): Promise<void> {
      for (const [path, content] of Object.entries(files)) {
        const file = pathOf(where, path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, typeof content === 'number' ? randomBytes(content) : content);
      }
      await client.run(where, 'add', '--all');
      await client.run(where, 'commit', '--quiet', '--message', `Add ${Object.keys(files).slice(0, 3).join(', ')}`);
    },
    read: (...path: string[]) => readFile(pathOf(...path)),
    /** Returns the SHA-256 of a file. */
    hash: async (...path: string[]) =>
      createHash('sha256')
        .update(await readFile(pathOf(...path)))
        .digest('hex'),
  };
}

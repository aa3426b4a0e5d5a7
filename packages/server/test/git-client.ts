import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface GitRun {
  readonly code: number;
  readonly output: string;
  /** What git prints at the terminal. */
  readonly terminal: string;
}

/** Creates a folder in which stock git works as a client of hubs, without the configuration of the machine. */
export async function gitClient() {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-client-'));
  const environment = {
    ...{ PATH: process.env.PATH, HOME: folder, LC_ALL: 'C' },
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
    ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
    ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
  };

  /** Runs git in a subfolder to its end. The hub is in this process, hence without blocking. */
  const attempt = (where: string, ...args: string[]): Promise<GitRun> =>
    new Promise((resolve) => {
      const options = { cwd: join(folder, where), env: environment, maxBuffer: 2 ** 28 };
      execFile('git', ['-c', 'init.defaultBranch=main', ...args], options, (error, output, terminal) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output, terminal });
      });
    });

  return {
    folder,
    attempt,
    /** Runs git and returns its output. Throws if it fails. */
    async run(where: string, ...args: string[]): Promise<string> {
      const { code, output, terminal } = await attempt(where, ...args);
      if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${terminal}`);
      return output.trim();
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Returns the URL of a repository with credentials, as it stands in the configuration of a clone. */
export function remoteOf({ hubUrl, accessToken = '' }: { hubUrl: string; accessToken?: string }, path: string): string {
  const url = new URL(`${hubUrl}/${path}`);
  url.username = 'anybody';
  url.password = accessToken;
  return url.href;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface GitRun {
  readonly code: number;
  readonly output: string;
  /** What git prints at the terminal. */
  readonly terminal: string;
}

/** Git that is running, with its children in a process group of its own. */
export interface RunningGit {
  readonly ended: Promise<GitRun>;
  /** Kills git and its children. */
  kill(): void;
}

export type GitClient = Awaited<ReturnType<typeof gitClient>>;

/** Linux weighs sessions against each other first; only root may change two of them within 100 ms. */
function lowerSession(pid: number, niceness: number): void {
  setPriority(pid, niceness);
  const file = `/proc/${pid}/autogroup`;
  if (existsSync(file)) writeFileSync(file, String(niceness));
}

/**
 * Creates a folder in which stock git works as a client of hubs, without the configuration of the machine. A client with a
 * niceness takes no processor from a hub on the same machine.
 */
export async function gitClient(more: Readonly<Record<string, string>> = {}, niceness = 0) {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-client-'));
  const environment = {
    ...{ PATH: process.env.PATH, HOME: folder, LC_ALL: 'C' },
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
    ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
    ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
    ...more,
  };

  /** Starts git in a subfolder, with further variables in its environment. */
  function start(where: string, args: readonly string[], own: Readonly<Record<string, string>> = {}): RunningGit {
    const options = { cwd: join(folder, where), env: { ...environment, ...own }, detached: true };
    const child = spawn('git', ['-c', 'init.defaultBranch=main', ...args], options);
    if (niceness > 0 && child.pid !== undefined) lowerSession(child.pid, niceness);
    child.stdin.end();
    return { ended: runOf(child), kill: () => void (child.pid !== undefined && killGroup(child.pid)) };
  }

  /** Runs git in a subfolder to its end. The hub is in this process, hence without blocking. */
  const attempt = (where: string, ...args: string[]): Promise<GitRun> => start(where, args).ended;

  return {
    folder,
    start,
    attempt,
    /** Runs git and returns its output. Throws if it fails. */
    async run(where: string, ...args: string[]): Promise<string> {
      const { code, output, terminal } = await attempt(where, ...args);
      if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${terminal}`);
      return output.trim();
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function runOf(child: ChildProcess): Promise<GitRun> {
  const [output, terminal]: Buffer[][] = [[], []];
  child.stdout?.on('data', (chunk: Buffer) => output?.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => terminal?.push(chunk));
  const textOf = (chunks: Buffer[] = []) => Buffer.concat(chunks).toString();
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: -1, output: '', terminal: error.message }));
    child.once('close', (code) => resolve({ code: code ?? -1, output: textOf(output), terminal: textOf(terminal) }));
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

/** Returns the URL of a repository with credentials, as it stands in the configuration of a clone. */
export function remoteOf({ hubUrl, accessToken = '' }: { hubUrl: string; accessToken?: string }, path: string): string {
  const url = new URL(`${hubUrl}/${path}`);
  url.username = 'anybody';
  url.password = accessToken;
  return url.href;
}

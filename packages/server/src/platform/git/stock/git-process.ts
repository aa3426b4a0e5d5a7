import { Transform, type Writable } from 'node:stream';
import { GIT_PATH, GitUnavailable, requireGit } from './git-version.ts';
import { createLaunch } from './launcher.ts';

/** Below the hub, so that requests go on while git computes. */
const NICENESS = 10;
/** The virtual memory of one process in KiB, mapped packs included. */
const MAX_MEMORY_KIB = 2 * 1024 * 1024;
const MAX_STDERR = 16 * 1024;

/** Bounds the memory of every command; the last setting reads repositories that belong to another user. */
const SETTINGS = [
  ...['core.packedGitWindowSize=32m', 'core.packedGitLimit=512m', 'core.deltaBaseCacheLimit=32m'],
  ...['core.bigFileThreshold=32m', 'pack.threads=1', 'pack.windowMemory=64m', 'pack.deltaCacheSize=64m'],
  'safe.directory=*',
].flatMap((setting) => ['-c', setting]);

/** Some systems have no such limit. */
const LIMIT = `ulimit -v ${MAX_MEMORY_KIB} 2>/dev/null`;
const SCRIPT = `${LIMIT}; exec "$@"`;

/** Ends git when its standard input closes, as it does when the hub is killed; git itself reads nothing. */
const SCRIPT_THAT_ENDS_WITH_HUB = `${LIMIT}
exec 3<&0 </dev/null
nice -n ${NICENESS} "$@" 3<&- &
git=$!
{ read -r line <&3; kill -KILL 0; } >/dev/null 2>&1 &
watch=$!
wait "$git"
code=$?
kill -KILL "$watch"
wait "$watch" 2>/dev/null
exit "$code"`;

const launch = createLaunch();

/** Nothing of the machine's configuration applies. */
const environmentOf = (own: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...{ PATH: GIT_PATH, LC_ALL: 'C', HOME: '/nonexistent' },
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' },
  ...own,
});

export interface GitCommand {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with each piece of what git reports. */
  readonly onReport?: (text: string) => void;
  /** Whether git ends even with a hub that is killed. Such a command must read no input, and its input must stay open. */
  readonly endsWithHub?: boolean;
}

export interface GitProcess extends AsyncDisposable {
  readonly input: Writable;
  readonly output: Transform;
  /** Resolves once the process has ended, with its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Returns the end of what git has reported. */
  report(): string;
  /** Returns when the process last took input or its output was last read, by `performance.now()`. */
  readonly activeAt: () => number;
  /** Ends the process with its children. */
  readonly end: () => void;
}

/**
 * Starts stock git with bounded memory, at low priority, in a process group of its own. Throws `GitUnavailable` if there
 * is none. Disposing of the process ends it.
 */
export async function startGit({
  args,
  environment = {},
  onReport,
  endsWithHub = false,
}: GitCommand): Promise<GitProcess> {
  await requireGit();
  const script = endsWithHub ? SCRIPT_THAT_ENDS_WITH_HUB : SCRIPT;
  const { input, errors, ended, kill, ...launched } = await launch({
    file: '/bin/sh',
    args: ['-c', script, 'git', 'git', ...SETTINGS, ...args],
    environment: environmentOf(environment),
    niceness: NICENESS,
  }).catch((error: unknown) => {
    throw new GitUnavailable('git could not be started', { cause: error });
  });

  let activeAt = performance.now();
  const output = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      activeAt = performance.now();
      done(null, chunk);
    },
  });
  launched.output.pipe(output, { end: false });
  // The process ends once all its output is read, also what nobody wants any more.
  output.once('close', () => launched.output.resume());
  // Whoever reads must not take the output of a killed process for complete.
  output.on('error', () => {});
  void ended.then((code) => (code === null ? output.destroy(new Error('git was ended')) : output.end()));
  input.on('drain', () => {
    activeAt = performance.now();
  });
  let report = '';
  errors.setEncoding('utf8').on('data', (text: string) => {
    report = (report + text).slice(-MAX_STDERR);
    onReport?.(text);
  });

  return {
    ...{ input, output, ended, end: kill },
    report: () => report,
    activeAt: () => activeAt,
    async [Symbol.asyncDispose]() {
      kill();
      await ended;
    },
  };
}

interface GitRun extends GitCommand {
  readonly input?: Uint8Array | undefined;
  /** Ends git at once. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs git to its end with the given input; returns its output. Throws if it fails, or the reason of the signal. */
export async function runGit({ signal, input, ...command }: GitRun): Promise<Buffer> {
  await using git = await startGit(command);
  signal?.addEventListener('abort', git.end);
  // A signal that came while git was started.
  if (signal?.aborted) git.end();
  git.input.end(input);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of git.output) chunks.push(chunk);
    const code = await git.ended;
    if (code !== 0) throw new Error(`git ${command.args[0] ?? ''} ended with ${code}: ${git.report()}`);
    return Buffer.concat(chunks);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', git.end);
  }
}

const LINE_FEED = 10;

/** Yields the lines of a process's output, without the line feeds. */
export const linesIn = (git: Pick<GitProcess, 'output'>): AsyncGenerator<string, void> => textsIn(git, LINE_FEED);

/** Yields the texts that a process ends with a certain byte each, without that byte. */
export async function* textsIn({ output }: Pick<GitProcess, 'output'>, end: number): AsyncGenerator<string, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of output) {
    const bytes: Buffer = Buffer.concat([rest, chunk]);
    let begin = 0;
    for (let at = bytes.indexOf(end); at >= 0; at = bytes.indexOf(end, begin)) {
      yield bytes.toString('utf8', begin, at);
      begin = at + 1;
    }
    rest = bytes.subarray(begin);
  }
  if (rest.length > 0) yield rest.toString();
}

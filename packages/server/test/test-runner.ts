import { type AttemptState, type Launch, LaunchFailure, type Runner } from '../src/jobs/runners/runner.ts';

/** A runner whose attempts a test controls. */
export interface TestRunner extends Runner {
  /** The launched attempts in order. */
  readonly launched: Launch[];
  /** The keys of attempts that were stopped while they ran. */
  readonly killed: string[];
  /** Prints as the newest attempt. */
  print(text: string, key?: string): void;
  /** Ends the newest attempt. */
  exit(code: number | null, key?: string): void;
  /** Makes further launches fail for this reason, until undefined is given. */
  fail(reason: string | undefined): void;
  running(): string[];
}

export function createTestRunner(refusal: Runner['refusal'] = () => undefined): TestRunner {
  const launched: Launch[] = [];
  const killed: string[] = [];
  const attempts = new Map<string, { output: Buffer; state: AttemptState }>();
  let reason: string | undefined;
  const newest = () => launched.at(-1)?.key ?? '';
  const attemptOf = (key: string) => {
    const attempt = attempts.get(key);
    if (!attempt) throw new Error(`There is no attempt ${key}`);
    return attempt;
  };
  return {
    name: 'test',
    note: 'Runs in a test',
    launched,
    killed,
    print(text, key = newest()) {
      const attempt = attemptOf(key);
      attempt.output = Buffer.concat([attempt.output, Buffer.from(text)]);
    },
    exit(exitCode, key = newest()) {
      attemptOf(key).state = { state: 'ended', exitCode };
    },
    fail(text) {
      reason = text;
    },
    running: () => [...attempts].filter(([, { state }]) => state.state === 'running').map(([key]) => key),
    refusal,
    async start(launch) {
      if (reason !== undefined) throw new LaunchFailure(reason);
      if (attempts.has(launch.key)) return;
      launched.push(launch);
      attempts.set(launch.key, { output: Buffer.alloc(0), state: { state: 'running' } });
    },
    inspect: async (key) => attempts.get(key)?.state ?? { state: 'ended', exitCode: null },
    async read(key, position, most) {
      const output = attempts.get(key)?.output ?? Buffer.alloc(0);
      const bytes = output.subarray(Number(position), Number(position) + most);
      return { bytes, position: String(Number(position) + bytes.length) };
    },
    async measure(key) {
      if (attempts.get(key)?.state.state !== 'running') return undefined;
      return { cpuMs: 10, memoryBytes: 1000, memoryTotalBytes: 5000 };
    },
    async discard() {},
    async stop(key) {
      const attempt = attempts.get(key);
      if (attempt?.state.state !== 'running') return;
      killed.push(key);
      attempt.state = { state: 'ended', exitCode: 137 };
    },
    async forget(key) {
      attempts.delete(key);
    },
    async sweep(keys) {
      for (const key of attempts.keys()) if (!keys.has(key)) attempts.delete(key);
    },
  };
}

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyHub } from '@moonbase/client/admin';
import { startHubProcess } from '../hub-process.ts';
import { type PythonClient, type PythonEnvironment, programOf } from './python-clients.ts';

/** `admin` is the site administrator; `reader` is alice with a read token; carol belongs to no organization. */
export const TOKENS = {
  admin: 'hf_administratorOfTheWorld',
  alice: 'hf_aliceOnHerLaptop',
  reader: 'hf_aliceInTheReadingRoom',
  bob: 'hf_bobOnHisLaptop00',
  carol: 'hf_carolOnTheBus000',
} as const;
export type Who = keyof typeof TOKENS;

export interface ProgramResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A built hub with four users and an organization in a process of its own, with functions to run clients. */
export interface World extends AsyncDisposable {
  readonly hubUrl: string;
  as(who: Who): { readonly hubUrl: string; readonly accessToken: string };
  /** Returns the environment variables for a Python client. */
  environment(who?: Who): Record<string, string> & { readonly HF_HOME: string };
  /** Runs `python/STORY.py`, which makes the assertions; throws an error with its output if one fails. */
  python(
    story: string,
    given?: Readonly<Record<string, unknown>>,
    client?: PythonEnvironment,
    variables?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** Runs `python/STORY.py` with the newest client in a folder, which is also its home; returns what it prints. */
  printed(story: string, given: Readonly<Record<string, unknown>>, folder: string): Promise<string>;
  /** Runs the command line `hf` as a user. */
  hf(who: Who, args: readonly string[], client?: PythonClient): Promise<ProgramResult>;
  /** Runs `hfjs`, the command line of the JavaScript client, as a user. */
  hfjs(who: Who, args: readonly string[]): Promise<ProgramResult>;
  /** Runs `hf` with `--format json` and returns the parsed output; throws an error if it fails. */
  hfJson(who: Who, ...args: string[]): Promise<unknown>;
}

export async function startWorld(settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-compat-'));
  const hub = await startHubProcess({
    MOONBASE_DATA_DIR: join(folder, 'data'),
    MOONBASE_ADMIN_TOKEN: TOKENS.admin,
    MOONBASE_JOBS_RUNNER: 'process',
    ...settings,
  });
  await applyHub({ hubUrl: hub.url, accessToken: TOKENS.admin, document: DOCUMENT });
  const environment = (who?: Who) => ({
    PATH: process.env.PATH ?? '',
    HF_ENDPOINT: hub.url,
    HF_HOME: join(folder, 'hf-home'),
    HF_HUB_DISABLE_TELEMETRY: '1',
    HF_HUB_DISABLE_UPDATE_CHECK: '1',
    HF_HUB_DISABLE_EXPERIMENTAL_WARNING: '1',
    HF_HUB_DISABLE_PROGRESS_BARS: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    NO_COLOR: '1',
    ...(who && { HF_TOKEN: TOKENS[who] }),
  });
  async function runStory(
    story: string,
    given: Readonly<Record<string, unknown>>,
    client: PythonEnvironment,
    { variables = {}, folder }: { variables?: Readonly<Record<string, string>>; folder?: string },
  ): Promise<string> {
    const handed = JSON.stringify({ ...given, hubUrl: hub.url, tokens: TOKENS });
    const environmentOfStory = { ...environment(), ...variables };
    const ended = await run(programOf(client, 'python'), [storyFile(story), handed], environmentOfStory, folder);
    if (ended.status !== 0) throw new Error(`${story}.py\n${ended.stderr}`);
    return ended.stdout;
  }
  const world: World = {
    hubUrl: hub.url,
    as: (who) => ({ hubUrl: hub.url, accessToken: TOKENS[who] }),
    environment,
    async python(story, given = {}, client = 'newest', variables = {}) {
      await runStory(story, given, client, { variables });
    },
    printed: (story, given, folder) => runStory(story, given, 'newest', { variables: { HOME: folder }, folder }),
    hf: (who, args, client = 'newest') => run(programOf(client, 'hf'), args, environment(who)),
    hfjs: (who, args) => run(process.execPath, [hfjs, ...args], environment(who)),
    async hfJson(who, ...args) {
      const { status, stdout, stderr } = await world.hf(who, [...args, '--format', 'json']);
      if (status !== 0) throw new Error(`hf ${args.join(' ')}\n${stdout}${stderr}`);
      return JSON.parse(stdout) as unknown;
    },
    async [Symbol.asyncDispose]() {
      await hub.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}

const hfjs = fileURLToPath(new URL('../../node_modules/@huggingface/hub/dist/cli.js', import.meta.url));

export const storyFile = (story: string): string => fileURLToPath(new URL(`python/${story}.py`, import.meta.url));

function run(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { env, cwd, timeout: 300_000 }, (error, stdout, stderr) => {
      resolve({ status: child.exitCode ?? -1, stdout, stderr: stderr || (error?.message ?? '') });
    });
    child.stdin?.end();
  });
}

const laptop = (token: string) => [{ name: 'laptop', role: 'write' as const, token }];

const DOCUMENT = {
  users: [
    {
      name: 'alice',
      fullname: 'Alice',
      email: 'alice@example.com',
      tokens: [...laptop(TOKENS.alice), { name: 'reading room', role: 'read' as const, token: TOKENS.reader }],
    },
    { name: 'bob', tokens: laptop(TOKENS.bob) },
    { name: 'carol', tokens: laptop(TOKENS.carol) },
  ],
  organizations: [
    {
      name: 'acme',
      fullname: 'Acme Labs',
      plan: 'team' as const,
      members: [
        { user: 'alice', role: 'admin' as const },
        { user: 'bob', role: 'write' as const },
      ],
    },
  ],
};

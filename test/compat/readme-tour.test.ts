import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/* The section "Two minutes" of README.md, word by word: each command is run, and what it prints is compared. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** A command of the README, and what follows it there. */
interface Step {
  readonly command: string;
  readonly output: string;
}

/** Returns the blocks of the section: the commands, or lines without a command, which a program prints later. */
function blocksOfReadme(): { readonly first: string; readonly steps: readonly Step[] }[] {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const section = text.slice(text.indexOf('## Two minutes'), text.indexOf('## In the browser'));
  return [...section.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = '']) => {
    const [first = '', ...rest] = block.split(/^\$ /m);
    const steps = rest.map((each) => {
      const [command = '', ...output] = each.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });
    return { first: first.trimEnd(), steps };
  });
}

/** What differs from hub to hub: tokens, hashes, ids and codes of links; in the README some end in `…`. */
const OWN = /hf_\w+…?|\b[0-9a-f]{40}\b|\b[0-9a-f]{24}\b|\/join\/[\w-]+…?/g;

/** What this hub has where the README has an example. */
const meant = new Map<string, string>();
let port = 0;
let receiverPort = 0;

const withOwn = (text: string): string =>
  text
    .replace(OWN, (example) => meant.get(example) ?? example)
    .replaceAll('127.0.0.1:7780', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:4000', `127.0.0.1:${receiverPort}`)
    .replace('receiver.mjs 4000', `receiver.mjs ${receiverPort}`);

/** Compares what a program printed with the README, and learns what stands for each of its examples. */
function compare(printed: string, example: string): void {
  const own = printed.match(OWN) ?? [];
  for (const [at, each] of (example.match(OWN) ?? []).entries()) meant.set(each, meant.get(each) ?? own[at] ?? '');
  const plain = (text: string) =>
    text
      .trimEnd()
      .replace(OWN, '#')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/"durationMs":\d+/g, '"durationMs":0')
      .replace(/^http:\S+\/commit\/#/gm, 'COMMIT')
      .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS');
  expect(plain(printed)).toBe(plain(example));
}

let folder: string;
const children: ChildProcess[] = [];

/** A terminal: remembers what is exported. */
function terminal() {
  let exports = '';
  const environment = () => ({ ...process.env, MOONBASE_URL: `http://127.0.0.1:${port}`, NO_COLOR: '1', HOME: folder });
  const print = async (command: string): Promise<string> => {
    const options = { cwd: folder, env: environment() };
    return (await run('bash', ['-c', `${exports}${withOwn(command)}`], options)).stdout;
  };
  return {
    print,
    async type({ command, output }: Step): Promise<void> {
      if (command.startsWith('export ')) {
        exports += `${withOwn(command)}\n`;
        return;
      }
      compare(await print(command), output);
    },
    /** Starts a program that goes on; returns what it has printed so far. */
    begin(command: string): () => string {
      const child = spawn('bash', ['-c', `${exports}exec ${withOwn(command)}`], { cwd: folder, env: environment() });
      children.push(child);
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
        });
      return () => printed;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

/** Waits until a program has printed as many lines as the README shows. */
async function lines(printed: () => string, count: number): Promise<string> {
  while (printed().trimEnd().split('\n').length < count) await pause(50);
  return printed().trimEnd();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'moonbase-tour-'));
  for (const name of ['examples', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
  [port, receiverPort] = [await freePort(), await freePort()];
});
afterAll(async () => {
  for (const child of children) {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill()) await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

test('every command of the first two minutes works as the README says', async () => {
  const [start, second, third, deliveries, download, logs, ...more] = blocksOfReadme();
  expect(more).toEqual([]);
  expect(start?.steps.map(({ command }) => command)).toEqual(['npm start']);

  // `npm start` builds and then runs this; the tests around have built already.
  const hub = terminal();
  const settings = `env MOONBASE_PORT=${port} MOONBASE_DATA_DIR=${join(folder, 'data')} MOONBASE_LOG_LEVEL=silent`;
  const said = hub.begin(`${settings} node ${join(root, 'packages/server/dist/main.js')}`);
  const example = start?.steps[0]?.output.split('\n').filter((line) => !line.startsWith('20')) ?? [];
  compare(await lines(said, example.length), example.join('\n'));

  const [exported, apply, receive, ...others] = second?.steps ?? [];
  expect(others).toEqual([]);
  const admin = terminal();
  await admin.type(exported!);
  await admin.type(apply!);
  const received = admin.begin(receive?.command ?? '');
  const ready = receive?.output.split('\n') ?? [];
  compare(await lines(received, ready.length), ready.join('\n'));

  const alice = terminal();
  for (const step of third?.steps ?? []) await alice.type(step);
  const expected = deliveries?.first.split('\n') ?? [];
  const printed = (await lines(received, ready.length + expected.length)).split('\n').slice(ready.length);
  expect(printed.toSorted()).toEqual(expected.toSorted());

  for (const step of download?.steps ?? []) await alice.type(step);
  const [log, replay] = logs?.steps ?? [];
  // The receiver prints a delivery before the hub has its answer.
  while ((await alice.print(log?.command ?? '')).split('"status":"delivered"').length < 3) await pause(50);
  await alice.type(log!);
  await alice.type(replay!);
});

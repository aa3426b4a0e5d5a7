import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as hub from '@huggingface/hub';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Call, callsOf, LOCAL } from './javascript-functions.ts';
import { isAsExpected, pageOf, rowAbout, rowOf } from './outcomes.ts';
import { startWorld, type World } from './world.ts';

const PAGE = fileURLToPath(new URL('../../docs/javascript-functions.md', import.meta.url));

const INTRODUCTION = `# The functions of \`@huggingface/hub\`

What each function that \`@huggingface/hub\` 2.17.5 exports does with this hub, in Node.js, with the words of its error where it
fails. \`npm run test:compat\` calls them and writes this page (\`-u\`), with \`MOONBASE_JOBS_RUNNER=process\` and the default settings
otherwise. See [clients.md](clients.md).`;

let world: World;
let cacheDir: string;
beforeAll(async () => {
  world = await startWorld();
  cacheDir = await mkdtemp(join(tmpdir(), 'moonbase-compat-cache-'));
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await rm(cacheDir, { recursive: true, force: true });
});

const NOTHING = 'does nothing';

const isClass = (value: unknown) => typeof value === 'function' && /^class\b/.test(String(value));

/** Returns what is wrong with a call, such as the text of its error; undefined if it works. */
async function failureOf({ run }: Call): Promise<string | undefined> {
  try {
    const done = await run();
    return done === false || done === null || (Array.isArray(done) && done.length === 0) ? NOTHING : undefined;
  } catch (error) {
    return String(error);
  }
}

test('each function of @huggingface/hub works, or says why not', async () => {
  const calls = callsOf(world, cacheDir);
  const wrong: string[] = [];
  for (const call of calls) {
    const failure = await failureOf(call);
    if (!isAsExpected(call, failure)) wrong.push(`${call.name} ${call.of ?? ''}: ${failure ?? 'works'}`);
  }
  expect(wrong).toEqual([]);
  const functions = Object.entries(hub).flatMap(([name, value]) =>
    typeof value === 'function' && !isClass(value) ? [name] : [],
  );
  const rowsOf = (name: string) => {
    const local = LOCAL.find(([, names]) => names.some((each) => each === name));
    if (local) return [rowAbout(name, `${local[0]}; asks no hub`)];
    const tried = calls.filter((call) => call.name === name);
    return tried.map((call) => rowOf(call.of === undefined ? name : `${name} (${call.of})`, call));
  };
  expect(functions.filter((name) => rowsOf(name).length === 0)).toEqual([]);
  await expect(pageOf(INTRODUCTION, 'function', functions.flatMap(rowsOf))).toMatchFileSnapshot(PAGE);
});

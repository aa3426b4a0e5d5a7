import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspect } from './inspection.ts';
import { ABSENT } from './report.ts';

const TIP = 'a'.repeat(40);
const NONE = { tips: [TIP], known: [], added: [] };
let folder: string;
let gitDir: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-inspection-'));
  gitDir = join(folder, 'repository.git');
  execFileSync('git', ['init', '--quiet', '--bare', gitDir]);
  // Stands for git that the system kills, for example when memory runs out.
  await writeFile(join(folder, 'git'), '#!/bin/sh\nkill -KILL $$\n');
  await chmod(join(folder, 'git'), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

test('an inspection ends with a failure if git is killed in it, whichever of its processes that is', async () => {
  const killed = { PATH: `${folder}:/usr/bin:/bin` };
  const alive = {};
  await expect(inspect({ gitDir, withRepository: killed, alone: alive }, NONE)).rejects.toThrow('ended by a signal');
  await expect(inspect({ gitDir, withRepository: alive, alone: killed }, NONE)).rejects.toThrow('git was ended');
});

test('an object that neither the push nor the repository has is a fault of the push', async () => {
  const { fault } = await inspect({ gitDir, withRepository: {}, alone: {} }, NONE);
  expect(fault).toBe(ABSENT);
});

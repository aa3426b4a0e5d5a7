import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startFilledHub } from './filled-hub.ts';
import { programOf } from './python-clients.ts';

const inPython = (name: string) => fileURLToPath(new URL(`python/${name}`, import.meta.url));

/** Options for a longer run than in CI, such as `MOONBASE_SCHEMATHESIS='--max-examples 200 --seed 1'`. */
const further = process.env.MOONBASE_SCHEMATHESIS?.split(' ') ?? [];
const MAX_MS = further.length > 0 ? 3_600_000 : 1_200_000;

test('schemathesis finds no fault: each operation answers as the document says', { timeout: MAX_MS }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-openapi-'));
  try {
    await using hub = await startFilledHub(folder);
    const args = [
      '--config-file',
      inPython('openapi.toml'),
      'run',
      `${hub.url}/.well-known/openapi.json`,
      '--no-color',
    ];
    const { status, said } = await new Promise<{ status: number | null; said: string }>((resolve) => {
      const child = execFile(
        programOf('openapi', 'schemathesis'),
        [...args, '--phases', 'coverage,fuzzing,stateful', ...further],
        {
          cwd: folder,
          env: {
            PATH: process.env.PATH,
            PYTHONDONTWRITEBYTECODE: '1',
            HOOKS: inPython('openapi_hooks.py'),
            ...hub.names,
          },
          maxBuffer: 2 ** 28,
          timeout: MAX_MS - 10_000,
        },
        (error, stdout, stderr) =>
          resolve({ status: child.exitCode, said: stdout + (stderr || (error?.message ?? '')) }),
      );
    });
    console.log(said.slice(said.indexOf('SUMMARY')));
    expect(status, said + hub.errors()).toBe(0);
    expect(hub.errors()).not.toContain('request failed');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { inSources } from '../../packages/server/src/platform/logging/source-lines.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const dist = (file: string) => at(`packages/server/dist/${file}`);

beforeAll(() => void execFileSync(process.execPath, [at('scripts/build.mjs')]));

/** Returns the stack trace of the error with which the built hub refuses to start. */
const refusal = (): string =>
  execFileSync(process.execPath, [
    '--input-type=module',
    '--eval',
    `const { serve } = await import(${JSON.stringify(dist('serve.js'))});
     await serve({ MOONBASE_PORT: 'none' }).catch((error) => console.log(error.stack));`,
  ]).toString();

test('a stack trace of the program names lines of the sources in the log', () => {
  const stack = refusal();
  expect(stack).toMatch(/at wrongSettings \(file:.*\/dist\/.*\.js:/);
  const [, path = '', line] =
    /at wrongSettings \(file:\/\/(.*\/packages\/server\/src\/.*\.ts):(\d+):\d+\)/.exec(inSources(stack)) ?? [];
  expect(readFileSync(path, 'utf8').split('\n')[Number(line) - 1]).toContain('new Error(');
  expect(inSources('    at late (file:///no/such/file.js:1:1)')).toBe('    at late (file:///no/such/file.js:1:1)');
});

test('the licences of what is bundled stand beside the program of the hub, which leaves native code out', () => {
  const notice = readFileSync(dist('NOTICE'), 'utf8');
  for (const name of ['fastify', 'kysely', 'undici', 'zod'])
    expect(notice).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
  expect(notice).toContain('Permission is hereby granted, free of charge');
  expect(notice).not.toMatch(/^(libsql|sharp|pg) \d/m);
});

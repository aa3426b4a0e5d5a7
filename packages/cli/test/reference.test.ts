import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../src/program/commands.ts';
import { EXIT } from '../src/program/failure.ts';
import { referenceOf } from '../src/program/reference.ts';

const file = fileURLToPath(new URL('../../../docs/cli.md', import.meta.url));

// `npx vitest run -u packages/cli/test/reference.test.ts` rewrites the file.
test('docs/cli.md describes exactly the existing commands', async () => {
  const [introduction = ''] = readFileSync(file, 'utf8').split('## Commands\n');
  await expect(`${introduction}${referenceOf(commands).trimEnd()}\n`).toMatchFileSnapshot(file);
});

test('docs/cli.md names every exit status', () => {
  const rows = [...readFileSync(file, 'utf8').matchAll(/^\| (\d) \|/gm)].map(([, status]) => Number(status));
  expect(rows).toEqual(Object.values(EXIT));
});

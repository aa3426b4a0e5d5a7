import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const pathOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const FOLDERS: Readonly<Record<string, string>> = {
  a: 'packages/server/test',
  b: 'test/browser',
  c: 'packages/server/src',
};

/** The rows of the table in docs/identity.md: the number, and the files of tests that it names. */
const ROWS = [...readFileSync(pathOf('docs/identity.md'), 'utf8').matchAll(/^\| (\d+) \|.*\| (.*) \|$/gm)].map(
  ([, number = '', tests = '']) => ({
    number,
    files: [...tests.matchAll(/`([abc])\/([\w/-]+)`/g)].map(([, folder = '', name]) => `${FOLDERS[folder]}/${name}`),
  }),
);

/** Returns the numbers of the rows that the titles of a file name. */
function numbersIn(file: string): string[] {
  const texts = readFileSync(pathOf(`${file}.test.ts`), 'utf8').matchAll(/\brows? ((?:\d+(?:, | and )?)+)/g);
  return [...texts].flatMap(([, numbers = '']) => numbers.match(/\d+/g) ?? []);
}

test('each of the 37 rows of what is tried on identities has a test with its number in each file that the table names', () => {
  expect(ROWS.map(({ number }) => number)).toEqual(Array.from({ length: 37 }, (_, at) => String(at + 1)));
  const missing = ROWS.flatMap(({ number, files }) =>
    files.filter((file) => !numbersIn(file).includes(number)).map((file) => `${number}: ${file}`),
  );
  expect(missing).toEqual([]);
  expect(ROWS.filter(({ files }) => files.length === 0)).toEqual([]);
});

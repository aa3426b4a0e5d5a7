import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { locate } from './source-map.ts';

const SOURCE = `const first = 1;
export function fail(): never {
  const text: string = 'lost';

  throw new Error(text);
}
export const last = first + fail();
`;

/** Returns the place of a word in a text. */
function placeOf(word: string, text: string) {
  const before = text.slice(0, text.indexOf(word)).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

const built = (minify: boolean) => {
  const { code, map } = transformSync(SOURCE, { loader: 'ts', minifyWhitespace: minify, sourcemap: 'external' });
  return { code, mappings: (JSON.parse(map) as { mappings: string }).mappings };
};

test.each([false, true])('places in built code are found in its source, in any order, minified: %j', (minify) => {
  const { code, mappings } = built(minify);
  const words = ['Error(text)', 'first', '"lost"', 'fail()'];
  const found = locate(
    words.map((word) => placeOf(word, code)),
    mappings,
  );
  const lineOf = (word: string) => placeOf(word.replaceAll('"', "'"), SOURCE).line;
  for (const word of words) {
    const [, origin] = found.find(
      ([{ line, column }]) => JSON.stringify({ line, column }) === JSON.stringify(placeOf(word, code)),
    )!;
    expect(origin?.line).toBe(lineOf(word));
    expect(origin?.source).toBe(0);
  }
});

test('what stands before the first or after the last segment of a line is not found in another line', () => {
  // Line 2 has one segment, at its third column: source 0, line 1, column 1.
  const mappings = ';EAAA;;';
  const at = (line: number, column: number) => locate([{ line, column }], mappings)[0]![1];
  expect(at(2, 3)).toEqual({ source: 0, line: 1, column: 1 });
  expect(at(2, 900)).toEqual({ source: 0, line: 1, column: 1 });
  for (const [line, column] of [
    [1, 9],
    [2, 2],
    [3, 1],
    [9, 9],
  ] as const)
    expect(at(line, column)).toBeUndefined();
});

test('a segment without a source says so, and the next one goes on from the last source', () => {
  const mappings = 'AAAA,EAAE,E,EAAC';
  const origins = [1, 3, 5, 7].map((column) => locate([{ line: 1, column }], mappings)[0]![1]);
  expect(origins).toEqual([
    { source: 0, line: 1, column: 1 },
    { source: 0, line: 1, column: 3 },
    undefined,
    { source: 0, line: 1, column: 4 },
  ]);
});

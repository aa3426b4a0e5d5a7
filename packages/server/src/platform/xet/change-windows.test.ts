import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChangeWindows } from './change-windows.ts';

const KIB = 1024;

/** Takes chunks of these sizes; returns the windows, and the chunks that are outside. */
function windowsOf(changed: readonly [number, number][], sizes: readonly number[]) {
  const found = createChangeWindows(changed.map(([first, last]) => ({ first, last })));
  const outside = sizes.flatMap((size, at) => (found.take(size) ? [] : [at]));
  return { windows: found.windows.map(({ start, end }) => [start, end]), outside };
}
const steady = (count: number): number[] => Array.from({ length: count }, () => 50 * KIB);
const at = (chunk: number): number => chunk * 50 * KIB;

test.each<[string, [number, number][], number[], number[][], number[]]>([
  ['a byte: its chunk and two steady ones', [[at(2), at(2)]], steady(8), [[at(2), at(5)]], [0, 1, 5, 6, 7]],
  ['the first byte', [[0, 0]], steady(5), [[0, at(3)]], [3, 4]],
  ['the last byte: all until the end', [[at(5) - 1, at(5) - 1]], steady(5), [[at(4), at(5)]], [0, 1, 2, 3]],
  ['a range over a bound', [[at(1) - 1, at(1)]], steady(6), [[0, at(4)]], [4, 5]],
  [
    'ranges close to each other: one window',
    [
      [0, 0],
      [at(2), at(2)],
    ],
    steady(7),
    [[0, at(5)]],
    [5, 6],
  ],
  [
    'ranges far from each other',
    [
      [0, 0],
      [at(5), at(5)],
    ],
    steady(9),
    [
      [0, at(3)],
      [at(5), at(8)],
    ],
    [3, 4, 8],
  ],
  [
    'a range that begins where a window ends',
    [
      [0, 0],
      [at(3), at(3)],
    ],
    steady(7),
    [
      [0, at(3)],
      [at(3), at(6)],
    ],
    [6],
  ],
  ['a range beyond the end of the file', [[at(9), at(9)]], steady(3), [], [0, 1, 2]],
])('%s', (_what, changed, sizes, windows, outside) => {
  expect(windowsOf(changed, sizes)).toEqual({ windows, outside });
});

test('chunks near the minimum and the maximum size are not steady', () => {
  for (const size of [8 * KIB, 16 * KIB - 1, 120 * KIB, 128 * KIB])
    expect(windowsOf([[0, 0]], [50 * KIB, size, 50 * KIB, size, 50 * KIB, 50 * KIB, 50 * KIB]).outside).toEqual([6]);
  for (const size of [16 * KIB, 120 * KIB - 1])
    expect(windowsOf([[0, 0]], [50 * KIB, size, 50 * KIB, size, 50 * KIB]).outside).toEqual([3, 4]);
});

test('windows are in order, apart, at bounds of chunks, and hold every changed byte', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 128 * KIB }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(sizes, fc.array(fc.nat(4_000_000), { minLength: 2, maxLength: 12 }), (chunks, points) => {
      const bounds = [0];
      for (const size of chunks) bounds.push((bounds.at(-1) ?? 0) + size);
      const total = bounds.at(-1) ?? 0;
      const sorted = [...new Set(points)].sort((a, b) => a - b);
      const changed = sorted.flatMap((first, index): [number, number][] =>
        index % 2 === 0 && sorted[index + 1] !== undefined ? [[first, (sorted[index + 1] ?? 0) - 1]] : [],
      );
      const { windows, outside } = windowsOf(changed, chunks);
      for (const [index, [start = 0, end = 0]] of windows.entries()) {
        expect([bounds.includes(start), bounds.includes(end), start < end]).toEqual([true, true, true]);
        expect(start).toBeGreaterThanOrEqual(windows[index - 1]?.[1] ?? 0);
      }
      for (const chunk of outside) {
        const [start = 0, end = 0] = [bounds[chunk], bounds[chunk + 1]];
        expect(changed.some(([first, last]) => first < Math.min(end, total) && last >= start)).toBe(false);
      }
    }),
  );
});

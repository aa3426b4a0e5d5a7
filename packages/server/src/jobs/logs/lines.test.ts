import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenTexts, MAX_LINE_BYTES, takeLines } from './lines.ts';

/** Returns the log of output that is read in parts while it is written. */
function linesOf(parts: readonly Buffer[], hidden: readonly string[] = []): string[] {
  const lines: string[] = [];
  let rest = Buffer.alloc(0);
  for (const [at, part] of [...parts, Buffer.alloc(0)].entries()) {
    rest = Buffer.concat([rest, part]);
    const taken = takeLines(rest, hidden, at === parts.length);
    lines.push(...taken.lines);
    rest = rest.subarray(taken.length);
  }
  expect(rest).toHaveLength(0);
  return lines;
}
const ofText = (text: string, hidden: readonly string[] = []) => linesOf([Buffer.from(text)], hidden);

describe('lines', () => {
  test('end with a line break, or with the output', () => {
    expect(takeLines(Buffer.from('one\ntwo'), [], false)).toEqual({ lines: ['one'], length: 4 });
    expect(ofText('one\r\n\ntwo')).toEqual(['one', '', 'two']);
    expect(ofText('')).toEqual([]);
  });

  test('have NUL and invalid bytes replaced', () => {
    expect(linesOf([Buffer.from([0x61, 0, 0xff, 0x0a])])).toEqual(['a\ufffd\ufffd']);
  });

  test('are cut if they are too long, but not within a character', () => {
    const text = '€'.repeat(MAX_LINE_BYTES);
    const lines = ofText(text);
    expect(lines.join('')).toBe(text);
    expect(lines.every((line) => Buffer.byteLength(line) <= MAX_LINE_BYTES)).toBe(true);
  });
});

describe('secrets', () => {
  test('are hidden, the longest first and each line of several, unless they are very short', () => {
    const hidden = hiddenTexts({ A: 'pass', B: 'password', C: 'BEGIN\r\nx1y2z3\n', D: 'no', E: '' });
    expect(ofText('pass password x1y2z3 BEGIN no\n', hidden)).toEqual(['*** *** *** *** no']);
  });

  test('are hidden wherever a long line is cut', () => {
    const secret = 'geheim-€-token';
    const hidden = hiddenTexts({ secret });
    const size = Buffer.byteLength(secret);
    for (let at = MAX_LINE_BYTES - size - 2; at < MAX_LINE_BYTES + 2; at++)
      expect(ofText(`${'x'.repeat(at)}${secret}${'y'.repeat(50)}`, hidden).join('')).toBe(
        `${'x'.repeat(at)}***${'y'.repeat(50)}`,
      );
  });

  test('are hidden however the output is split', () => {
    const word = fc.constantFrom('a', '\n', '\r\n', 'secret', 'sec', 'ret', '€', 'x'.repeat(5000), 'long-secret');
    const hidden = hiddenTexts({ A: 'secret', B: 'long-secret' });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.array(fc.nat(60_000), { maxLength: 8 }), (words, cuts) => {
        const output = Buffer.from(words.join(''));
        const at = [0, ...cuts.map((cut) => Math.min(cut, output.length)).sort((a, b) => a - b), output.length];
        const parts = at.slice(1).map((end, index) => output.subarray(at[index], end));
        expect(linesOf(parts, hidden)).toEqual(linesOf([output], hidden));
        expect(linesOf(parts, hidden).join('\n')).not.toContain('secret');
      }),
    );
  });
});

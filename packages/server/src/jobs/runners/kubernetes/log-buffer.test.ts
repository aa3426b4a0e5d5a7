import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLogBuffer } from './log-buffer.ts';
import { BEGINNING, parsePosition, parseTime, sinceTime } from './log-cursor.ts';

interface Line {
  readonly time: bigint;
  readonly text: string;
}

const SECOND = 1_000_000_000n;
const START = 1_767_614_400n * SECOND;
const stamp = (time: bigint): string =>
  `${new Date(Number(time / 1_000_000n)).toISOString().slice(0, 19)}.${String(time % SECOND).padStart(9, '0')}Z`;

/** Returns the response of the API: the lines from a second on, each with its time. */
function answer(lines: readonly Line[], since: string | undefined): Buffer {
  const from = since === undefined ? 0n : BigInt(Date.parse(since)) * 1_000_000n;
  return Buffer.from(
    lines
      .filter(({ time }) => time >= from)
      .map(({ time, text }) => `${stamp(time)} ${text}\n`)
      .join(''),
  );
}

/** The steps between the times of lines: many are zero, and some go back, as with two interleaved outputs. */
const steps = fc.oneof(
  fc.constant(0n),
  fc.bigInt({ min: 0n, max: 2n * SECOND }),
  fc.bigInt({ min: -SECOND / 2n, max: 0n }),
);
const logs = fc.array(fc.tuple(steps, fc.string({ maxLength: 12 })), { minLength: 1, maxLength: 60 }).map((parts) => {
  let newest = START;
  return parts.map(([step, text]): Line => {
    const time = newest + step;
    if (time > newest) newest = time;
    return { time, text: text.replaceAll('\n', ' ') };
  });
});

test('every line is read once, wherever connections break and whatever is read in between', () => {
  fc.assert(
    fc.property(logs, fc.array(fc.tuple(fc.nat(), fc.nat(200), fc.boolean()), { maxLength: 12 }), (lines, breaks) => {
      let buffer = createLogBuffer(BEGINNING);
      let [position, text] = ['', ''];
      const read = (most: number) => {
        const output = buffer.read(position, most);
        expect(output).toBeDefined();
        position = output?.position ?? '';
        text += output?.bytes.toString() ?? '';
      };
      for (const [cut, most, restart] of [...breaks, [Number.MAX_SAFE_INTEGER, 1_000_000, false] as const]) {
        const bytes = answer(lines, sinceTime(buffer.received()));
        buffer.reconnected();
        const received = bytes.subarray(0, cut % (bytes.length + 1));
        const whole = cut === Number.MAX_SAFE_INTEGER ? bytes : received;
        // The response arrives in chunks.
        for (let from = 0; from < whole.length; from += 7) buffer.add(whole.subarray(from, from + 7));
        read(most);
        // Another hub continues from the stored position.
        if (restart) buffer = createLogBuffer(parsePosition(position).cursor);
      }
      expect(text).toBe(lines.map((line) => `${line.text}\n`).join(''));
    }),
    { numRuns: 500 },
  );
});

test('a line without a time is not output', () => {
  const buffer = createLogBuffer(BEGINNING);
  buffer.add(Buffer.from(`unable to retrieve container logs\n${stamp(START)} one\n${'x'.repeat(200)} two\n`));
  expect(buffer.read('', 100)?.bytes.toString()).toBe('one\n');
});

test('a log of empty lines takes one byte per line', () => {
  const buffer = createLogBuffer(BEGINNING);
  const lines = Array.from({ length: 50_000 }, (_, at) => ({ time: START + BigInt(at), text: '' }));
  buffer.add(answer(lines, undefined));
  expect(buffer.size()).toBe(50_000);
  const { position } = buffer.read('', 49_999)!;
  expect(buffer.read(position, 10)?.bytes.toString()).toBe('\n');
});

test.each([
  ['2026-01-05T12:00:00Z', 1_767_614_400n * SECOND],
  ['2026-01-05T14:00:00.5+02:00', 1_767_614_400n * SECOND + 500_000_000n],
  ['2026-01-05T12:00:00.000000001Z', 1_767_614_400n * SECOND + 1n],
  ['2026-01-05 12:00:00Z', undefined],
  ['yesterday', undefined],
])('the time %s is parsed as %s', (text, expected) => {
  expect(parseTime(text)).toBe(expected);
});

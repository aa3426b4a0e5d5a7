import { expect, test } from 'vitest';
import { outputOf } from './log-frames.ts';

const frame = (kind: number, text: string): Buffer => {
  const header = Buffer.alloc(8);
  header[0] = kind;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
};

async function* chunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function output(bytes: Buffer, size: number, complete = true): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of outputOf(chunks(bytes, size), complete)) parts.push(part);
  return Buffer.concat(parts).toString();
}

test.each([1, 2, 7, 8, 9, 13, 1000])('frames are read whole from chunks of %i bytes', async (size) => {
  const bytes = Buffer.concat([frame(1, 'out\n'), frame(2, ''), frame(2, 'err é\n'), frame(1, 'x'.repeat(300))]);
  expect(await output(bytes, size)).toBe(`out\nerr é\n${'x'.repeat(300)}`);
});

test.each([1, 9, 1000])('a line is not broken by another stream, with chunks of %i bytes', async (size) => {
  const bytes = Buffer.concat([frame(2, 'sh: no '), frame(1, 'out\nnext'), frame(2, 'such file'), frame(2, '\n')]);
  expect(await output(bytes, size)).toBe('out\nsh: no such file\nnext');
  expect(await output(bytes, size, false)).toBe('out\nsh: no such file\n');
});

test('unfinished lines of two streams stay two lines', async () => {
  expect(await output(Buffer.concat([frame(1, 'a'), frame(2, 'b')]), 100)).toBe('a\nb');
});

test.each([5, 1000, 100_000])(
  'a line without an end is split into pieces of 32 KiB, with chunks of %i bytes',
  async (size) => {
    const long = frame(1, 'x'.repeat(40_000));
    expect(await output(Buffer.concat([long, frame(2, 'err\n')]), size)).toBe(
      `${'x'.repeat(32_768)}err\n${'x'.repeat(7_232)}`,
    );
  },
);

test('a message of the engine itself is an error, not output', async () => {
  await expect(output(Buffer.concat([frame(1, 'a'), frame(3, 'Error grabbing logs')]), 5)).rejects.toThrow('log');
});

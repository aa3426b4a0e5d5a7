import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createLogReader } from './log-reader.ts';

const MEBIBYTE = 1024 * 1024;

/** Returns one frame of standard output. */
function frame(bytes: Buffer): Buffer {
  const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}

const reading = (source: Readable, from = 0, onEnd = () => {}) =>
  createLogReader({ from, onEnd, complete: true, open: async () => source });

test('reading begins at a position, and the same bytes can be read twice', async () => {
  const reader = reading(Readable.from([frame(Buffer.from('0123')), frame(Buffer.from('456789'))]), 3);
  expect((await reader.read(3, 4, true)).toString()).toBe('3456');
  expect((await reader.read(3, 2, true)).toString()).toBe('34');
  expect((await reader.read(5, 100, true)).toString()).toBe('56789');
  expect((await reader.read(10, 100, true)).toString()).toBe('');
});

test('a read returns the bytes that are there, or waits for all of them', async () => {
  const source = new Readable({ read() {} });
  const onEnd = vi.fn();
  const reader = reading(source, 0, onEnd);
  source.push(frame(Buffer.from('one\n')));
  await expect.poll(async () => (await reader.read(0, 10, false)).toString()).toBe('one\n');
  const whole = reader.read(0, 10, true);
  source.push(frame(Buffer.from('second\n')));
  expect((await whole).toString()).toBe('one\nsecond');
  source.push(null);
  expect((await reader.read(10, 10, true)).toString()).toBe('\n');
  expect([onEnd.mock.calls.length, reader.ended()]).toEqual([1, true]);
});

test('the reader takes no more from the engine than it can hold', async () => {
  let taken = 0;
  const piece = frame(Buffer.alloc(64 * 1024));
  async function* endless() {
    for (; ; taken += 1) yield piece;
  }
  const reader = reading(Readable.from(endless(), { objectMode: false }));
  await expect.poll(() => reader.read(0, MEBIBYTE, false)).toHaveLength(MEBIBYTE);
  const before = taken;
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(taken).toBe(before);
  expect(taken * 64 * 1024).toBeLessThan(2 * MEBIBYTE);
  reader.close();
  expect(reader.ended()).toBe(true);
});

test('a log that breaks off does not count as complete', async () => {
  async function* broken() {
    yield frame(Buffer.from('first\n'));
    throw new Error('reset');
  }
  const reader = reading(Readable.from(broken()));
  await expect(reader.read(0, 10, true)).rejects.toThrow('reset');
  expect((await reader.read(0, 10, false)).toString()).toBe('first\n');
});

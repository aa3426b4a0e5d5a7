import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HubError } from '../platform/http/errors.ts';
import { progressLines } from './progress.ts';
import type { Progress } from './shards.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const step: Progress = { type: 'committing', stage: 'uploading' };

test('the last line is repeated while work goes on, and the result comes last', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const lines = progressLines(
    async (onProgress) => {
      onProgress(step);
      await ended;
    },
    () => {},
  );
  vi.advanceTimersByTime(11_000);
  end();
  const text = (await lines.toArray()).join('');
  expect(text.trimEnd().split('\n')).toEqual([
    ...[step, step, step].map((line) => JSON.stringify(line)),
    '{"type":"result","result":1}',
  ]);
});

test.each([
  [new HubError(413, 'There is no room'), 'There is no room', 0],
  [new Error('a secret of the machine'), 'Something went wrong on the hub; its log says what', 1],
])('%s ends the lines with an error', async (error, message, logged) => {
  const failures: unknown[] = [];
  const lines = progressLines(
    () => Promise.reject(error),
    (fault) => failures.push(fault),
  );
  expect((await lines.toArray()).join('')).toBe(`${JSON.stringify({ type: 'error', message })}\n`);
  expect(failures).toHaveLength(logged);
});

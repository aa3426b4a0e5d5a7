import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createLogSync, createSharedSyncs } from './log-sync.ts';

/** Returns shared runs that end when the test says so. */
function controlled() {
  const runs: { end(): void; fail(error: Error): void }[] = [];
  const shared = createSharedSyncs(
    () => new Promise<void>((resolve, reject) => runs.push({ end: resolve, fail: reject })),
  );
  return { runs, shared };
}

test('callers that ask during a run share the next one', async () => {
  const { runs, shared } = controlled();
  const done: string[] = [];
  const asked = ['first', 'second', 'third'].map(async (name, at) => {
    if (at > 0) await setImmediate();
    await shared.run();
    done.push(name);
  });
  await setImmediate();
  await setImmediate();
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await expect.poll(() => runs.length).toBe(2);
  expect(done).toEqual(['first']);
  runs[1]?.end();
  await Promise.all(asked);
  expect([done, runs.length]).toEqual([['first', 'second', 'third'], 2]);
});

test('after a run that failed, no run begins and no caller succeeds', async () => {
  const { runs, shared } = controlled();
  const first = shared.run();
  await expect.poll(() => runs.length).toBe(1);
  const outcomes = Promise.allSettled([first, shared.run()]);
  runs[0]?.fail(new Error('I/O error'));
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(shared.run()).rejects.toThrow('I/O error');
  expect(runs).toHaveLength(1);
});

test('a missing log cannot be synced, which is reported once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-no-log-'));
  const onFailure = vi.fn();
  const log = createLogSync(join(folder, 'moonbase.db'), onFailure);
  await expect(log.sync()).rejects.toThrow('could not be synced');
  await expect(log.sync()).rejects.toThrow('could not be synced');
  expect(onFailure).toHaveBeenCalledOnce();
  await rm(folder, { recursive: true });
});

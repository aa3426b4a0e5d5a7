import type { Runner } from '../runners/runner.ts';
import type { Checkouts } from './checkouts.ts';

/** Returns a runner whose attempts find the files of the repositories and buckets that they mount. */
export const withCheckouts = (runner: Runner, checkouts: Checkouts): Runner => ({
  ...runner,
  async start(launch) {
    await runner.start({ ...launch, folders: await checkouts.prepare(launch) });
  },
  async stop(key) {
    await checkouts.stop(key);
    await runner.stop(key);
  },
  async forget(key) {
    // The attempt mounts the folders until its runner has forgotten it.
    await runner.forget(key);
    await checkouts.forget(key);
  },
  async sweep(keys) {
    await runner.sweep(keys);
    await checkouts.sweep(keys);
  },
  async close() {
    await checkouts.close();
    await runner.close?.();
  },
});

import { type FunctionComponent, type LazyExoticComponent, lazy } from 'react';
import { reloadedByItself } from './reload.ts';
import { servesAnother } from './version.ts';

const RETRY_MS = 1000;

/**
 * A part of the console that is loaded when it is first shown. While the hub is out of reach it goes on loading; if an
 * update has replaced its script, the page loads the new version.
 */
export const part = <P>(load: () => Promise<FunctionComponent<P>>): LazyExoticComponent<FunctionComponent<P>> =>
  lazy(async () => ({ default: await patiently(load) }));

async function patiently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    const isOutdated = await onceReachable();
    if (!isOutdated) return load().catch(reloadOr);
    return reloadOr(new Error('The hub has been updated'));
  }
}

/** Returns whether the hub serves another version, as soon as it answers. */
async function onceReachable(): Promise<boolean> {
  for (;;) {
    const isOutdated = await servesAnother();
    if (isOutdated !== undefined) return isOutdated;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Never returns where the page is loaded again: some browsers remember that a script failed. */
function reloadOr(error: unknown): Promise<never> {
  return reloadedByItself() ? new Promise(() => {}) : Promise.reject(error);
}

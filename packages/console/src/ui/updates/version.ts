import { useSyncExternalStore } from 'react';

const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

/** The script that this page began with; each version of the console has one with a name of its own. */
const running = document.querySelector('script[type=module][src]')?.getAttribute('src');

let isKnown = false;
const listeners = new Set<() => void>();

/** Asks the hub whether it serves another version of the console than this page runs. Returns undefined if it does not answer. */
export async function servesAnother(): Promise<boolean | undefined> {
  try {
    const response = await fetch('/', { cache: 'no-store' });
    const served = response.ok ? ENTRY.exec(await response.text())?.[1] : undefined;
    if (served === undefined) return undefined;
    isKnown = served !== running;
    for (const listener of listeners) listener();
    return isKnown;
  } catch {
    return undefined;
  }
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns whether the hub served another version of the console when it was asked last. */
export const useIsOutdated = (): boolean => useSyncExternalStore(listen, () => isKnown);

import type { Logger } from '../../../platform/logger.ts';
import { type ApiClient, ApiError, isStatus } from './api-client.ts';
import { createObjectIndex } from './object-index.ts';
import type { KubernetesObject, ObjectList } from './objects.ts';
import { readWatch } from './watch-events.ts';

interface Dependencies {
  readonly api: ApiClient;
  readonly logger: Logger;
  readonly path: string;
  readonly labelSelector: string;
  /** Called when an object has changed. */
  readonly onChange: () => void;
}

export interface Collection<T extends KubernetesObject> {
  /** Returns the objects of an attempt. Waits for the first list, and throws if listing fails. */
  of(key: string): Promise<readonly T[]>;
  /** Returns all objects by the keys of their attempts, without waiting; undefined before the first list. */
  known(): ReadonlyMap<string, readonly T[]> | undefined;
}

const PAGE_SIZE = 500;
/** How long the server keeps a watch open. */
const WATCH_SECONDS = 300;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/**
 * Keeps the labelled objects of a kind up to date: lists them once, then watches them. A broken watch continues from
 * its last version; if that version is too old for the server (410), everything is listed again.
 */
export function createCollection<T extends KubernetesObject>(given: Dependencies): Collection<T> {
  const { api, logger, path, labelSelector, onChange } = given;
  const objects = createObjectIndex<T>();
  let attempt: Promise<void> | undefined;

  async function list(): Promise<string> {
    const found: T[] = [];
    for (let next: string | undefined = ''; ; ) {
      const query = { labelSelector, limit: PAGE_SIZE, ...(next !== '' && { continue: next }) };
      const page: ObjectList<T> = await api.call<ObjectList<T>>({ method: 'GET', path, query });
      found.push(...page.items);
      next = page.metadata.continue;
      if (next) continue;
      objects.replace(found);
      onChange();
      return page.metadata.resourceVersion;
    }
  }

  /** Watches until the server ends the watch. Returns the last known version. */
  async function watch(from: string): Promise<string> {
    const query = {
      ...{ labelSelector, watch: true, allowWatchBookmarks: true },
      ...{ resourceVersion: from, timeoutSeconds: WATCH_SECONDS },
    };
    let version = from;
    try {
      const body = await api.stream(path, query, api.signal);
      for await (const { type, object } of readWatch<T>(body)) {
        version = object.metadata.resourceVersion ?? version;
        if (type === 'BOOKMARK') continue;
        if (type === 'DELETED') objects.delete(object);
        else objects.put(object);
        onChange();
      }
    } catch (error) {
      throw Object.assign(new Interrupted(version), { cause: error });
    }
    return version;
  }

  async function follow(from: string): Promise<void> {
    let version = from;
    let failures = 0;
    while (!api.signal.aborted) {
      const before = version;
      let wait = 0;
      try {
        version = await watch(version);
        // A watch without events may end at once, again and again.
        if (version === before) wait = FIRST_WAIT_MS;
        failures = 0;
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        const { cause } = error;
        // 410: the version is too old to continue from.
        if (isStatus(cause, 410)) return;
        version = error.version;
        failures = version === before ? failures + 1 : 0;
        wait = waitAfter(cause, failures);
        if (!api.signal.aborted) logger.error({ err: cause, path }, 'a watch of Kubernetes broke; it goes on');
      }
      if (wait > 0) await api.pause(wait);
    }
  }

  async function keepUp(first: string): Promise<void> {
    let version = first;
    for (let failures = 0; !api.signal.aborted; ) {
      await follow(version);
      try {
        version = await list();
        failures = 0;
      } catch (error) {
        failures += 1;
        logger.error({ err: error, path }, 'Kubernetes cannot be listed; it will be tried again');
        await api.pause(waitAfter(error, failures));
      }
    }
  }

  async function begin(): Promise<void> {
    const version = await list();
    keepUp(version).catch((error: unknown) => {
      if (api.signal.aborted) return;
      logger.error({ err: error, path }, 'what runs on Kubernetes is not followed any more; it will be listed again');
      attempt = undefined;
    });
  }

  /** Resolves after the first list; the next call after a failure tries again. */
  function synced(): Promise<void> {
    attempt ??= begin().catch((error: unknown) => {
      attempt = undefined;
      throw error;
    });
    return attempt;
  }

  return {
    known: () => objects.byKey(),
    async of(key) {
      await synced();
      return objects.byKey()?.get(key) ?? [];
    },
  };
}

/** Thrown if a watch breaks, with the last known version. */
class Interrupted extends Error {
  constructor(readonly version: string) {
    super('The watch broke');
  }
}

function waitAfter(error: unknown, failures: number): number {
  const requestedMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.min(requestedMs ?? FIRST_WAIT_MS * 2 ** Math.min(failures, 10), MAX_WAIT_MS);
}

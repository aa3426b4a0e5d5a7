import type { Mirror, MirrorEntry } from '@moonbase/contract/repositories/mirrors';
import { timestamp } from '../platform/clock.ts';
import { parseJson } from '../platform/stored-form.ts';
import type { ShownMirror } from './store.ts';
import type { MirrorRow } from './tables.ts';

/** The most refused refs that are shown. */
const MAX_SHOWN = 100;

function stateOf({ stopped, failures, synced_at: syncedAt }: MirrorRow): Mirror['state'] {
  if (stopped === 1) return 'stopped';
  if (failures > 0) return 'failing';
  return syncedAt === null ? 'pending' : 'synced';
}

/** Presents a mirror; its token is never shown. */
export function presentMirror(mirror: ShownMirror, now: number): Mirror {
  const { userName, heldUntil, progress, error, synced_at: syncedAt, attempted_at: attemptedAt } = mirror;
  const syncing = heldUntil !== null && heldUntil > now;
  return {
    url: mirror.url,
    username: mirror.username,
    hasToken: mirror.token !== null,
    interval: mirror.interval_seconds,
    ...(userName !== null && { user: userName }),
    createdAt: timestamp(mirror.created_at),
    state: stateOf(mirror),
    syncing,
    ...(syncing && progress !== null && { progress }),
    ...(syncedAt !== null && { lastSyncedAt: timestamp(syncedAt) }),
    ...(attemptedAt !== null && { lastAttemptAt: timestamp(attemptedAt) }),
    ...(mirror.duration_ms !== null && { lastDurationMs: mirror.duration_ms }),
    ...(error !== null && { lastError: error }),
    failures: mirror.failures,
    nextSyncAt: timestamp(mirror.due_at),
    skippedRefs: parseJson(mirror.refused)
      .slice(0, MAX_SHOWN)
      .map(({ ref, reason }) => ({ ref, reason })),
  };
}

interface OfRepository {
  readonly type: MirrorEntry['repo']['type'];
  readonly name: string;
  readonly ownerName: string;
}

/** Presents a mirror for site administrators. */
export const presentEntry = (mirror: ShownMirror & OfRepository, now: number): MirrorEntry => ({
  id: mirror.id,
  repo: { type: mirror.type, name: `${mirror.ownerName}/${mirror.name}` },
  ...presentMirror(mirror, now),
});

import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import type { Leases } from '../../platform/queue/leases.ts';
import { laneOf } from '../policy.ts';
import { versionsOf } from '../store.ts';
import type { MirrorRow } from '../tables.ts';
import { failureOf } from './outcome.ts';
import type { SyncRecords } from './records.ts';
import { type Sync, SyncSuperseded } from './sync.ts';

const HOUR_MS = 60 * 60_000;
/** The longest sync; the next one has the large files that this one has brought. */
const MAX_SYNC_MS = 12 * HOUR_MS;
/** The interval at which progress is stored. */
const PROGRESS_MS = 2_000;

export type MirrorLogger = Logger & { debug(details: object, message: string): void };

interface Dependencies {
  readonly read: ReadExecutor;
  readonly logger: MirrorLogger;
  readonly leases: Leases;
  readonly sync: Sync;
  readonly records: SyncRecords;
  /** Called after each sync. */
  readonly onEnd: () => void;
}

interface Running {
  readonly mirror: MirrorRow;
  readonly ending: AbortController;
  readonly ended: Promise<void>;
  /** What has come of it so far, and what of that is stored. */
  progress?: string;
  stored?: string;
}

/** The syncs of this process, each under a lease that excludes other processes. */
export function createRunningSyncs({ read, logger, leases, sync, records, onEnd }: Dependencies) {
  const running = new Map<string, Running>();
  /** The lanes of syncs that are running or about to. */
  const lanes = new Set<string>();
  let finished = 0;
  let progressAt = 0;
  let isStopping = false;

  async function release(lane: string): Promise<void> {
    lanes.delete(lane);
    await leases.releaseAll([...lanes]);
  }

  /** Syncs a mirror and stores what came of it. */
  async function run(mirror: MirrorRow, signal: AbortSignal): Promise<void> {
    const { id: repoId } = mirror;
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    const onProgress = (progress: string) => {
      const entry = running.get(repoId);
      if (entry) entry.progress = progress;
    };
    try {
      const refused = await sync(mirror, { signal, onProgress });
      await records.end(mirror, { refused }, durationMs());
    } catch (error) {
      if (isStopping) return records.giveBack(mirror);
      const cause: unknown = signal.aborted ? signal.reason : error;
      if (cause instanceof SyncSuperseded) return;
      const { outcome, isInternal } = failureOf(cause);
      if (isInternal) logger.error({ err: cause, repoId }, 'a mirror could not be synced');
      else logger.debug({ repoId, reason: outcome.error }, 'a mirror could not be synced');
      await records.end(mirror, outcome, durationMs());
    }
  }

  function start(mirror: MirrorRow): void {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(new RemoteFault(TOOK_TOO_LONG)), MAX_SYNC_MS).unref();
    const ended = run(mirror, ending.signal)
      .catch((err: unknown) => logger.error({ err, repoId: mirror.id }, 'what came of a sync could not be stored'))
      .then(() => release(laneOf(mirror.id)))
      .catch((err: unknown) => logger.error({ err, repoId: mirror.id }, 'the lease of a mirror could not be ended'))
      .then(() => {
        clearTimeout(timer);
        running.delete(mirror.id);
        finished += 1;
        onEnd();
      });
    running.set(mirror.id, { mirror, ending, ended });
    if (isStopping) ending.abort(new SyncSuperseded());
  }

  return {
    size: (): number => running.size,
    ids: (): string[] => [...running.keys()],

    /** Returns the users on whose behalf at least this many syncs are running. */
    usersWith(count: number): string[] {
      const users = [...running.values()].map(({ mirror }) => mirror.user_id ?? '');
      return [...new Set(users)].filter((user) => users.filter((other) => other === user).length >= count);
    },

    /** Begins the sync of a due mirror. Returns false if another process does, or has done so. */
    async begin(id: string): Promise<boolean> {
      const lane = laneOf(id);
      lanes.add(lane);
      const isForeign = (await leases.acquire([lane])).size > 0;
      const mirror = isForeign ? undefined : await records.take(id);
      if (mirror) start(mirror);
      else await release(lane);
      return mirror !== undefined;
    },

    /** Renews leases, and ends syncs that another process has taken over, or whose mirrors were changed or removed. */
    async check(): Promise<void> {
      if (running.size === 0) return;
      const foreign = await leases.acquire([...lanes]);
      const versions = await versionsOf(read, [...running.keys()]);
      for (const [id, { mirror, ending }] of running)
        if (foreign.has(laneOf(id)) || versions.get(id) !== mirror.version) ending.abort(new SyncSuperseded());
    },

    async storeProgress(): Promise<void> {
      if (performance.now() - progressAt < PROGRESS_MS) return;
      progressAt = performance.now();
      for (const entry of running.values()) {
        const { mirror, progress } = entry;
        if (progress === undefined || progress === entry.stored) continue;
        entry.stored = progress;
        await records.storeProgress(mirror, progress);
      }
    },

    /** Returns the number of syncs that have ended since the last call. */
    takeFinished(): number {
      const taken = finished;
      finished = 0;
      return taken;
    },

    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all([...running.values()].map(({ ended }) => ended));
    },

    /** Ends all syncs; others may go on with the mirrors. */
    stop(): void {
      isStopping = true;
      for (const { ending } of running.values()) ending.abort(new SyncSuperseded());
    },
  };
}

const TOOK_TOO_LONG = `The sync took more than ${MAX_SYNC_MS / HOUR_MS} hours; the next one goes on with what is missing`;

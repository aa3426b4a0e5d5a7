import type { Clock } from '../platform/clock.ts';
import { afterCommit, type Executor } from '../platform/database/transaction.ts';
import type { HubEvent } from '../platform/events/events.ts';
import { MAIN, type RepoEvent } from '../repositories/index.ts';
import { requestReading } from './read-store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the reader. */
  readonly nudge: () => void;
}

/**
 * Returns the reaction to new repositories and to commits on `main`: the files are read as of the time of reading, not
 * of the event.
 */
export const createHeadReaction =
  ({ clock, nudge }: Dependencies) =>
  async (tx: Executor, { data: { repo, payload } }: HubEvent<RepoEvent>): Promise<undefined> => {
    const isNew = payload.event.scope === 'repo' && payload.event.action === 'create';
    const isMoved = payload.updatedRefs?.some(({ ref, newSha }) => ref === MAIN && newSha !== null) ?? false;
    if (!isNew && !isMoved) return;
    await requestReading(tx, repo.id, { now: clock.now(), isNew });
    afterCommit(tx, nudge);
  };

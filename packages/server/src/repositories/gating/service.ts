import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Ids } from '../../platform/ids.ts';
import type { RepoAudit } from '../audit.ts';
import type { RunRepoChange } from '../change-runner.ts';
import type { RepoContents } from '../reading.ts';
import { createAsking } from './asking.ts';
import { createHandling } from './handling.ts';
import { createRequestListing } from './listing.ts';

export type AccessRequests = ReturnType<typeof createAccessRequests>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: RepoAudit;
  readonly runChange: RunRepoChange;
  readonly contents: Pick<RepoContents, 'card'>;
}

/** Creates the verbs of access requests for gated repositories. */
export const createAccessRequests = (dependencies: Dependencies) => ({
  ...createAsking(dependencies),
  ...createHandling(dependencies),
  ...createRequestListing(dependencies),
});

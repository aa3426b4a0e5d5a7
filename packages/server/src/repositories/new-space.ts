import type { Volume } from '@moonbase/contract/jobs/specification';
import type { z } from 'zod';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { RepoName, Repository } from './store.ts';

/** A variable or a secret in a request. */
export interface SpaceEntry {
  readonly key: string;
  readonly value: string;
  /** Absent: it stays as it is. */
  readonly description?: string | undefined;
}

/** What a request for a new repository says that only Spaces have. */
export interface NewSpace {
  readonly variables?: readonly SpaceEntry[] | undefined;
  readonly secrets?: readonly SpaceEntry[] | undefined;
  readonly volumes?: readonly z.output<typeof Volume>[] | undefined;
  readonly hardware?: string | undefined;
  readonly storageTier?: string | undefined;
  readonly sleepTimeSeconds?: number | undefined;
  readonly template?: string | undefined;
  /** The id of the Space whose variables the new one gets as well. */
  readonly copyOf?: string | undefined;
}

/** What another slice does for new Spaces. */
export interface SpaceSetup {
  /** Throws 400 for what no repository of the type may have, and 501 for what would have to run. */
  readonly requireValid: (type: RepoName['type'], given: NewSpace) => void;
  /** Stores what a new Space begins with, in the transaction that inserts it. */
  readonly insert: (tx: Executor, caller: Caller, space: Repository, given: NewSpace) => Promise<void>;
}

import type { ContentParts, LargeFiles } from '../content/index.ts';
import type { Discussions } from '../discussions/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { GitStore } from '../platform/git/git-store.ts';
import { createGitSlots, type GitSlotOptions } from '../platform/git/stock/git-slots.ts';
import type { Logger } from '../platform/logger.ts';
import { VERSION } from '../platform/version.ts';
import type { RefPorts } from '../repositories/index.ts';
import { createFetching } from './fetching.ts';
import { createMirroredPush } from './receiving/mirrored-push.ts';
import { MAX_PACK_BYTES } from './receiving/quarantine.ts';
import { createReceiving } from './receiving/receive.ts';

export interface GitLimits {
  /** Fetches and pushes have as many processes each, so that stalled clones slow no push. */
  readonly slots: GitSlotOptions;
  readonly maxPushBytes: number;
}

const LIMITS: GitLimits = {
  slots: { count: 16, maxStallMs: 5_000, maxWaitMs: 60_000 },
  maxPushBytes: MAX_PACK_BYTES,
};

interface Dependencies {
  readonly database: Database;
  readonly logger: Logger;
  readonly store: GitStore;
  readonly contents: Pick<ContentParts, 'prepareForGit' | 'refsForGit' | 'adoptPacks' | 'openObjects'>;
  readonly largeFiles: LargeFiles;
  readonly discussions: Pick<Discussions, 'lockForPush' | 'requireCommit'>;
  readonly refPorts: RefPorts;
  /** Replaces the usual limits. */
  readonly limits?: Partial<GitLimits> | undefined;
}

export type Git = ReturnType<typeof createGit>;

/** Assembles the verbs of git over HTTP. */
export function createGit({ logger, limits, ...parts }: Dependencies) {
  const { slots, maxPushBytes } = { ...LIMITS, ...limits };
  const { database, store, contents } = parts;
  const agent = `moonbase/${VERSION}`;
  return {
    ...createFetching({ read: database.read, store, ...contents, slots: createGitSlots(slots), agent }),
    ...createReceiving({
      ...parts,
      slots: createGitSlots(slots),
      ...{ maxPushBytes, agent },
      onFailure: (err) => logger.error({ err }, 'a push failed'),
    }),
    /** Takes what the remote of a mirror has. */
    pushMirrored: createMirroredPush({ ...parts, maxPushBytes }),
  };
}

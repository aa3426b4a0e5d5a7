import type { ContentParts, LargeFiles } from '../content/index.ts';
import type { Discussions } from '../discussions/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { GitStore } from '../platform/git/git-store.ts';
import { createGitSlots } from '../platform/git/stock/git-slots.ts';
import type { Logger } from '../platform/logger.ts';
import { VERSION } from '../platform/version.ts';
import type { RefPorts } from '../repositories/index.ts';
import { createFetching } from './fetching.ts';
import { createReceiving } from './receiving/receive.ts';

/** Fetches and pushes have as many processes each, so that stalled clones slow no push. */
const SLOTS = { count: 16, maxStallMs: 5_000, maxWaitMs: 60_000 };

interface Dependencies {
  readonly database: Database;
  readonly logger: Logger;
  readonly store: GitStore;
  readonly contents: Pick<ContentParts, 'prepareForGit' | 'refsForGit' | 'adoptPacks' | 'openObjects'>;
  readonly largeFiles: LargeFiles;
  readonly discussions: Pick<Discussions, 'lockForPush' | 'requireCommit'>;
  readonly refPorts: RefPorts;
}

export type Git = ReturnType<typeof createGit>;

/** Assembles the verbs of git over HTTP. */
export function createGit({ logger, ...parts }: Dependencies) {
  const { database, store, contents } = parts;
  const agent = `moonbase/${VERSION}`;
  return {
    ...createFetching({ read: database.read, store, ...contents, slots: createGitSlots(SLOTS), agent }),
    ...createReceiving({
      ...parts,
      slots: createGitSlots(SLOTS),
      agent,
      onFailure: (err) => logger.error({ err }, 'a push failed'),
    }),
  };
}

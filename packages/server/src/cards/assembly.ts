import type { ListCommitFiles } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Logger } from '../platform/logger.ts';
import { toJson } from '../platform/stored-form.ts';
import type { CardFields, Repository } from '../repositories/index.ts';
import { findCard } from './card-store.ts';
import { faultsOf } from './facts/validate.ts';
import { createMetadataAt } from './metadata-at.ts';
import { presentCard } from './present.ts';
import { createHeadReaction } from './reactions.ts';
import { createCardReader } from './reader.ts';
import { createCardThread } from './reading/card-thread.ts';
import { readMetadata } from './reading/read-card.ts';

export type Cards = ReturnType<typeof createCards>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: ListCommitFiles;
  /** Wakes the reader. */
  readonly nudge: () => void;
}

const NO_FACTS = {
  sha: '',
  tags: toJson([]),
  details: toJson({}),
  library_name: null,
  pipeline_tag: null,
  signed_sha: null,
};
const NO_METADATA = 'empty or missing yaml metadata in repo card';

/** Assembles the services of this slice. */
export function createCards({ database, clock, logger, files, nudge }: Dependencies) {
  const thread = createCardThread();
  const metadataAt = createMetadataAt({ files, thread });
  return {
    followHead: createHeadReaction({ clock, nudge }),
    reader: createCardReader({ database, clock, logger, files, thread }),
    close: () => thread.close(),

    /**
     * Returns the stored facts about a repository's files. At a commit other than the head, the metadata is that of the
     * README there.
     */
    of: async (
      repo: Repository,
      { commit, address }: { readonly commit: string; readonly address: string },
    ): Promise<CardFields> => {
      const stored = await findCard(database.read, repo.id);
      if (commit === repo.head_sha || commit === stored?.sha) return presentCard(repo, stored);
      const metadata = await metadataAt(repo.id, commit, address);
      return presentCard(repo, { ...NO_FACTS, repo_id: repo.id, ...stored, ...metadata });
    },

    /** Returns the errors and warnings about the metadata of a README that is about to be committed. */
    async check(readme: string, caller: string): Promise<{ errors: string[]; warnings: string[] }> {
      const { card = {}, error } = await readMetadata(readme, { thread, caller });
      if (error !== undefined) return { errors: [error], warnings: [] };
      const warnings = Object.keys(card).length === 0 ? [NO_METADATA] : [];
      return { errors: faultsOf(card), warnings };
    },
  };
}

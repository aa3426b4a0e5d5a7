import { LRUCache } from 'lru-cache';
import type { ListCommitFiles } from '../content/index.ts';
import { BlobError } from '../platform/blobs/blob-store.ts';
import { HubError } from '../platform/http/errors.ts';
import { toJson } from '../platform/stored-form.ts';
import type { CardThread } from './reading/card-thread.ts';
import { readMetadataOf } from './reading/read-card.ts';
import type { RepoCardRow } from './tables.ts';

type Metadata = Pick<RepoCardRow, 'card' | 'error'>;

/** Bounds the entries of a root folder among which the README is looked for. */
const MAX_ENTRIES = 10_000;
/** Bounds the characters of metadata that are kept. */
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;
const UNREADABLE = 'The README of this revision could not be read; try again soon';

interface Dependencies {
  readonly files: ListCommitFiles;
  readonly thread: CardThread;
}

/** Creates the reader of the metadata at commits whose facts are not stored. It keeps what it read last. */
export function createMetadataAt({ files, thread }: Dependencies) {
  const kept = new LRUCache<string, Metadata>({
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: ({ card, error }) => 200 + (card?.length ?? 0) + (error?.length ?? 0),
  });

  return async (repoId: string, commit: string, address: string): Promise<Metadata> => {
    const key = `${repoId} ${commit}`;
    const known = kept.get(key);
    if (known) return known;
    try {
      const found = await files(repoId, commit, MAX_ENTRIES, { isShallow: true });
      const { card, error } = await readMetadataOf(found, { thread, caller: address });
      const metadata = { card: card ? toJson(card) : null, error: error ?? null };
      kept.set(key, metadata);
      return metadata;
    } catch (error) {
      // The rest of the information about a repository does not depend on its README.
      if (error instanceof BlobError || error instanceof HubError) return { card: null, error: UNREADABLE };
      throw error;
    }
  };
}

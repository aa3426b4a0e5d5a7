import type { CommitFile, ListCommitFiles } from '../content/index.ts';
import { BlobError } from '../platform/blobs/blob-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Logger } from '../platform/logger.ts';
import { isPassing, PassingFault } from '../platform/queue/fault.ts';
import { toJson } from '../platform/stored-form.ts';
import { findRepoById, type Repository } from '../repositories/index.ts';
import { findCard, lockHead, putCard } from './card-store.ts';
import type { CardFacts } from './facts/facts.ts';
import { beginReading, endReading, firstToRead, readLater } from './read-store.ts';
import type { CardThread } from './reading/card-thread.ts';
import { readCard } from './reading/read-card.ts';

/** After so many failures a repository waits for its next commit. */
const MAX_ATTEMPTS = 5;
/** When a reading that did not end is begun again: a process may have ended. */
const AGAIN_MS = 60_000;
/** So long at most one repository is read. */
const MAX_READ_MS = 30_000;
/** Entries of a commit that are looked at. */
const MAX_ENTRIES = 10_000;

const UNREAD: CardFacts = {
  card: undefined,
  error: 'The files of this repository could not be read',
  tags: [],
  library: undefined,
  pipeline: undefined,
  details: {},
};

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: ListCommitFiles;
  readonly thread: CardThread;
}

/** Creates the worker that reads the cards of repositories whose branch main has changed, and stores their metadata. */
export function createCardReader({ database, clock, logger, files, thread }: Dependencies) {
  const { read } = database;
  let stopping = false;

  /** Returns files that cannot be read for ever. */
  function inTime(listed: readonly CommitFile[]): CommitFile[] {
    const until = performance.now() + MAX_READ_MS;
    return listed.map((file) => ({
      ...file,
      bytes(first, length) {
        if (stopping) throw new PassingFault('The hub is stopping');
        if (performance.now() > until) throw new Error('The files take too long to read');
        return file.bytes(first, length);
      },
    }));
  }

  /** Stores what was read of a commit, unless main has moved on meanwhile: the repository is then read again. */
  const store = (repoId: string, sha: string, facts: CardFacts): Promise<void> =>
    database.transaction(async (tx) => {
      if ((await lockHead(tx, repoId)) !== sha) return readLater(tx, repoId, clock.now());
      await putCard(tx, {
        repo_id: repoId,
        sha,
        error: facts.error ?? null,
        card: facts.card ? toJson(facts.card) : null,
        tags: toJson([...facts.tags]),
        details: toJson(facts.details),
        library_name: facts.library ?? null,
        pipeline_tag: facts.pipeline ?? null,
      });
      return endReading(tx, repoId);
    });

  async function readRepository(repo: Repository, sha: string): Promise<void> {
    const listed = inTime(await files(repo.id, sha, MAX_ENTRIES));
    await store(repo.id, sha, await readCard({ type: repo.type, sdk: repo.sdk ?? undefined }, listed, thread));
  }

  async function readOne(repoId: string, failures: number): Promise<void> {
    const repo = await findRepoById(read, repoId);
    const sha = repo?.head_sha ?? undefined;
    const isRead = sha === undefined || (await findCard(read, repoId))?.sha === sha;
    if (!repo || isRead) {
      await database.transaction((tx) => endReading(tx, repoId));
      return;
    }
    if (failures >= MAX_ATTEMPTS) {
      logger.error({ repoId, sha, failures }, 'the files of a repository could not be read; its next commit is');
      await store(repoId, sha, UNREAD);
      return;
    }
    try {
      await readRepository(repo, sha);
    } catch (error) {
      const passes = isPassing(error) || (error instanceof BlobError && error.fault === 'unavailable');
      logger.error({ err: error, repoId, sha, failures }, 'the files of a repository could not be read this time');
      if (passes) await database.transaction((tx) => readLater(tx, repoId, clock.now() + AGAIN_MS));
    }
  }

  return {
    /** Reads the repository that waits longest, if it is due. */
    async round(): Promise<{ done: number; dueInMs?: number | undefined }> {
      const now = clock.now();
      const first = await firstToRead(read);
      if (!first) return { done: 0 };
      if (first.due_at > now) return { done: 0, dueInMs: first.due_at - now };
      const times = { now, againAt: now + AGAIN_MS };
      const failures = await database.transaction((tx) => beginReading(tx, first.repo_id, times));
      if (failures !== undefined) await readOne(first.repo_id, failures);
      return { done: 1 };
    },

    /** Ends the reading that is going on. */
    stop(): void {
      stopping = true;
    },
  };
}

import type { CommitFile, ListCommitFiles } from '../content/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Logger } from '../platform/logger.ts';
import { isTransient, TransientFault } from '../platform/queue/fault.ts';
import { toJson } from '../platform/stored-form.ts';
import { findRepoById, type Repository } from '../repositories/index.ts';
import { findCard, lockHead, putCard, putTags } from './card-store.ts';
import type { CardFacts } from './facts/facts.ts';
import { linkTags } from './facts/tags.ts';
import { beginReading, endReading, firstDue, postponeReading } from './read-store.ts';
import type { CardThread } from './reading/card-thread.ts';
import { readCard } from './reading/read-card.ts';

/** After this many failures, a repository waits for its next commit. */
const MAX_ATTEMPTS = 5;
/** The delay after which an unfinished reading starts again, in case its process has ended. */
const RETRY_MS = 60_000;
/** The maximum time for reading one repository. */
const MAX_READ_MS = 30_000;
/** Bounds the entries of a commit that are considered. */
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

/** Creates the worker that reads the files of repositories whose branch `main` has moved, and stores the facts. */
export function createCardReader({ database, clock, logger, files, thread }: Dependencies) {
  const { read } = database;
  let stopping = false;

  /** Returns the files with reads that throw once the time is up or the hub is stopping. */
  function withDeadline(listed: readonly CommitFile[]): CommitFile[] {
    const deadline = performance.now() + MAX_READ_MS;
    return listed.map((file) => ({
      ...file,
      bytes(first, length) {
        if (stopping) throw new TransientFault('The hub is stopping');
        if (performance.now() > deadline) throw new Error('The files take too long to read');
        return file.bytes(first, length);
      },
    }));
  }

  /** Stores the facts of a commit; if `main` has moved on in the meantime, requests another reading instead. */
  const store = ({ id: repoId, type }: Repository, sha: string, facts: CardFacts): Promise<void> =>
    database.transaction(async (tx) => {
      if ((await lockHead(tx, repoId)) !== sha) return postponeReading(tx, repoId, clock.now());
      await putCard(tx, {
        repo_id: repoId,
        sha,
        error: facts.error ?? null,
        card: facts.card ? toJson(facts.card) : null,
        tags: toJson([...facts.tags]),
        details: toJson(facts.details),
        library_name: facts.library ?? null,
        pipeline_tag: facts.pipeline ?? null,
        signed_sha: sha,
      });
      await putTags(tx, repoId, type, [...facts.tags, ...linkTags(type, facts.card)]);
      return endReading(tx, repoId);
    });

  async function readRepository(repo: Repository, sha: string): Promise<void> {
    const listed = withDeadline(await files(repo.id, sha, MAX_ENTRIES));
    await store(repo, sha, await readCard({ type: repo.type, sdk: repo.sdk ?? undefined }, listed, thread));
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
      await store(repo, sha, UNREAD);
      return;
    }
    try {
      await readRepository(repo, sha);
    } catch (error) {
      logger.error({ err: error, repoId, sha, failures }, 'the files of a repository could not be read this time');
      if (isTransient(error)) await database.transaction((tx) => postponeReading(tx, repoId, clock.now() + RETRY_MS));
    }
  }

  return {
    /** Reads the repository that is due first, if it is due. */
    async round(): Promise<{ done: number; dueInMs?: number | undefined }> {
      const now = clock.now();
      const first = await firstDue(read);
      if (!first) return { done: 0 };
      if (first.due_at > now) return { done: 0, dueInMs: first.due_at - now };
      const times = { now, retryAt: now + RETRY_MS };
      const failures = await database.transaction((tx) => beginReading(tx, first.repo_id, times));
      if (failures !== undefined) await readOne(first.repo_id, failures);
      return { done: 1 };
    },

    /** Interrupts the reading in progress. */
    stop(): void {
      stopping = true;
    },
  };
}

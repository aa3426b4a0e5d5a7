import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import { GitFault } from '../../platform/git/fault.ts';
import { replaceIds } from '../../platform/git/objects/replace-ids.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { rewriteCommits } from '../../platform/git/rewrite.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict, HubError } from '../../platform/http/errors.ts';
import {
  createChangeRunner,
  moveRefs,
  type RefMove,
  type RepoName,
  type Repository,
  readRepo,
} from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { ReadBlobFacts } from '../reading/blob-facts.ts';
import { refsWithTags, type StoredRef } from '../store.ts';

/** Limits how often a history is rewritten because refs moved in the meantime. */
const MAX_TRIES = 5;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly objects: RepositoryObjects;
  readonly factsOf: ReadBlobFacts;
}

/** Runs in the transaction that moves the refs. */
type OnRewrite = (tx: Executor, repo: Repository) => Promise<void>;

/** Rewrites all commits of a repository to leave out some large files. */
export type DropLargeFiles = (
  caller: Caller,
  name: RepoName,
  sha256s: readonly string[],
  onRewrite: OnRewrite,
) => Promise<void>;

/**
 * The verb behind `rewriteHistory`: removes large files from all reachable commits and moves the refs to the new ones.
 */
export function createDropLargeFiles({ database, clock, events, objects, factsOf }: Dependencies): DropLargeFiles {
  const runChange = createChangeRunner(database);
  const refPorts = { clock, events, onRefsChanged: objects.refsChanged };

  /** Writes the rewritten objects; returns the resulting moves of refs. */
  async function rewrite(repository: GitRepository, refs: readonly StoredRef[], sha256s: ReadonlySet<string>) {
    const writer = repository.writer();
    const isDropped = async (id: string) => {
      const { pointer } = await factsOf(repository, id);
      return pointer !== undefined && sha256s.has(pointer.sha256);
    };
    try {
      const heads = [...new Set(refs.map(({ sha }) => sha))];
      const newIds = await rewriteCommits({ repository, writer, isDropped }, heads);
      const moves: RefMove[] = [];
      for (const { ref, sha, tagId } of refs) {
        const newSha = newIds.get(sha) ?? sha;
        if (newSha === sha) continue;
        const tag = tagId === null ? undefined : await repository.read(tagId);
        const newTag = tag && (await writer.add({ type: 'tag', body: replaceIds(tag.body, () => newSha) }));
        moves.push({ ref, oldSha: sha, newSha, tagId: newTag });
      }
      await writer.finish();
      return moves;
    } catch (error) {
      throw error instanceof GitFault && error.kind === 'too-large' ? new HubError(413, error.message) : error;
    } finally {
      await writer.discard();
    }
  }

  return async (caller, name, sha256s, onRewrite) => {
    const { id } = await readRepo(database.read, caller, name, 'repo.write');
    await objects.prepare(id);
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const refs = await refsWithTags(database.read, id);
      const moves = await rewrite(objects.open(id), refs, new Set(sha256s));
      const moved = await runChange(caller, name, async (tx, repo) => {
        if (repo.id !== id || !isSame(refs, await refsWithTags(tx, id))) return false;
        if (moves.length > 0) await moveRefs(refPorts, tx, caller, repo, moves);
        await onRewrite(tx, repo);
        return true;
      });
      if (moved) return;
    }
    throw conflict('This repository keeps changing; try again');
  };
}

function isSame(before: readonly StoredRef[], now: readonly StoredRef[]): boolean {
  const shas = new Map(now.map(({ ref, sha }) => [ref, sha]));
  return before.length === now.length && before.every(({ ref, sha }) => shas.get(ref) === sha);
}

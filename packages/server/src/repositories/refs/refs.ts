import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Executor, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import { recordRepoEvent } from '../events.ts';
import { BRANCH, MAIN, PULL_REQUEST, TAG } from '../policy.ts';
import {
  deleteRefs,
  hasCommit,
  insertRef,
  putRef,
  putRefs,
  type Repository,
  refInTheWay,
  refNames,
  refSha,
  touchRepo,
  updateRepo,
} from '../store.ts';
import { requireUnmirrored } from './mirrored.ts';
import { createRefNames } from './ref-names.ts';

/**
 * Returns the commit of a branch, a tag, a full ref, `HEAD`, or a commit id that a ref points to. Throws 404 otherwise.
 */
export async function resolveRevision(executor: ReadExecutor, repo: Repository, revision: string): Promise<string> {
  // The repository's row has the head of `main`.
  if (BRANCH + revision === MAIN && repo.head_sha !== null) return repo.head_sha;
  for (const ref of [BRANCH + revision, TAG + revision, revision]) {
    const sha = await refSha(executor, repo.id, ref);
    if (sha) return sha;
  }
  if (revision === 'HEAD' && repo.head_sha !== null) return repo.head_sha;
  if (/^[0-9a-f]{40}$/.test(revision) && (await hasCommit(executor, repo.id, revision))) return revision;
  throw notFound(`Invalid rev id: ${revision}`, 'RevisionNotFound');
}

export interface RefPorts {
  readonly events: Events;
  readonly clock: Clock;
  /** Called with the id of the repository after the transaction. */
  readonly onRefsChanged: (repoId: string) => void;
  /** Whether refs are moved to where the remote of a mirror has them. */
  readonly followsRemote?: boolean;
}

/** A ref to set, move or delete. */
export interface RefMove {
  readonly ref: string;
  /** Null if the ref is new. */
  readonly oldSha: string | null;
  /** The commit; null deletes the ref. */
  readonly newSha: string | null;
  /** The id of the tag object if the ref is an annotated tag. */
  readonly tagId?: string | null | undefined;
}

/**
 * Sets or deletes (`null`) a ref and records `repo.content`, unless the ref is in that state already. `known` passes
 * the current commit if the caller has read it.
 */
export async function changeRef(
  ports: RefPorts,
  tx: Executor,
  caller: Caller,
  repo: Repository,
  ref: string,
  newSha: string | null,
  known?: { readonly oldSha: string | undefined },
): Promise<void> {
  const oldSha = (known ? known.oldSha : await refSha(tx, repo.id, ref)) ?? null;
  if (oldSha !== newSha) await moveRefs(ports, tx, caller, repo, [{ ref, oldSha, newSha }]);
}

/**
 * Moves refs and records one `repo.content` for all of them. Refs of pull requests do not change when the repository
 * was last modified. Throws 403 for the branches and tags of a mirror.
 */
export async function moveRefs(
  { events, clock, onRefsChanged, followsRemote = false }: RefPorts,
  tx: Executor,
  caller: Caller,
  repo: Repository,
  moves: readonly RefMove[],
): Promise<void> {
  if (!followsRemote) for (const { ref } of moves) requireUnmirrored(repo, ref);
  const gone = moves.filter(({ newSha }) => newSha === null).map(({ ref }) => ref);
  if (gone.length > 0) await deleteRefs(tx, repo.id, gone);
  await setRefs(tx, repo.id, moves);
  afterCommit(tx, () => onRefsChanged(repo.id));
  const main = moves.find(({ ref }) => ref === MAIN);
  const change = {
    ...(main && { head_sha: main.newSha }),
    ...(!moves.every(({ ref }) => ref.startsWith(PULL_REQUEST)) && { last_modified: clock.now() }),
  };
  if (main) await updateRepo(tx, repo.id, change);
  else if (change.last_modified !== undefined) await touchRepo(tx, repo.id, change.last_modified);
  await recordRepoEvent(
    events,
    tx,
    caller,
    { ...repo, ...change },
    {
      scope: 'repo.content',
      action: 'update',
      extra: { updatedRefs: moves.map(({ ref, oldSha, newSha }) => ({ ref, oldSha, newSha })) },
    },
  );
}

/** Throws 409 for a new ref that exists or cannot be beside another. */
async function setRefs(tx: Executor, repoId: string, moves: readonly RefMove[]): Promise<void> {
  const rows = moves.flatMap(({ ref, newSha, tagId = null }) =>
    newSha === null ? [] : { repo_id: repoId, ref, sha: newSha, tag_id: tagId },
  );
  const created = moves.filter(({ oldSha, newSha }) => oldSha === null && newSha !== null).map(({ ref }) => ref);
  const [only, ...others] = rows;
  if (!only) return;
  if (others.length > 0) {
    await requireNoObstacle(tx, repoId, created);
    await putRefs(tx, rows);
  } else if (created.length === 0) await putRef(tx, repoId, only.ref, only.sha, only.tag_id);
  else if (!(await insertRef(tx, only))) {
    await requireNoObstacle(tx, repoId, created);
    throw refExists(only.ref);
  }
}

/** Clients look for this text. */
const refExists = (ref: string) => conflict(`Reference ${ref} already exists`);

/** Throws 409 if one of some new refs cannot be beside another ref. */
async function requireNoObstacle(tx: Executor, repoId: string, created: readonly string[]): Promise<void> {
  const [only, ...others] = created;
  if (only === undefined) return;
  const isOne = others.length === 0;
  const names = isOne ? undefined : createRefNames(await refNames(tx, repoId));
  for (const ref of created) {
    const obstacle = names ? names.obstacleTo(ref) : await refInTheWay(tx, repoId, ref);
    if (obstacle !== undefined) throw conflict(`${ref} cannot be beside ${obstacle}`);
    names?.add(ref);
  }
}

import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { recordRepoEvent } from './events.ts';
import { BRANCH, MAIN, PULL_REQUEST, TAG } from './policy.ts';
import { hasCommit, putRef, type Repository, refSha, removeRef, updateRepo } from './store.ts';

/** A made-up commit id, until files exist: 40 hexadecimal characters from an object id. */
export const madeCommitId = (id: string): string => createHash('sha1').update(id).digest('hex');

/** The commit a revision stands for: a branch, a tag, a full ref, `HEAD` or a commit id that a ref holds; else 404. */
export async function resolveRevision(executor: ReadExecutor, repo: Repository, revision: string): Promise<string> {
  // What main holds is kept with the repository.
  if (BRANCH + revision === MAIN && repo.head_sha !== null) return repo.head_sha;
  for (const ref of [BRANCH + revision, TAG + revision, revision]) {
    const sha = await refSha(executor, repo.id, ref);
    if (sha) return sha;
  }
  if (revision === 'HEAD' && repo.head_sha !== null) return repo.head_sha;
  if (/^[0-9a-f]{40}$/.test(revision) && (await hasCommit(executor, repo.id, revision))) return revision;
  throw notFound(`Invalid rev id: ${revision}`, 'RevisionNotFound');
}

/**
 * Sets or removes (`null`) a ref and records `repo.content`; nothing happens where it is so already. The ref of a pull
 * request is no change of the repository's own content. `known`: what the ref is now, where that was read already.
 */
export async function changeRef(
  { events, clock }: { readonly events: Events; readonly clock: Clock },
  tx: Executor,
  caller: Caller,
  repo: Repository,
  ref: string,
  newSha: string | null,
  known?: { readonly oldSha: string | undefined },
): Promise<void> {
  const oldSha = (known ? known.oldSha : await refSha(tx, repo.id, ref)) ?? null;
  if (oldSha === newSha) return;
  if (newSha === null) await removeRef(tx, repo.id, ref);
  else await putRef(tx, repo.id, ref, newSha);
  const change = {
    ...(ref === MAIN && { head_sha: newSha }),
    ...(!ref.startsWith(PULL_REQUEST) && { last_modified: clock.now() }),
  };
  if (Object.keys(change).length > 0) await updateRepo(tx, repo.id, change);
  await recordRepoEvent(
    events,
    tx,
    caller,
    { ...repo, ...change },
    {
      scope: 'repo.content',
      action: 'update',
      extra: { updatedRefs: [{ ref, oldSha, newSha }] },
    },
  );
}

import { createHash } from 'node:crypto';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/record.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { recordRepoEvent } from './events.ts';
import { BRANCH, MAIN, TAG } from './policy.ts';
import { hasCommit, putRef, type Repository, refSha, removeRef, updateRepo } from './store.ts';

/** A made-up commit id, until files exist: 40 hexadecimal characters from an object id. */
export const madeCommitId = (id: string): string => createHash('sha1').update(id).digest('hex');

/** The commit a revision stands for: a branch, a tag, a full ref or a commit id that a ref holds. 404 otherwise. */
export async function resolveRevision(executor: Executor, repo: Repository, revision: string): Promise<string> {
  for (const ref of [BRANCH + revision, TAG + revision, revision]) {
    const sha = await refSha(executor, repo.id, ref);
    if (sha) return sha;
  }
  if (/^[0-9a-f]{40}$/.test(revision) && (await hasCommit(executor, repo.id, revision))) return revision;
  throw notFound(`Invalid rev id: ${revision}`, 'RevisionNotFound');
}

/** Sets or removes (`null`) a ref and records `repo.content`; nothing happens where it is so already. */
export async function changeRef(
  events: Events,
  tx: Executor,
  caller: Caller,
  repo: Repository,
  ref: string,
  newSha: string | null,
): Promise<void> {
  const oldSha = (await refSha(tx, repo.id, ref)) ?? null;
  if (oldSha === newSha) return;
  if (newSha === null) await removeRef(tx, repo.id, ref);
  else await putRef(tx, repo.id, ref, newSha);
  const changed = ref === MAIN ? { ...repo, head_sha: newSha } : repo;
  if (ref === MAIN) await updateRepo(tx, repo.id, { head_sha: newSha });
  await recordRepoEvent(events, tx, caller, changed, {
    scope: 'repo.content',
    action: 'update',
    extra: { updatedRefs: [{ ref, oldSha, newSha }] },
  });
}

import { type AccountEvent, findAccountById, nameKey } from '../../accounts/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { HubEvent } from '../../platform/events/events.ts';
import type { Reaction } from '../../platform/events/reaction.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import { forgetCandidates } from '../matching/matching.ts';
import type { WatchedRow } from '../tables.ts';
import { bindName, findNamedRepo, renameAccountItems, renameRepoItems, unbindTarget } from './binding-store.ts';

/**
 * Keeps the names of watched items up to date: an item is bound when something gets its name, renamed with it, and unbound when it
 * is deleted. Items that are newer than the event were bound when they were added, and stay. Events are handled in any order,
 * so that the end of a repository may be handled before its beginning.
 */
export const followNames: Reaction<RepoEvent> = async (tx, event) => {
  const { scope, action, repo, from } = event.data;
  if (scope !== 'repo') return undefined;
  switch (action) {
    case 'create':
      await bindRepo(tx, repo, event);
      break;
    case 'move':
      if (from) await bindRepo(tx, { ...repo, ...from }, event);
      await rename(tx, repo, event.epoch);
      await bindRepo(tx, repo, event);
      break;
    case 'delete':
      await bindRepo(tx, repo, event);
      // The event has the last name: a rename of the owner leaves out deleted repositories.
      await rename(tx, repo, event.epoch);
      await unbindTarget(tx, repo.id, event.createdAt);
      break;
    case 'update':
      return undefined;
  }
  forgetCandidates(tx);
  return undefined;
};

/** Does the same for users and organizations that are renamed, with all their repositories. */
export const followAccountNames: Reaction<AccountEvent> = async (tx, event) => {
  const { accountId, before, name: given } = event.data;
  const account = await findAccountById(tx, accountId);
  if (!account) return undefined;
  const { kind: type, name } = account;
  await bindNamed(tx, { type, name: before, id: accountId }, event);
  await renameAccountItems(tx, { id: accountId, type }, { name, name_key: nameKey(name) });
  // Items with the name that the account got then follow it as well, even if the account has yet another name by now.
  await bindNamed(tx, { type, name: given ?? name, id: accountId }, event);
  forgetCandidates(tx);
  return undefined;
};

/** Renames the watched items of a repository to its current name or, if it has been deleted, to its name in the event. */
async function rename(tx: Executor, repo: RepoEvent['repo'], epoch: number): Promise<void> {
  const now = await findNamedRepo(tx, repo.id);
  const name = now ? `${now.owner}/${now.name}` : repo.name;
  const facts = now ? { ...now, private: now.private === 1, id: repo.id } : repo;
  await renameRepoItems(tx, facts, { name, name_key: nameKey(name) }, epoch);
}

/** Binds items with the names of a repository and of its owner. */
async function bindRepo(tx: Executor, repo: RepoEvent['repo'], event: HubEvent): Promise<void> {
  const account = { type: repo.ownerKind, name: repo.name.split('/')[0] ?? '', id: repo.ownerId };
  for (const named of [repo, account]) await bindNamed(tx, named, event);
}

const bindNamed = (
  tx: Executor,
  { type, name, id }: { readonly type: WatchedRow['type']; readonly name: string; readonly id: string },
  event: HubEvent,
): Promise<void> => bindName(tx, { type, nameKey: nameKey(name), id }, event);

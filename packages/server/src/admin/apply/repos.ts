import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { findAccount } from '../../accounts/index.ts';
import type { PutFiles } from '../../content/index.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { findRepo, isNewPrivate, ownedBy, type Repositories } from '../../repositories/index.ts';
import { changedConcurrently, itemsOf, repoNameOf } from './items.ts';
import type { Steps } from './steps.ts';

const REPOS_A_STEP = 20;

/** Creates repositories or changes their visibility. */
export const applyRepos = (steps: Steps, repos: HubDocument['repos'], repositories: Repositories): Promise<void> =>
  steps.each(itemsOf('repos', repos).present, REPOS_A_STEP, async ({ tx, caller, count }, part) => {
    for (const { item } of part) {
      const name = repoNameOf(item);
      const existing = await findRepo(tx, name);
      if (existing) {
        const changed = await repositories.applySettings(tx, caller, existing, { private: item.private });
        count('repos', changed === existing ? 'unchanged' : 'updated');
        continue;
      }
      const owner = await findAccount(tx, name.namespace);
      if (!owner) throw changedConcurrently();
      const target = { ...name, ownerId: owner.id, ...ownedBy(owner) };
      await repositories.insert(tx, caller, target, { private: await isNewPrivate(tx, owner, item) });
      count('repos', 'created');
    }
  });

/** Puts the files of the document on `main` where they differ: on the disk, and so after all transactions. */
export async function applyFiles(caller: Caller, repos: HubDocument['repos'], putFiles: PutFiles): Promise<void> {
  for (const { item } of itemsOf('repos', repos).present)
    if (item.files && Object.keys(item.files).length > 0) await putFiles(caller, repoNameOf(item), item.files);
}

export const removeRepos = (steps: Steps, repos: HubDocument['repos'], repositories: Repositories): Promise<void> =>
  steps.each(itemsOf('repos', repos).absent, REPOS_A_STEP, async ({ tx, caller, count }, part) => {
    for (const { item } of part) {
      const repo = await findRepo(tx, repoNameOf(item));
      if (!repo) continue;
      await repositories.remove(tx, caller, repo);
      count('repos', 'removed');
    }
  });

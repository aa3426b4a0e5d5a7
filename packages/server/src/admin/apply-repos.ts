import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { findAccount } from '../accounts/index.ts';
import { findRepo, type Repositories, repoNameFault } from '../repositories/index.ts';
import { type Application, itemsOf } from './application.ts';

/** Creates repositories, or makes them private or public as given. */
export async function applyRepos(
  run: Application,
  repos: HubDocument['repos'],
  repositories: Repositories,
): Promise<void> {
  for (const { item, path } of itemsOf('repos', repos).present) {
    await run.breathe();
    const name = nameOf(item);
    const existing = await findRepo(run.tx, name);
    if (existing) {
      const changed = await repositories.applySettings(run.tx, run.caller, existing, { private: item.private });
      run.count('repos', changed === existing ? 'unchanged' : 'updated');
      continue;
    }
    const owner = await findAccount(run.tx, name.namespace);
    const fault = owner ? repoNameFault(name.name) : `there is no user or organization named ${name.namespace}`;
    if (!owner || fault) {
      run.fault(`${path}.name`, fault ?? '');
      continue;
    }
    const target = { ...name, ownerId: owner.id, ownerName: owner.name, ownerKind: owner.kind };
    await repositories.insert(run.tx, run.caller, target, { private: item.private ?? false });
    run.count('repos', 'created');
  }
}

export async function removeRepos(
  run: Application,
  repos: HubDocument['repos'],
  repositories: Repositories,
): Promise<void> {
  for (const { item } of itemsOf('repos', repos).absent) {
    await run.breathe();
    const repo = await findRepo(run.tx, nameOf(item));
    if (!repo) continue;
    await repositories.remove(run.tx, run.caller, repo);
    run.count('repos', 'removed');
  }
}

function nameOf(item: HubDocument['repos'][number]) {
  const [namespace = '', name = ''] = item.name.split('/');
  return { type: item.type, namespace, name };
}

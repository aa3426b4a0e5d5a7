import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { findRepo, lockRepoById, type Repository } from '../../repositories/index.ts';
import type { Spaces } from '../../spaces/index.ts';
import { changedConcurrently, hasSpaceSettings, itemsOf, repoNameOf } from './items.ts';
import type { Step, Steps } from './steps.ts';

type HubRepo = HubDocument['repos'][number];
type SpaceParts = Pick<Spaces, 'environment' | 'volumes'>;

const SPACES_A_STEP = 10;

/** Brings variables, secrets and volumes of Spaces to what the document says, once all repositories are there. */
export const applySpaces = (steps: Steps, repos: HubDocument['repos'], spaces: SpaceParts): Promise<void> =>
  steps.each(
    itemsOf('repos', repos).present.filter(({ item }) => hasSpaceSettings(item)),
    SPACES_A_STEP,
    async (step, part) => {
      for (const { item } of part) {
        const space = await findRepo(step.tx, repoNameOf(item));
        if (!space || !(await lockRepoById(step.tx, space.id))) throw changedConcurrently();
        await applySettings(step, item, space, spaces);
      }
    },
  );

async function applySettings(step: Step, item: HubRepo, space: Repository, spaces: SpaceParts): Promise<void> {
  const { tx, caller, count } = step;
  const { variables = [], secrets = [], volumes } = item;
  const { environment } = spaces;
  for (const { key, state } of variables)
    if (state === 'absent' && (await environment.drop(tx, caller, space, 'variable', key)))
      count('spaceSettings', 'removed');
  for (const { key, state } of secrets)
    if (state === 'absent' && (await environment.drop(tx, caller, space, 'secret', key)))
      count('spaceSettings', 'removed');
  for (const { state, ...given } of variables)
    if (state !== 'absent') count('spaceSettings', await environment.put(tx, caller, space, 'variable', given));
  for (const { state, ...given } of secrets) {
    if (state === 'absent') continue;
    const change = await environment.putNewSecret(tx, caller, space, given);
    if (change === undefined) throw changedConcurrently();
    count('spaceSettings', change);
  }
  if (volumes) count('spaceSettings', await spaces.volumes.replace(tx, caller, space, volumes));
}

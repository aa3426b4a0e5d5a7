import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import { membershipsOf, missingRepo, requireRepo } from '../../access/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { findRepo, type RepoName, repoFacts } from '../../repositories/index.ts';
import { parseResource, resourceText } from './resource.ts';
import { readableRepos } from './resource-store.ts';

/** The rights of a publisher's tokens. */
interface Reach {
  readonly id: string;
  /** The resource text. */
  readonly name: string;
  readonly fineGrained: FineGrained;
}

/**
 * Returns the resource of a text. Throws if the caller may not change the repository or does not belong to the account.
 */
export async function requireResource(tx: Executor, principal: Principal, text: string): Promise<Reach> {
  const named = parseResource(text);
  if (!named) throw badRequest('body.resource: names neither a repository nor an account');
  return named.kind === 'repo' ? repoReach(tx, principal, named.repo) : accountReach(tx, principal, named.name);
}

async function repoReach(tx: Executor, principal: Principal, name: RepoName): Promise<Reach> {
  const repo = await findRepo(tx, name);
  if (!repo) throw await missingRepo(tx, principal, name.namespace);
  await requireRepo(tx, principal, repoFacts(repo), 'repo.write');
  const entity = { _id: repo.id, type: repo.type, name: `${repo.ownerName}/${repo.name}` };
  const text = resourceText({ type: repo.type, namespace: repo.ownerName, name: repo.name });
  return {
    id: repo.id,
    name: text,
    fineGrained: { scoped: [{ entity, permissions: ['repo.content.read', 'repo.write'] }], global: [] },
  };
}

async function accountReach(tx: Executor, { userId, userName }: Principal, text: string): Promise<Reach> {
  const key = text.toLowerCase();
  const own = { id: userId, name: userName, type: 'user' };
  const organizations = (await membershipsOf(tx, userId)).map(({ id, name }) => ({ id, name, type: 'org' }));
  const account = [own, ...organizations].find(({ name }) => name.toLowerCase() === key);
  if (!account) throw badRequest(`body.resource: is neither your name nor that of one of your organizations`);
  const { id, name, type } = account;
  const scoped = [{ entity: { _id: id, type, name }, permissions: ['repo.content.read'] }];
  return { id, name, fineGrained: { scoped, global: [] } };
}

/** Returns the names of resources by id; resources that are deleted or hidden from the caller are omitted. */
export async function resourceNames(
  executor: ReadExecutor,
  principal: Principal,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const repos = await readableRepos(executor, principal, ids);
  const organizations = await membershipsOf(executor, principal.userId);
  return new Map([
    [principal.userId, principal.userName],
    ...organizations.map(({ id, name }) => [id, name] as const),
    ...repos.map((repo) => [repo.id, resourceText(repo)] as const),
  ]);
}

import type { ResourceGroup } from '@moonbase/contract/organizations/resource-groups';
import type { z } from 'zod';
import { avatarUrl } from '../accounts/index.ts';
import { slugWithId } from '../collections/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import {
  collectionsOf,
  type Group,
  type GroupCollection,
  type GroupRepo,
  type GroupUser,
  reposOf,
  usersOf,
} from './store.ts';

type PresentedGroup = z.input<typeof ResourceGroup>;

/** Presents groups with their users, repositories and collections, with a query for each kind. */
export async function presentGroups(
  executor: ReadExecutor,
  { principal, baseUrl }: Caller,
  groups: readonly Group[],
): Promise<PresentedGroup[]> {
  if (groups.length === 0) return [];
  const ids = groups.map((group) => group.id);
  const users = await usersOf(executor, ids);
  const repos = await reposOf(executor, ids, principal);
  const collections = await collectionsOf(executor, ids, principal);
  const inGroup = <Row extends { groupId: string | null }>(rows: readonly Row[]) => {
    const byGroup = new Map<string | null, Row[]>(ids.map((id) => [id, []]));
    for (const row of rows) byGroup.get(row.groupId)?.push(row);
    return byGroup;
  };
  const usersIn = inGroup(users);
  const reposIn = inGroup(repos);
  const collectionsIn = inGroup(collections);
  return groups.map((group) => ({
    id: group.id,
    name: group.name,
    ...(group.description !== null && { description: group.description }),
    autoJoin: presentAutoJoin(group),
    users: (usersIn.get(group.id) ?? []).map((user) => presentUser(baseUrl, user)),
    repos: (reposIn.get(group.id) ?? []).map(presentRepo),
    collections: (collectionsIn.get(group.id) ?? []).map(presentCollection),
  }));
}

const presentAutoJoin = ({ auto_join_role: role, auto_join_scope: scope }: Group): PresentedGroup['autoJoin'] =>
  role === null ? { enabled: false } : { enabled: true, role, ...(scope === 'read_plus' && { scope }) };

const presentUser = (baseUrl: string, user: GroupUser): PresentedGroup['users'][number] => ({
  type: 'user',
  _id: user.id,
  fullname: user.fullname,
  name: user.name,
  avatarUrl: avatarUrl(baseUrl, user),
  role: user.role,
  ...(user.addedBy !== null && { addedBy: user.addedBy }),
});

const presentRepo = (repo: GroupRepo): PresentedGroup['repos'][number] => ({
  name: `${repo.ownerName}/${repo.name}`,
  type: repo.type,
  private: repo.private === 1,
  ...(repo.addedBy !== null && { addedBy: repo.addedBy }),
});

const presentCollection = (collection: GroupCollection): PresentedGroup['collections'][number] => ({
  slug: slugWithId({ name: collection.ownerName }, collection),
  title: collection.title,
  private: collection.private === 1,
});

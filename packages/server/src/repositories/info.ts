import { EXPANDABLE, type KernelInfo, type RepoInfo } from '@moonbase/contract/repositories/reading';
import type { z } from 'zod';
import { timestamp } from '../platform/clock.ts';
import { badRequest } from '../platform/http/errors.ts';
import { gatedOf, subdomainOf } from './present.ts';
import { fullName, type RepoName, type Repository } from './store.ts';

/** 400 for a field that a repository of this type does not have. */
export function requireExpandable(type: RepoName['type'], expand: readonly string[] | undefined): void {
  const known: readonly string[] = type === 'bucket' ? [] : EXPANDABLE[type];
  if (expand?.some((name) => !known.includes(name)))
    throw badRequest(`query.expand: "expand" must be one of [${known.join(', ')}]`);
}

/** A repository as clients read it (W§1.4). What this hub does not know is left out, what it does not count is 0. */
export function presentInfo(
  repo: Repository,
  sha: string,
  expand: readonly string[] | undefined,
): z.input<typeof KernelInfo> | z.input<typeof RepoInfo> {
  const id = fullName(repo);
  const common = {
    author: repo.ownerName,
    sha,
    lastModified: timestamp(repo.last_modified),
    private: repo.private === 1,
    likes: 0,
    gated: gatedOf(repo),
  };
  if (repo.type === 'kernel')
    return {
      ...common,
      id,
      repoType: 'kernel' as const,
      downloads: 0,
      isLikedByUser: false as const,
    };
  const all = {
    ...common,
    createdAt: timestamp(repo.created_at),
    disabled: false as const,
    tags: [],
    siblings: [],
    usedStorage: 0,
    ...(repo.type === 'space'
      ? { subdomain: subdomainOf(id), ...(repo.sdk !== null && { sdk: repo.sdk }) }
      : { downloads: 0 }),
  };
  const names = { _id: repo.id, id };
  if (!expand) return { ...names, ...(repo.type === 'model' && { modelId: id }), ...all };
  const known = Object.entries({ ...all, ...(repo.type !== 'space' && { downloadsAllTime: 0 }) });
  return { ...names, ...Object.fromEntries(known.filter(([name]) => expand.includes(name))) };
}

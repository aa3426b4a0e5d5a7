import { EXPANDABLE, type FromFiles, type KernelInfo, type RepoInfo } from '@moonbase/contract/repositories/reading';
import type { SpaceRuntime } from '@moonbase/contract/repositories/space-runtime';
import type { z } from 'zod';
import { timestamp } from '../platform/clock.ts';
import { badRequest } from '../platform/http/errors.ts';
import { gatedOf, subdomainOf } from './present.ts';
import { fullName, type RepoName, type Repository } from './store.ts';

/** Throws 400 for a field that repositories of this type do not have. */
export function requireExpandable(type: RepoName['type'], expand: readonly string[] | undefined): void {
  const known: readonly string[] = type === 'bucket' ? [] : EXPANDABLE[type];
  if (expand?.some((name) => !known.includes(name)))
    throw badRequest(`query.expand: "expand" must be one of [${known.join(', ')}]`);
}

/** The requested parts of a repository's info. */
export interface InfoRequest {
  readonly expand?: string[] | undefined;
  /** Whether the sizes and ids of files are requested. */
  readonly blobs: boolean;
  readonly securityStatus: boolean;
}

/** The fields of a repository's info that come from its files. */
export type CardFields = z.input<typeof FromFiles> & { readonly tags: string[]; readonly sdk?: string };

/** The values for a repository's info that had to be looked up. */
export interface RepoFindings {
  readonly sha: string;
  readonly siblings: Sibling[];
  readonly usedStorage: number;
  readonly card: Partial<CardFields>;
  readonly downloads: Downloads;
  /** Whether the caller likes the repository. */
  readonly isLiked: boolean;
  /** The state of a Space, if it is wanted. */
  readonly runtime?: SpaceRuntime | undefined;
}

export interface Downloads {
  /** The downloads of the last 30 days. */
  readonly recent: number;
  readonly allTime: number;
}

export const NO_DOWNLOADS: Downloads = { recent: 0, allTime: 0 };

const UNSCANNED = { scansDone: false as const, filesWithIssues: [] };

/** A file in a repository's info. */
export interface Sibling {
  readonly rfilename: string;
  readonly size?: number;
  readonly blobId?: string;
  readonly lfs?: { readonly size: number; readonly sha256: string; readonly pointerSize: number };
}

/**
 * Presents a repository for clients (W§1.4); unknown values are omitted, and counts that the hub does not keep are 0.
 */
export function presentInfo(
  repo: Repository,
  { sha, siblings, usedStorage, card, downloads, isLiked, runtime }: RepoFindings,
  { expand, securityStatus }: Pick<InfoRequest, 'expand' | 'securityStatus'>,
): z.input<typeof KernelInfo> | z.input<typeof RepoInfo> {
  const id = fullName(repo);
  const common = {
    author: repo.ownerName,
    sha,
    lastModified: timestamp(repo.last_modified),
    private: repo.private === 1,
    likes: repo.likes,
    gated: gatedOf(repo),
  };
  if (repo.type === 'kernel')
    return {
      _id: repo.id,
      ...common,
      id,
      repoType: 'kernel' as const,
      downloads: downloads.recent,
      isLikedByUser: isLiked,
    };
  const all = {
    ...common,
    createdAt: timestamp(repo.created_at),
    disabled: false as const,
    siblings,
    usedStorage,
    ...(repo.type === 'space'
      ? { subdomain: subdomainOf(id), ...(repo.sdk !== null && { sdk: repo.sdk }), ...(runtime && { runtime }) }
      : { downloads: downloads.recent }),
    ...card,
  };
  const security = securityStatus && { securityRepoStatus: UNSCANNED };
  const names = { _id: repo.id, id };
  if (!expand) return { ...names, ...(repo.type === 'model' && { modelId: id }), ...all, ...security };
  const known = Object.entries({
    ...all,
    trendingScore: repo.trending_score / 1000,
    ...(repo.type !== 'space' && { downloadsAllTime: downloads.allTime }),
  });
  return { ...names, ...security, ...Object.fromEntries(known.filter(([name]) => expand.includes(name))) };
}

import type { KernelInfo, RepoInfo } from '@moonbase/contract/repositories/reading';
import type { z } from 'zod';
import { findAccount } from '../accounts/index.ts';
import { presentCard } from '../cards/index.ts';
import { likedAmong } from '../likes/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { encodeCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import {
  digestOf,
  keyOf,
  positionFrom,
  presentInfo,
  type RepoContents,
  type Repository,
  requireExpandable,
} from '../repositories/index.ts';
import { runtimesOf } from '../spaces/index.ts';
import { cardsOf, listCatalog, positionIn, totalDownloads } from './catalog-store.ts';
import type { CatalogFilter } from './filter.ts';

const MAX_PAGE = 1000;
/** The size of a page whose fields are looked up for each repository or come from files. */
const MAX_FULL_PAGE = 100;

/** The fields of a repository in a list, without `expand`. */
const LISTED = [
  ...['author', 'createdAt', 'disabled', 'downloads', 'gated', 'lastModified', 'library_name', 'likes'],
  ...['pipeline_tag', 'private', 'sdk', 'tags', 'trendingScore'],
];
const FULL = ['sha', 'siblings', 'cardData', 'description', 'citation', 'paperswithcode_id', 'models', 'datasets'];
/** Fields that many repositories at once have cheaply. */
const CHEAP = new Set([
  ...LISTED,
  'runtime',
  'sha',
  'downloadsAllTime',
  'subdomain',
  'inferenceProviderMapping',
  'gitalyUid',
]);

export interface ListRequest {
  readonly filter: CatalogFilter;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly expand: string[] | undefined;
  /** Fields beside the usual ones; ignored with `expand`. */
  readonly more: readonly string[];
  readonly full: boolean;
}

export type Item = z.input<typeof RepoInfo> | z.input<typeof KernelInfo>;

export interface ListingDependencies {
  readonly database: Database;
  readonly contents: Pick<RepoContents, 'siblings' | 'usedStorage'>;
}

/** Creates the lists of repositories. */
export function createListing({ database: { read }, contents }: ListingDependencies) {
  async function present(
    { principal }: ReadingCaller,
    repos: readonly Repository[],
    expand: readonly string[],
    withModelId: boolean,
  ) {
    const { userId } = principal;
    const isWanted = (field: string) => expand.includes(field);
    const ids = repos.map(({ id }) => id);
    const isKernel = repos[0]?.type === 'kernel';
    const [cardRows, totals, liked, runtimes] = await Promise.all([
      isKernel ? [] : cardsOf(read, ids),
      isWanted('downloadsAllTime') ? totalDownloads(read, ids) : new Map<string, number>(),
      isKernel && userId !== undefined ? likedAmong(read, userId, ids) : new Set<string>(),
      isWanted('runtime') ? runtimesOf(read, principal, ids) : undefined,
    ]);
    const cards = new Map(cardRows.map((card) => [card.repo_id, card]));
    const items: Item[] = [];
    for (const repo of repos) {
      const sha = repo.head_sha ?? '';
      const info = presentInfo(
        repo,
        {
          sha,
          siblings: isWanted('siblings') ? await contents.siblings(repo.id, sha, false) : [],
          usedStorage: isWanted('usedStorage') ? await contents.usedStorage(repo.id) : 0,
          card: isKernel ? {} : presentCard(repo, cards.get(repo.id)),
          downloads: { recent: Number(repo.downloads), allTime: totals.get(repo.id) ?? 0 },
          isLiked: liked.has(repo.id),
          runtime: runtimes?.get(repo.id),
        },
        { expand: [...expand], securityStatus: false },
      );
      items.push(withModelId && repo.type === 'model' ? { ...info, modelId: info.id } : info);
    }
    return items;
  }

  /** Returns a page of the repositories that the caller may read and that pass the filter. */
  async function list(
    caller: ReadingCaller,
    { filter, limit, cursor, expand, more, full }: ListRequest,
  ): Promise<PageOf<Item>> {
    requireExpandable(filter.type, expand);
    const fields = expand ?? [...LISTED, ...more, ...(full ? FULL : [])];
    const size = Math.min(limit, fields.every((field) => CHEAP.has(field)) ? MAX_PAGE : MAX_FULL_PAGE);
    const digest = digestOf(filter);
    const after = positionFrom(cursor, digest);
    const { author, ...rest } = filter;
    const owner = author === undefined ? undefined : await findAccount(read, author);
    if (author !== undefined && !owner) return { items: [], next: undefined };
    const query = { ...rest, ownerId: owner?.id, after, limit: size + 1 };
    const { rows, until } = await listCatalog(read, caller.principal, query);
    const page = pageFrom(rows, size, (repo) => keyOf(positionIn(filter)(repo), digest));
    const next = page.next ?? (until && encodeCursor(keyOf(until, digest)));
    return { items: await present(caller, page.items, fields, expand === undefined), next };
  }

  return list;
}

import type { QuickSearchResult } from '@moonbase/contract/repositories/discovery';
import { findAccount } from '../accounts/index.ts';
import { distinctValues } from '../catalog/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { accounts, papers } from './public.ts';
import { collections, repositories } from './readable.ts';
import type { QuickSearchRequest, SearchedType } from './search.ts';

export type QuickSearch = ReturnType<typeof createQuickSearch>;

/** Creates the search over everything that has a name. */
export function createQuickSearch({ database: { read } }: { readonly database: Database }) {
  return async function quickSearch(caller: ReadingCaller, request: QuickSearchRequest): Promise<QuickSearchResult> {
    const { namespace } = request;
    const owner = namespace === undefined ? undefined : await findAccount(read, namespace);
    const types = namespace === undefined || owner ? request.types : new Set<SearchedType>();
    const search = {
      ...request,
      types,
      caller,
      words: distinctValues('q', request.text.toLowerCase().split(/\s+/), 'words'),
      ownerId: owner?.id,
    };
    const [model, dataset, space] = [
      await repositories(read, search, 'model'),
      await repositories(read, search, 'dataset'),
      await repositories(read, search, 'space'),
    ];
    const [kernel, bucket] = [await repositories(read, search, 'kernel'), await repositories(read, search, 'bucket')];
    const [paper, collection] = [await papers(read, search), await collections(read, search)];
    const [org, user] = [await accounts(read, search, 'org'), await accounts(read, search, 'user')];
    return {
      q: request.text,
      ...{ models: model.items, modelsCount: model.count, datasets: dataset.items },
      ...{ datasetsCount: dataset.count, spaces: space.items, spacesCount: space.count },
      ...{ kernels: kernel.items, kernelsCount: kernel.count },
      ...{ buckets: bucket.items, bucketsCount: bucket.count },
      ...{ papers: paper.items, papersCount: paper.count },
      ...{ collections: collection.items, collectionsCount: collection.count },
      ...{ orgs: org.items, orgsCount: org.count },
      users: user.items.map(({ name, ...shown }) => ({ ...shown, user: name })),
      usersCount: user.count,
    };
  };
}

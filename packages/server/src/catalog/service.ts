import type { Clock } from '../platform/clock.ts';
import { createListing, type ListingDependencies } from './listing.ts';
import { createSpaceSearch } from './space-search.ts';
import { createTags } from './tags.ts';
import { createTrending } from './trending.ts';

export type Catalog = ReturnType<typeof createCatalog>;

/** Creates the verbs that find repositories. */
export function createCatalog(dependencies: ListingDependencies & { readonly clock: Clock }) {
  const list = createListing(dependencies);
  return {
    list,
    trending: createTrending(list),
    tagsOf: createTags(dependencies),
    searchSpaces: createSpaceSearch(dependencies),
  };
}

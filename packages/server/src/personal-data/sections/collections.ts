import { timestamp } from '../../platform/clock.ts';
import { shownRepo } from '../names/shown-repo.ts';
import { type Section, stored } from '../section.ts';
import { collectionsOf } from './collections-store.ts';

/** A collection has up to 1,000 items, which are read together with it. */
const PAGE = 5;

type Item = Awaited<ReturnType<typeof collectionsOf>>[number]['items'][number];

const shownItem = (item: Item) => ({
  ...{ _id: item.id, position: item.position },
  ...(item.note !== null && { note: item.note }),
  ...targetOf(item),
});

function targetOf(item: Item) {
  if (item.arxiv_id !== null) return { paper: item.arxiv_id };
  return item.repoType === null ? { collection: item.nestedTitle } : { repo: shownRepo(item) };
}

/** The collections that the user owns, with their items. */
export const collectionSections: readonly Section[] = [
  stored('collections', {
    rows: collectionsOf,
    limit: PAGE,
    present: (row) => ({
      ...{ id: row.id, title: row.title, description: row.description, theme: row.theme },
      ...{ private: row.private === 1, position: row.position, upvotes: row.upvotes },
      createdAt: timestamp(row.created_at),
      lastUpdated: timestamp(row.updated_at),
      items: row.items.map(shownItem),
    }),
  }),
];

import { timestamp } from '../../platform/clock.ts';
import { shownRepo } from '../names/shown-repo.ts';
import { type Section, stored } from '../section.ts';
import { likesOf, mutesOf, upvotesOf, watchesOf } from './following-store.ts';

/** What the user watches, follows, mutes and likes. */
export const followingSections: readonly Section[] = [
  stored('watched', {
    rows: watchesOf,
    present: (row) => ({
      ...{ id: row.target_id, type: row.target_type },
      ...(row.target_type === 'repo' ? { repo: shownRepo(row) } : { name: row.name }),
      createdAt: timestamp(row.created_at),
    }),
  }),
  stored('muted', {
    rows: mutesOf,
    present: (row) => ({
      ...{ id: row.target_id, type: row.target_type, repo: shownRepo(row) },
      ...(row.num !== null && row.repoName !== null && { num: row.num }),
      createdAt: timestamp(row.created_at),
    }),
  }),
  stored('likes', {
    rows: likesOf,
    present: (row) => ({ id: row.id, repo: shownRepo(row), createdAt: timestamp(row.created_at) }),
  }),
  stored('upvotes', {
    rows: upvotesOf,
    present: ({ collection_id, title, created_at }) => ({
      collection: { id: collection_id, title },
      createdAt: timestamp(created_at),
    }),
  }),
];

import { timestamp } from '../../platform/clock.ts';
import { shownRepo } from '../names/shown-repo.ts';
import { withoutCredentials } from '../names/without-credentials.ts';
import { type Section, stored } from '../section.ts';
import { fileLocksOf, mirrorsOf, repositoriesOf } from './repositories-store.ts';

/** The repositories that the user owns, and what the user has set up in repositories. */
export const repositorySections: readonly Section[] = [
  stored('repositories', {
    rows: repositoriesOf,
    present: (row) => ({
      ...{ id: row.id, type: row.type, name: `${row.ownerName}/${row.name}` },
      ...{ private: row.private === 1, gated: row.gated ?? false },
      ...(row.gate_email !== null && { gatedNotificationsEmail: row.gate_email }),
      createdAt: timestamp(row.created_at),
      lastModified: timestamp(row.last_modified),
      ...{ downloads: row.downloads, likes: row.likes },
    }),
  }),
  stored('mirrors', {
    rows: mirrorsOf,
    present: (row) => ({
      repo: shownRepo(row),
      ...{ url: withoutCredentials(row.url), username: row.username, interval: row.interval_seconds },
      createdAt: timestamp(row.created_at),
    }),
  }),
  stored('fileLocks', {
    rows: fileLocksOf,
    present: (row) => ({
      ...{ id: row.id, repo: shownRepo(row), path: row.repoName === null ? null : row.path },
      lockedAt: timestamp(row.locked_at),
    }),
  }),
];

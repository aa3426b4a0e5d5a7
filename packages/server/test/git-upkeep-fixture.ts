import { pino } from 'pino';
import { createGitUpkeep } from '../src/content/index.ts';
import { createRepositoryObjects } from '../src/content/objects.ts';
import type { GitStore } from '../src/platform/git/git-store.ts';
import type { TestHub } from './harness.ts';

type Parts = Parameters<typeof createGitUpkeep>[0];

/** Creates the upkeep of a hub's git folders; `finish` runs rounds until nothing is due. */
export function upkeepOf(hub: Pick<TestHub, 'database' | 'clock'>, store: GitStore, parts: Partial<Parts> = {}) {
  const { database, clock } = hub;
  const onRefsFailed = (error: unknown) => {
    throw error;
  };
  const upkeep = createGitUpkeep({
    ...{ database, clock, store, logger: pino({ level: 'silent' }) },
    objects: createRepositoryObjects({ database, store, onRefsFailed }),
    hold: async () => true,
    ...parts,
  });
  return {
    ...upkeep,
    async finish(): Promise<void> {
      while ((await upkeep.round()).done > 0);
    },
  };
}

/** Returns what the upkeep knows about a repository. */
export const upkeepRowOf = ({ database }: TestHub, repoId: string) =>
  database.read.selectFrom('git_upkeep').selectAll().where('repo_id', '=', repoId).executeTakeFirstOrThrow();

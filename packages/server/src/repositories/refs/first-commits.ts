import { z } from 'zod';
import { defineTask, type StepOf } from '../../platform/queue/tasks.ts';
import { insertRootCommit, moveAllRefs, reposWithoutRoot } from './root-commit-store.ts';
import { authorOf, initialCommit } from './root-commits.ts';

/** Gives repositories of before there were files a first commit, where all of their refs then are. No events. */
export const firstCommitsTask = defineTask('repositories.first-commits', z.null());

/** Each takes three statements. */
const REPOS_A_STEP = 100;

export const createFirstCommits =
  (hubUrl: () => string): StepOf<typeof firstCommitsTask> =>
  async (tx) => {
    const repos = await reposWithoutRoot(tx, REPOS_A_STEP);
    for (const { id, type, author, created_at } of repos) {
      const commit = initialCommit(type, authorOf(author ?? 'unknown', hubUrl(), created_at));
      await insertRootCommit(tx, id, commit);
      await moveAllRefs(tx, id, commit.sha);
    }
    return repos.length < REPOS_A_STEP ? 'done' : { data: null };
  };

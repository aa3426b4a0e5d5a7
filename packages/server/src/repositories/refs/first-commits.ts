import * as z from 'zod';
import { defineTask, type StepOf } from '../../platform/queue/tasks.ts';
import { insertRootCommit, moveAllRefs, reposWithoutRoot } from './root-commit-store.ts';
import { authorOf, initialCommit } from './root-commits.ts';

/**
 * Gives a root commit to each repository from a release of the hub that stored no files, and moves all refs of the
 * repository to this commit, without events.
 */
export const firstCommitsTask = defineTask('repositories.first-commits', z.null());

/** The repositories of one step, which is one transaction: each takes three statements. */
const REPOS_PER_STEP = 100;

export const createFirstCommits =
  (hubUrl: () => string): StepOf<typeof firstCommitsTask> =>
  async (tx) => {
    const repos = await reposWithoutRoot(tx, REPOS_PER_STEP);
    for (const { id, type, author, created_at } of repos) {
      const commit = initialCommit(type, authorOf(author ?? 'unknown', hubUrl(), created_at));
      await insertRootCommit(tx, id, commit);
      await moveAllRefs(tx, id, commit.sha);
    }
    return repos.length < REPOS_PER_STEP ? 'done' : { data: null };
  };

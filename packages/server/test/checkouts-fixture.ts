import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getJob, type JobSpecification, runJob } from '@moonbase/client/jobs';
import { expect } from 'vitest';
import { contentHub } from './content-hub.ts';
import { knownGitStore } from './git-folder.ts';
import { createTestRunner } from './test-runner.ts';

export const JOB = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' as const };

/** Starts a hub that writes the files of volumes into folders for jobs, and whose jobs a test controls. */
export async function checkouts() {
  const volumes = await mkdtemp(join(tmpdir(), 'moonbase-volumes-'));
  const runner = createTestRunner();
  const at = await contentHub({ runner, gitStore: knownGitStore() }, { MOONBASE_JOB_VOLUMES_DIR: volumes });
  const ada = { ...at.hub.as('ada'), namespace: 'ada' };
  const run = (...mounted: NonNullable<JobSpecification['volumes']>) =>
    runJob({ ...ada, job: { ...JOB, volumes: mounted } });
  /** Runs a job until it has begun; returns its id and the folders that its runner was given. */
  const begin = async (...mounted: NonNullable<JobSpecification['volumes']>) => {
    const before = runner.launched.length;
    const { id } = await run(...mounted);
    return { id, folders: await begun(before) };
  };
  const begun = async (before = 0) => {
    await expect
      .poll(async () => {
        await at.hub.drain();
        return runner.launched.length;
      })
      .toBe(before + 1);
    return runner.launched.at(-1)?.folders ?? [];
  };
  const ended = async (jobId: string) => {
    await expect
      .poll(async () => {
        await at.hub.drain();
        return (await getJob({ ...ada, jobId })).finishedAt;
      })
      .toEqual(expect.any(String));
    return (await getJob({ ...ada, jobId })).status;
  };
  const left = () => readdir(join(volumes, 'checkouts')).catch(() => []);
  const leftAfterRound = async () => {
    await at.hub.drain();
    return left();
  };
  return {
    ...{ ...at, volumes, runner, ada, run, begin, begun, ended, left, leftAfterRound },
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await rm(volumes, { recursive: true, force: true });
    },
  };
}

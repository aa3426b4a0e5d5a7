import { settingsOf } from '../../access/index.ts';
import { findAccountById } from '../../accounts/index.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { volumesRefusal } from '../../spaces/index.ts';
import { LaunchFailure, NotYet, type Runner } from '../runners/runner.ts';
import { builtInEnvironment } from '../runs/hardware.ts';
import { labelsOf, specificationOf } from '../runs/specification.ts';
import { launchStanding } from '../runs/standing.ts';
import { findJob } from '../runs/store.ts';
import type { JobRow } from '../tables.ts';
import { attemptKey } from './attempt-key.ts';
import type { FindJobAuthority } from './authority.ts';
import { jobSecretsAt, type Launching, UNREADABLE_SECRETS } from './launch.ts';
import type { ActiveJob } from './queue-store.ts';
import type { Transitions } from './transitions.ts';

interface Dependencies {
  readonly database: Database;
  readonly runner: Runner;
  readonly launching: Launching;
  readonly transitions: Transitions;
  readonly authorityOf: FindJobAuthority;
}

/** Returns whether a job will soon be canceled, because its creator was disabled or deleted, or its organization deleted. */
async function isBeingCanceled(reader: ReadExecutor, job: JobRow): Promise<boolean> {
  const creator = await findAccountById(reader, job.created_by);
  return !creator || creator.disabled_at !== null || (await settingsOf(reader, job.owner_id)).deleted_at !== null;
}

/** Makes the runner begin an attempt. Returns whether the job has changed. */
export function createBeginAttempt({ database, runner, launching, transitions, authorityOf }: Dependencies) {
  /** Returns why a job may no longer run, since rights can be lost while it waits; undefined if it may. */
  async function refusalOf(job: JobRow): Promise<string | undefined> {
    const authority = await authorityOf(database.read, {
      ...launchStanding(job),
      ownerId: job.owner_id,
      what: 'this job',
    });
    if ('refusal' in authority) return authority.refusal;
    const refusal = await volumesRefusal(database.read, specificationOf(job), authority.principal);
    return refusal?.message;
  }

  /** Ends the job, and anything that another hub process began of this attempt before it died. */
  async function refuse(seen: ActiveJob, job: JobRow, reason: string): Promise<boolean> {
    await runner.stop(attemptKey(job));
    const changed = await transitions.fail(seen, reason, true);
    await runner.forget(attemptKey(job));
    return changed;
  }

  async function fail(seen: ActiveJob, job: JobRow, reason: string): Promise<boolean> {
    const changed = await transitions.fail(seen, reason);
    await runner.forget(attemptKey(job));
    return changed;
  }

  return async (seen: ActiveJob): Promise<boolean> => {
    const job = await findJob(database.read, seen.id);
    if (!job || (await isBeingCanceled(database.read, job))) return false;
    const refusal = await refusalOf(job);
    if (refusal !== undefined) return refuse(seen, job, refusal);
    const secrets = launching.secretsOf(job.secrets, jobSecretsAt(job.id));
    if (!secrets) return refuse(seen, job, UNREADABLE_SECRETS);
    const specification = specificationOf(job);
    const environment = {
      ...specification.environment,
      ...secrets,
      ...(job.trigger_environment !== null && parseJson(job.trigger_environment)),
      ...builtInEnvironment(job.id, specification.flavor),
    };
    try {
      await runner.start({ key: attemptKey(job), specification, environment, labels: labelsOf(job.labels) });
    } catch (error) {
      if (error instanceof LaunchFailure) return fail(seen, job, error.message);
      if (!(error instanceof NotYet)) throw error;
      // The runner repeats the same message on every call; one event is enough.
      if (job.message !== error.message) await transitions.wait(seen, error.message);
      return false;
    }
    return transitions.start(seen);
  };
}

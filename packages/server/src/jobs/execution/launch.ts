import type { JobInitiator } from '@moonbase/contract/jobs/jobs';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Executor, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import type { Ids } from '../../platform/ids.ts';
import { opens, type SealedAt, type SecretBox } from '../../platform/secrets.ts';
import { parseJson } from '../../platform/stored-form.ts';
import type { Source } from '../../repositories/index.ts';
import { volumesRefusal } from '../../spaces/index.ts';
import { type Refusal, type Runner, START } from '../runners/runner.ts';
import { boundSources } from '../runs/reach.ts';
import type { Parts, StoredSpecification, TriggerEnvironment } from '../runs/specification.ts';
import type { Creator } from '../runs/standing.ts';
import { addEvent, insertJob } from '../runs/store.ts';
import type { VolumeFiles } from '../volumes/volume-files.ts';

/** The largest values that the operator allows in a specification. */
export interface JobLimits {
  readonly timeoutSeconds: number;
  readonly attempts: number;
}

/** A job to add to the queue. */
export interface NewJob extends Parts {
  readonly ownerId: string;
  readonly creator: Creator;
  readonly initiator: { readonly type: JobInitiator['type']; readonly id: string };
  readonly triggerEnvironment?: TriggerEnvironment | undefined;
  /** Repositories that the specification does not name, such as that of the event which launches the job. */
  readonly otherSources?: readonly Source[];
  /** A unique key: each key has at most one job. */
  readonly triggerKey?: string;
}

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly runner: Runner;
  /** Absent if the hub does not write the files of volumes into folders. */
  readonly volumeFiles: Pick<VolumeFiles, 'refusal'> | undefined;
  readonly limits: JobLimits;
  /** Wakes the worker. */
  readonly nudge: () => void;
}

/** Returns the location to which the secrets of a job are sealed. */
export const jobSecretsAt = (id: string): SealedAt => ({ table: 'jobs', column: 'secrets', id });

export const UNREADABLE_SECRETS =
  'The secrets are not the ones that were stored for this, and cannot be read; set them again';

export type Launching = ReturnType<typeof createLaunching>;

/** Creates jobs: every run, schedule and webhook uses these functions. */
export function createLaunching({ clock, ids, secretBox, runner, volumeFiles, limits, nudge }: Dependencies) {
  return {
    /** Returns why this hub or this caller cannot run a job with a specification; undefined if it can be run. */
    async refusal(
      executor: ReadExecutor,
      specification: StoredSpecification,
      who: Principal,
    ): Promise<Refusal | undefined> {
      const { timeoutSeconds, attempts } = specification;
      if ((timeoutSeconds ?? 0) > limits.timeoutSeconds)
        return { path: 'timeoutSeconds', message: `must be at most ${limits.timeoutSeconds} on this hub` };
      if (attempts > limits.attempts)
        return { path: 'attempts', message: `must be at most ${limits.attempts} on this hub` };
      if (specification.volumes?.some(({ mountPath }) => /^\/+$/.test(mountPath)))
        return { path: 'volumes', message: 'cannot be mounted at the root' };
      return runner.refusal(specification) ?? volumesRefusal(executor, specification, who);
    },

    /** Returns which revision does not exist, which reading the disk tells: not to be called in a transaction. */
    revisionRefusal: async ({ volumes = [] }: StoredSpecification): Promise<Refusal | undefined> =>
      volumeFiles?.refusal(volumes),

    /** Adds a job to the queue, or inserts it as failed if `failure` gives a reason. Returns its id. */
    async insert(tx: Executor, job: NewJob, failure?: string): Promise<string> {
      const now = clock.now();
      const { specification, secrets, labels, triggerEnvironment } = job;
      const newId = ids();
      const { id, isNew } = await insertJob(tx, {
        id: newId,
        owner_id: job.ownerId,
        created_by: job.creator.id,
        created_by_name: job.creator.name,
        token_id: job.creator.tokenId,
        initiator_type: job.initiator.type,
        initiator_id: job.initiator.id,
        trigger_key: job.triggerKey ?? null,
        created_at: now,
        started_at: null,
        finished_at: failure === undefined ? null : now,
        specification: JSON.stringify(specification),
        secrets: Object.keys(secrets).length > 0 ? secretBox.seal(JSON.stringify(secrets), jobSecretsAt(newId)) : null,
        trigger_environment: triggerEnvironment ? JSON.stringify(triggerEnvironment) : null,
        sources: JSON.stringify([...(await boundSources(tx, specification)), ...(job.otherSources ?? [])]),
        labels,
        stage: failure === undefined ? 'SCHEDULING' : 'ERROR',
        message: failure ?? null,
        failures: 0,
        attempt: 0,
        active: null,
        deadline_at: null,
        log_position: START,
        log_lines: 0,
        log_bytes: 0,
      });
      if (isNew) await addEvent(tx, id, now, failure === undefined ? 'Created' : 'Failed', failure ?? 'The job waits');
      afterCommit(tx, nudge);
      return id;
    },

    /** Opens sealed secrets; undefined if they were sealed to another location or tampered with. */
    secretsOf(sealed: string | null, at: SealedAt): Record<string, string> | undefined {
      if (sealed === null) return {};
      return opens(secretBox, sealed, at) ? parseJson(secretBox.open(sealed, at)) : undefined;
    },
  };
}

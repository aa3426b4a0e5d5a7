import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import { type AttemptState, type Launch, LaunchFailure, NotYet, type Runner } from '../runner.ts';
import { createApiClient, type Pause } from './api-client.ts';
import { createAttemptObjects } from './attempt-objects.ts';
import { type Phase, phaseOf } from './attempt-state.ts';
import type { Connection } from './connection.ts';
import { jobManifest } from './manifests.ts';
import type { JobObject } from './objects.ts';
import { createOutputs } from './outputs.ts';
import { createRefusal, isTooLarge, noFlavor } from './refusal.ts';
import type { KubernetesSettings } from './settings.ts';
import { createStop } from './stop.ts';

interface Dependencies {
  readonly settings: KubernetesSettings;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Patterns of images that may be run; if empty, the cluster decides. */
  readonly images: readonly string[];
  /** The maximum duration of an attempt, in seconds. */
  readonly maxTimeoutSeconds: number;
  /** Called when an object of an attempt has changed. */
  readonly onChange: () => void;
  readonly pause?: Pause | undefined;
}

/** Runs each attempt as a Job of Kubernetes, found again by name and labels. */
export function createKubernetesRunner(given: Dependencies): Runner {
  const { settings, connection, clock, logger, images, maxTimeoutSeconds, onChange } = given;
  const { hub } = settings;
  const api = createApiClient(connection, given.pause);
  const namespace = settings.namespace ?? connection.namespace ?? 'default';
  const objects = createAttemptObjects({ api, logger, namespace, hub, onChange });
  const outputs = createOutputs({ api, objects });
  const stop = createStop({ api, objects, hub });
  /** The keys that the last sweep found unwanted. */
  let leftovers = new Set<string>();

  async function phaseNow(key: string, job: JobObject): Promise<Phase> {
    const { startTime } = job.status ?? {};
    const waitedMs = startTime === undefined ? 0 : clock.now() - Date.parse(startTime);
    return phaseOf(job, await objects.podsOf(key), { waitedMs, maxWaitMs: settings.startSeconds * 1000 });
  }

  async function create(launch: Launch): Promise<JobObject> {
    const { specification, environment, key } = launch;
    if (isTooLarge(environment))
      throw new LaunchFailure('The environment and the secrets have more than 1 MB, which Kubernetes does not take');
    const entry = settings.flavors[specification.flavor];
    if (!entry) throw new LaunchFailure(noFlavor(settings, specification.flavor));
    const seconds = Math.min(specification.timeoutSeconds ?? maxTimeoutSeconds, maxTimeoutSeconds);
    return objects.createJob(key, jobManifest(settings, launch, entry, seconds));
  }

  async function forget(key: string): Promise<void> {
    await outputs.close(key);
    await objects.deleteJob(key, 'Background');
  }

  return {
    name: 'kubernetes',
    note: null,
    refusal: createRefusal(settings, images),

    async start(launch) {
      let job = (await objects.findJob(launch.key)) ?? (await create(launch));
      if (job.spec?.suspend && job.metadata.deletionTimestamp === undefined) job = await objects.release(job, launch);
      const now = await phaseNow(launch.key, job);
      if (now.phase === 'waiting') throw new NotYet(now.message);
      if (now.phase !== 'refused') return;
      await stop(launch.key);
      throw new LaunchFailure(now.reason);
    },

    async inspect(key): Promise<AttemptState> {
      const job = await objects.findJob(key);
      if (!job) return { state: 'ended', exitCode: null };
      const now = await phaseNow(key, job);
      if (now.phase === 'waiting' || now.phase === 'running') return { state: 'running' };
      if (now.phase === 'refused') return { state: 'ended', exitCode: null, reason: now.reason };
      const { exitCode, reason, timedOut } = now;
      return { state: 'ended', exitCode, ...(reason !== undefined && { reason }), ...(timedOut && { timedOut }) };
    },

    read: (key, position, maxBytes) => outputs.read(key, position, maxBytes),
    discard: outputs.close,
    stop,
    forget,

    /** Removes only what two successive sweeps find unwanted: another hub may have begun an attempt a moment ago. */
    async sweep(keys) {
      const known = objects.knownJobs();
      if (!known) {
        objects.listJobs().catch((error: unknown) => logger.error({ err: error }, 'Kubernetes cannot be reached'));
        return;
      }
      const unwanted = new Set([...known.keys()].filter((key) => !keys.has(key)));
      for (const key of unwanted) if (leftovers.has(key)) await forget(key);
      leftovers = unwanted;
    },

    async close() {
      await api.close();
      await outputs.closeAll();
    },
  };
}

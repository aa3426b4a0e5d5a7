import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { StoredSpecification } from '../../runs/specification.ts';
import { isAllowed } from '../image-policy.ts';
import { type AttemptState, type Launch, LaunchFailure, NotYet, type Refusal, type Runner } from '../runner.ts';
import { createApiClient, isStatus, type Pause } from './api-client.ts';
import { isOver, type Phase, phaseOf } from './attempt-state.ts';
import { createCollection } from './collection.ts';
import type { Connection } from './connection.ts';
import { followLog, type LogFollower } from './log-follower.ts';
import { jobManifest, secretManifest } from './manifests.ts';
import { HUB_LABEL, KEY_LABEL, objectName } from './names.ts';
import type { JobObject, ObjectList, PodObject } from './objects.ts';
import type { KubernetesSettings } from './settings.ts';
import { volumesRefusal } from './volumes.ts';

interface Dependencies {
  readonly settings: KubernetesSettings;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Patterns of images that may be run; none: the cluster decides. */
  readonly images: readonly string[];
  /** The longest that an attempt may run, in seconds. */
  readonly maxTimeoutSeconds: number;
  /** Told when something of an attempt has changed. */
  readonly changed: () => void;
  readonly pause?: Pause | undefined;
}

/** Kubernetes keeps at most 1 MiB in a Secret. */
const MAX_ENVIRONMENT = 1_000_000;
const STOP_POLL_MS = 200;
const STOP_POLLS = 150;

/** Runs each attempt as a Job of Kubernetes, found again by its name and labels: nothing of it is kept here. */
export function createKubernetesRunner(given: Dependencies): Runner {
  const { settings, connection, clock, logger, images, maxTimeoutSeconds, changed } = given;
  const api = createApiClient(connection, given.pause);
  const namespace = encodeURIComponent(settings.namespace ?? connection.namespace ?? 'default');
  const jobsPath = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const podsPath = `/api/v1/namespaces/${namespace}/pods`;
  const secretsPath = `/api/v1/namespaces/${namespace}/secrets`;
  const labelSelector = `${HUB_LABEL}=${settings.hub}`;
  const jobs = createCollection<JobObject>({ api, logger, path: jobsPath, labelSelector, changed });
  const pods = createCollection<PodObject>({ api, logger, path: podsPath, labelSelector, changed });
  const followers = new Map<string, LogFollower>();
  /** Keys of what nobody wanted when it was last looked. */
  let leftovers = new Set<string>();

  const jobPath = (key: string) => `${jobsPath}/${objectName(settings.hub, key)}`;

  async function findJob(key: string): Promise<JobObject | undefined> {
    const [known] = await jobs.of(key);
    if (known) return known;
    // Made a moment ago, also by another hub: not heard of yet.
    return api.call<JobObject>({ method: 'GET', path: jobPath(key) }).catch((error: unknown) => {
      if (isStatus(error, 404)) return undefined;
      throw error;
    });
  }

  /** As it is in the cluster now, also where the watch is behind. */
  const podsNow = async (key: string): Promise<readonly PodObject[]> => {
    const query = { labelSelector: `${labelSelector},${KEY_LABEL}=${key}` };
    return (await api.call<ObjectList<PodObject>>({ method: 'GET', path: podsPath, query })).items;
  };

  async function phaseNow(key: string, job: JobObject): Promise<Phase> {
    const { startTime } = job.status ?? {};
    const waitedMs = startTime === undefined ? 0 : clock.now() - Date.parse(startTime);
    return phaseOf(job, await pods.of(key), { waitedMs, mostMs: settings.startSeconds * 1000 });
  }

  async function create(launch: Launch): Promise<JobObject> {
    const { specification, environment } = launch;
    const bytes = Object.entries(environment).reduce(
      (sum, [name, text]) => sum + name.length + Buffer.byteLength(text),
      0,
    );
    if (bytes > MAX_ENVIRONMENT)
      throw new LaunchFailure('The environment and the secrets have more than 1 MB, which Kubernetes does not take');
    const entry = settings.flavors[specification.flavor];
    if (!entry) throw new LaunchFailure(noFlavor(specification.flavor));
    const seconds = Math.min(specification.timeoutSeconds ?? maxTimeoutSeconds, maxTimeoutSeconds);
    const body = jobManifest(settings, launch, entry, seconds);
    try {
      return await api.call<JobObject>({ method: 'POST', path: jobsPath, body });
    } catch (error) {
      // Made by another hub, or by this one before an answer was lost.
      if (isStatus(error, 409)) return api.call<JobObject>({ method: 'GET', path: jobPath(launch.key) });
      if (isStatus(error, 400, 403, 413, 422))
        throw new LaunchFailure(`Kubernetes does not take the job: ${error.message}`);
      throw error;
    }
  }

  /** The Secret is there before anything begins. */
  async function release(job: JobObject, { key, environment }: Launch): Promise<JobObject> {
    try {
      await api.call({ method: 'POST', path: secretsPath, body: secretManifest(job, environment) });
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
    }
    return api.call<JobObject>({ method: 'PATCH', path: jobPath(key), body: { spec: { suspend: false } } });
  }

  /** `Background`: the Job is gone at once and its pods follow; `Foreground`: the other way round. */
  async function remove(key: string, propagationPolicy: 'Background' | 'Foreground'): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy };
    await api.call({ method: 'DELETE', path: jobPath(key), body }).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
    });
  }

  async function until(isDone: () => Promise<boolean>): Promise<boolean> {
    for (let polls = 0; polls < STOP_POLLS; polls++) {
      if (await isDone()) return true;
      await api.pause(STOP_POLL_MS);
    }
    return false;
  }

  /**
   * A pod that runs is ended by its deadline, the one way that leaves its log; everything else by deleting the Job, after
   * which no pod is made any more.
   */
  async function stop(key: string): Promise<void> {
    const known = await pods.of(key);
    if (known.length > 0 && known.every(isOver)) return;
    const started = (await podsNow(key)).filter((pod) => hasContainer(pod) && !pod.metadata.deletionTimestamp);
    for (const { metadata } of started) {
      const path = `${podsPath}/${encodeURIComponent(metadata.name)}`;
      await api.call({ method: 'PATCH', path, body: { spec: { activeDeadlineSeconds: 1 } } }).catch(ignoreMissing);
    }
    const isOverNow = async () => {
      const now = await podsNow(key);
      return now.length > 0 && now.every(isOver);
    };
    if (started.length > 0 && (await until(isOverNow))) return;
    await remove(key, 'Foreground');
    const isGone = async () => (await podsNow(key)).every(isOver) && (await isMissing(key));
    if (!(await until(isGone))) throw new Error(`The Job ${objectName(settings.hub, key)} could not be ended`);
  }

  const isMissing = (key: string): Promise<boolean> =>
    api.call({ method: 'GET', path: jobPath(key) }).then(
      () => false,
      (error: unknown) => {
        if (isStatus(error, 404)) return true;
        throw error;
      },
    );

  async function discard(key: string): Promise<void> {
    const follower = followers.get(key);
    followers.delete(key);
    await follower?.close();
  }

  function follow(key: string, pod: PodObject, position: string): LogFollower {
    const follower = followLog({
      api,
      path: `${podsPath}/${encodeURIComponent(pod.metadata.name)}/log`,
      position,
      // A pod that is gone writes nothing more.
      isOver: () => pods.known()?.get(key)?.every(isOver) ?? true,
    });
    followers.set(key, follower);
    return follower;
  }

  const noFlavor = (flavor: string) =>
    `must be a flavor of this hub: ${Object.keys(settings.flavors).join(', ')}; ${flavor} is none`;

  return {
    name: 'kubernetes',
    note: null,

    refusal({ dockerImage = '', spaceId, flavor, volumes, environment }: StoredSpecification): Refusal | undefined {
      if (spaceId !== undefined)
        return { path: 'spaceId', message: 'cannot be run: this hub has no images of Spaces; give `dockerImage`' };
      if (images.length > 0 && !isAllowed(images, dockerImage))
        return { path: 'dockerImage', message: 'is not among the images that the operator of this hub allows' };
      if (!settings.flavors[flavor]) return { path: 'flavor', message: noFlavor(flavor) };
      if (Buffer.byteLength(JSON.stringify(environment)) > MAX_ENVIRONMENT)
        return { path: 'environment', message: 'must have less than 1 MB' };
      return volumesRefusal(settings.volumes, volumes ?? []);
    },

    async start(launch) {
      let job = (await findJob(launch.key)) ?? (await create(launch));
      if (job.spec?.suspend && job.metadata.deletionTimestamp === undefined) job = await release(job, launch);
      const now = await phaseNow(launch.key, job);
      if (now.phase === 'waiting') throw new NotYet(now.message);
      if (now.phase !== 'refused') return;
      await stop(launch.key);
      throw new LaunchFailure(now.reason);
    },

    async look(key): Promise<AttemptState> {
      const job = await findJob(key);
      if (!job) return { state: 'ended', exitCode: null };
      const now = await phaseNow(key, job);
      if (now.phase === 'waiting' || now.phase === 'running') return { state: 'running' };
      if (now.phase === 'refused') return { state: 'ended', exitCode: null, reason: now.reason };
      const { exitCode, reason, timedOut } = now;
      return { state: 'ended', exitCode, ...(reason !== undefined && { reason }), ...(timedOut && { timedOut }) };
    },

    async read(key, position, most) {
      const [pod] = await pods.of(key);
      const output = await followers.get(key)?.read(position, most);
      if (output) return output;
      // Nobody follows it yet, or has what is asked for: this hub has just begun, or its last step failed.
      await discard(key);
      const anew = pod && (await follow(key, pod, position).read(position, most));
      return anew ?? { bytes: Buffer.alloc(0), position };
    },

    discard,
    stop,

    async forget(key) {
      await discard(key);
      await remove(key, 'Background');
    },

    /** Twice in a row, so that what another hub began a moment ago stays. */
    async sweep(keys) {
      const known = jobs.known();
      if (!known) {
        jobs.of('').catch((error: unknown) => logger.error({ err: error }, 'Kubernetes cannot be reached'));
        return;
      }
      const unwanted = new Set([...known.keys()].filter((key) => !keys.has(key)));
      for (const key of unwanted) {
        if (!leftovers.has(key)) continue;
        await discard(key);
        await remove(key, 'Background');
      }
      leftovers = unwanted;
    },

    async close() {
      await api.close();
      await Promise.all([...followers.keys()].map(discard));
    },
  };
}

const hasContainer = ({ status }: PodObject): boolean =>
  status?.containerStatuses?.some(({ state }) => state?.running || state?.terminated) ?? false;

const ignoreMissing = (error: unknown): void => {
  if (!isStatus(error, 404)) throw error;
};

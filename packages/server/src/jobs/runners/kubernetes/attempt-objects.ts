import type { Logger } from '../../../platform/logger.ts';
import { type Launch, LaunchFailure } from '../runner.ts';
import { type ApiClient, isStatus } from './api-client.ts';
import { createCollection } from './collection.ts';
import { secretManifest } from './manifests.ts';
import { HUB_LABEL, KEY_LABEL, objectName } from './names.ts';
import type { JobObject, ObjectList, PodObject } from './objects.ts';

interface Dependencies {
  readonly api: ApiClient;
  readonly logger: Logger;
  readonly namespace: string;
  /** Marks the objects of this hub in the cluster. */
  readonly hub: string;
  /** Called when an object of an attempt has changed. */
  readonly onChange: () => void;
}

export type AttemptObjects = ReturnType<typeof createAttemptObjects>;

/** The objects of each attempt in the cluster: a Job, its pods and its Secret, all found by the key of the attempt. */
export function createAttemptObjects({ api, logger, namespace: name, hub, onChange }: Dependencies) {
  const namespace = encodeURIComponent(name);
  const jobsPath = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const podsPath = `/api/v1/namespaces/${namespace}/pods`;
  const secretsPath = `/api/v1/namespaces/${namespace}/secrets`;
  const labelSelector = `${HUB_LABEL}=${hub}`;
  const jobs = createCollection<JobObject>({ api, logger, path: jobsPath, labelSelector, onChange });
  const pods = createCollection<PodObject>({ api, logger, path: podsPath, labelSelector, onChange });
  const jobPath = (key: string) => `${jobsPath}/${objectName(hub, key)}`;
  const podPath = ({ metadata }: PodObject) => `${podsPath}/${encodeURIComponent(metadata.name)}`;

  const jobNow = (key: string): Promise<JobObject | undefined> =>
    api.call<JobObject>({ method: 'GET', path: jobPath(key) }).catch(undefinedWhereMissing);

  return {
    /** Returns the Jobs of all attempts by key, without waiting; undefined before the first list. */
    knownJobs: () => jobs.known(),

    /** Waits for the first list of Jobs. */
    async listJobs(): Promise<void> {
      await jobs.of('');
    },

    async findJob(key: string): Promise<JobObject | undefined> {
      const [known] = await jobs.of(key);
      // The watch may lag: another hub may have created a Job a moment ago.
      return known ?? jobNow(key);
    },

    /** Throws a `LaunchFailure` if the cluster refuses the Job. */
    createJob: (key: string, body: object): Promise<JobObject> =>
      api.call<JobObject>({ method: 'POST', path: jobsPath, body }).catch((error: unknown) => {
        // The Job exists already: another process created it, or an earlier request of this process whose response was lost.
        if (isStatus(error, 409)) return api.call<JobObject>({ method: 'GET', path: jobPath(key) });
        if (isStatus(error, 400, 403, 413, 422))
          throw new LaunchFailure(`Kubernetes does not take the job: ${error.message}`);
        throw error;
      }),

    /** Creates the Secret of a suspended Job, then lets the Job begin. */
    async release(job: JobObject, { key, environment }: Launch): Promise<JobObject> {
      try {
        await api.call({ method: 'POST', path: secretsPath, body: secretManifest(job, environment) });
      } catch (error) {
        if (!isStatus(error, 409)) throw error;
      }
      return api.call<JobObject>({ method: 'PATCH', path: jobPath(key), body: { spec: { suspend: false } } });
    },

    /** `Background` deletes the Job at once and its pods later; `Foreground` deletes the pods first. */
    async deleteJob(key: string, propagationPolicy: 'Background' | 'Foreground'): Promise<void> {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy };
      await api.call({ method: 'DELETE', path: jobPath(key), body }).catch(undefinedWhereMissing);
    },

    isJobMissing: async (key: string): Promise<boolean> => (await jobNow(key)) === undefined,

    podsOf: (key: string) => pods.of(key),

    /** Returns the pods of an attempt, without waiting; none before the first list. */
    knownPodsOf: (key: string): readonly PodObject[] => pods.known()?.get(key) ?? [],

    /** Returns the current pods of an attempt, since the watch may lag. */
    async podsNow(key: string): Promise<readonly PodObject[]> {
      const query = { labelSelector: `${labelSelector},${KEY_LABEL}=${key}` };
      return (await api.call<ObjectList<PodObject>>({ method: 'GET', path: podsPath, query })).items;
    },

    async giveDeadline(pod: PodObject, activeDeadlineSeconds: number): Promise<void> {
      const body = { spec: { activeDeadlineSeconds } };
      await api.call({ method: 'PATCH', path: podPath(pod), body }).catch(undefinedWhereMissing);
    },

    logPath: (pod: PodObject): string => `${podPath(pod)}/log`,
  };
}

function undefinedWhereMissing(error: unknown): undefined {
  if (!isStatus(error, 404)) throw error;
  return undefined;
}

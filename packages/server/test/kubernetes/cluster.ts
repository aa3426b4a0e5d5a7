import { randomUUID } from 'node:crypto';
import type { Condition, ContainerState } from '../../src/jobs/runners/kubernetes/objects.ts';
import { schemaFaults } from './published.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface StoredObject {
  apiVersion: string;
  kind: 'Job' | 'Pod' | 'Secret';
  metadata: Mutable<{
    name: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    labels: Record<string, string>;
    ownerReferences?: { uid: string }[];
  }>;
  spec?: Record<string, unknown> & {
    suspend?: boolean;
    activeDeadlineSeconds?: number;
    template?: { metadata: { labels: Record<string, string> }; spec: Record<string, unknown> };
  };
  data?: Record<string, string>;
  status?: {
    startTime?: string;
    conditions?: (Condition & { lastProbeTime?: string })[];
    phase?: string;
    reason?: string;
    message?: string;
    containerStatuses?: object[];
  };
}

export interface Change {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

interface LogLine {
  readonly time: bigint;
  readonly text: string;
}

export interface Log {
  lines: LogLine[];
  ended: boolean;
}

const PLURALS = { Job: 'jobs', Pod: 'pods', Secret: 'secrets' } as const;
export type Plural = (typeof PLURALS)[keyof typeof PLURALS];

/** Creates the objects of a cluster, with its controllers and machines as far as a test does not play them. */
export function createCluster(now: () => number) {
  const objects = new Map<string, StoredObject>();
  const changes: Change[] = [];
  const logs = new Map<string, Log>();
  const listeners = new Set<() => void>();
  let version = 100;
  let oldest = 0;
  let nanos = 0n;
  /** The names of all pods that ever started. */
  const began: string[] = [];

  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const at = () => new Date(now()).toISOString().replace(/\.\d+Z/, 'Z');
  const idOf = (plural: Plural, name: string) => `${plural}/${name}`;

  function put(type: Change['type'], object: StoredObject): StoredObject {
    version += 1;
    const stored = structuredClone({ ...object, metadata: { ...object.metadata, resourceVersion: String(version) } });
    const faults = schemaFaults(stored.kind, stored);
    if (faults.length > 0) throw new Error(`The stand-in made an object that is none: ${faults.join('; ')}`);
    const id = idOf(PLURALS[stored.kind], stored.metadata.name);
    if (type === 'DELETED') objects.delete(id);
    else objects.set(id, stored);
    changes.push({ version, type, object: stored });
    tell();
    return stored;
  }

  function create(
    sent: Omit<StoredObject, 'metadata'> & { metadata: Partial<StoredObject['metadata']> },
  ): StoredObject {
    const name = sent.metadata.name!;
    const made = put('ADDED', {
      ...sent,
      metadata: { labels: {}, ...sent.metadata, name, uid: randomUUID(), resourceVersion: '', creationTimestamp: at() },
    });
    if (made.kind === 'Job' && !made.spec?.suspend) begin(made);
    return made;
  }

  function begin(job: StoredObject): void {
    const { metadata, spec } = job;
    put('MODIFIED', { ...job, status: { startTime: at() } });
    const template = spec!.template!;
    create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${metadata.name}-x7k2p`,
        labels: template.metadata.labels,
        ownerReferences: [ownerOf(job)],
      },
      spec: template.spec,
      status: { phase: 'Pending' },
    });
  }

  const ownerOf = ({ metadata: { name, uid } }: StoredObject) => ({ apiVersion: 'batch/v1', kind: 'Job', name, uid });
  const find = (plural: Plural, name: string) => objects.get(idOf(plural, name));
  const ofKey = (plural: Plural, key: string) =>
    [...objects.entries()].find(
      ([id, { metadata }]) => id.startsWith(`${plural}/`) && metadata.labels['moonbase/key'] === key,
    )?.[1];
  function podOf(key: string): StoredObject {
    const pod = ofKey('pods', key);
    if (!pod) throw new Error(`There is no pod of ${key}`);
    return pod;
  }
  const logOf = (name: string): Log => {
    const log = logs.get(name) ?? { lines: [], ended: false };
    logs.set(name, log);
    return log;
  };

  function setPod(
    key: string,
    phase: string,
    state: ContainerState | undefined,
    rest: StoredObject['status'] = {},
  ): void {
    const pod = podOf(key);
    const status = { name: 'job', image: 'x', imageID: '', ready: false, restartCount: 0, state };
    put('MODIFIED', {
      ...pod,
      status: { ...pod.status, phase, ...rest, ...(state && { containerStatuses: [status] }) },
    });
  }

  function endJob(key: string, type: 'Complete' | 'Failed', reason: string, message = ''): void {
    const job = ofKey('jobs', key);
    if (job)
      put('MODIFIED', { ...job, status: { ...job.status, conditions: [{ type, status: 'True', reason, message }] } });
  }

  function exit(key: string, exitCode: number, reason = exitCode === 0 ? 'Completed' : 'Error', rest = {}): void {
    const pod = podOf(key);
    logOf(pod.metadata.name).ended = true;
    setPod(key, exitCode === 0 ? 'Succeeded' : 'Failed', { terminated: { exitCode, reason } }, rest);
    endJob(key, exitCode === 0 ? 'Complete' : 'Failed', exitCode === 0 ? 'CompletionsReached' : 'BackoffLimitExceeded');
  }

  const isRunning = (pod: StoredObject): boolean => pod.status?.phase === 'Running';

  function remove(object: StoredObject): void {
    put('DELETED', object);
    for (const owned of [...objects.values()])
      if (owned.metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid)) remove(owned);
    if (object.kind !== 'Pod') return;
    const log = logOf(object.metadata.name);
    log.ended = true;
    logs.delete(object.metadata.name);
    tell();
  }

  return {
    began,
    logs,
    find,
    ofKey,
    logOf,
    create,
    remove,
    exit,
    endJob,
    setPod,
    version: () => version,
    oldest: () => oldest,
    all: (plural: Plural): StoredObject[] =>
      [...objects].filter(([id]) => id.startsWith(`${plural}/`)).map(([, object]) => object),
    changesAfter: (after: number) => changes.filter((change) => change.version > after),
    keys: (): string[] =>
      [...objects.values()]
        .filter(({ kind }) => kind === 'Job')
        .map(({ metadata }) => metadata.labels['moonbase/key']!),

    /** Reports every change until the returned function is called. */
    listen(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Changes an object for a client, with the consequences. */
    update(object: StoredObject): StoredObject {
      const before = find(PLURALS[object.kind], object.metadata.name)!;
      const stored = put('MODIFIED', object);
      if (stored.kind === 'Job' && before.spec?.suspend && !stored.spec?.suspend) begin(stored);
      if (stored.kind === 'Pod' && stored.spec?.activeDeadlineSeconds === 1 && isRunning(stored))
        exit(stored.metadata.labels['moonbase/key']!, 137, 'Error', { reason: 'DeadlineExceeded' });
      return find(PLURALS[object.kind], object.metadata.name)!;
    },

    /** Starts the container of an attempt. */
    run(key: string): void {
      const pod = podOf(key);
      if (!find('secrets', pod.metadata.name.replace(/-x7k2p$/, ''))) throw new Error('Its Secret is missing');
      began.push(pod.metadata.name);
      setPod(key, 'Running', { running: { startedAt: at() } as object });
    },

    /** Lets the container print, by default each line at a time of its own. */
    print(key: string, text: string, stepNanos = 1_000n): void {
      const log = logOf(podOf(key).metadata.name);
      for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
        const last = log.lines.at(-1);
        if (last && !last.text.endsWith('\n')) {
          log.lines[log.lines.length - 1] = { ...last, text: last.text + line };
          continue;
        }
        nanos += stepNanos;
        log.lines.push({ time: BigInt(now()) * 1_000_000n + nanos, text: line });
      }
      tell();
    },

    /** Drops the first lines of a log, as a machine does. */
    rotate(key: string, lines: number): void {
      const log = logOf(podOf(key).metadata.name);
      log.lines = log.lines.slice(lines);
    },

    /** Forgets the history before now, as the server does. */
    compact(): void {
      oldest = version;
    },

    /** Changes an object that does not belong to the hub. */
    stir(): void {
      version += 1;
    },
  };
}

export type Cluster = ReturnType<typeof createCluster>;

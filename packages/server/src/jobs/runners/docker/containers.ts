import { Readable } from 'node:stream';
import type { Usage } from '../runner.ts';
import { HUB_LABEL } from './container.ts';
import { type Engine, EngineFault } from './engine.ts';

export interface Container {
  readonly id: string;
  /** `created` also represents every state that the hub does not know. */
  readonly state: 'created' | 'running' | 'ended';
  readonly exitCode: number;
}

interface ListedContainer {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly name: string;
  readonly runs: boolean;
}

export type Containers = ReturnType<typeof createContainers>;

/** How long a list of containers is considered current. */
const LIST_MAX_AGE_MS = 300;

/** Ignores an error of the engine that has one of these statuses. */
const ignore =
  (...statuses: number[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof EngineFault && statuses.includes(error.status))) throw error;
  };

/** The fields of the engine's responses that the hub reads. */
interface Inspection {
  readonly Id: string;
  readonly State: { readonly Status: string; readonly Running: boolean; readonly ExitCode: number };
}
interface Summary {
  readonly Id: string;
  readonly Names?: readonly string[];
  readonly Labels?: Readonly<Record<string, string>>;
  readonly State: string;
}
interface Stats {
  readonly cpu_stats?: { readonly cpu_usage?: { readonly total_usage?: number } };
  readonly memory_stats?: { readonly usage?: number; readonly limit?: number };
}

/** The containers of one hub, found by the keys of their attempts. */
export function createContainers(engine: Engine, hub: string) {
  let cachedList: { readonly at: number; readonly names: Promise<ReadonlySet<string>> } | undefined;
  const nameOf = (key: string) => `moonbase-${hub}-${key}`;
  const pathOf = (key: string) => `/containers/${nameOf(key)}`;

  async function list(): Promise<ListedContainer[]> {
    const filters = JSON.stringify({ label: [`${HUB_LABEL}=${hub}`] });
    const all = await engine.ask<Summary[]>('GET', '/containers/json', { query: { all: 'true', filters } });
    if (!all) throw new Error('The engine answered without a list of containers');
    return all.map(({ Id: id, Labels: labels = {}, Names: [name = ''] = [], State }) => ({
      ...{ id, labels, name: name.replace(/^\//, '') },
      runs: State === 'running',
    }));
  }

  const running = async (): Promise<ReadonlySet<string>> =>
    new Set((await list()).filter(({ runs }) => runs).map(({ name }) => name));

  return {
    list,

    /** Returns whether a container runs, from a list that may be slightly old; one request covers all attempts. */
    async runsProbably(key: string): Promise<boolean> {
      if (!cachedList || Date.now() - cachedList.at >= LIST_MAX_AGE_MS)
        cachedList = { at: Date.now(), names: running() };
      return (await cachedList.names).has(nameOf(key));
    },

    async find(key: string): Promise<Container | undefined> {
      const found = await engine.ask<Inspection>('GET', `${pathOf(key)}/json`).catch(ignore(404));
      if (!found) return undefined;
      const { Status, Running, ExitCode: exitCode } = found.State;
      const hasEnded = ['exited', 'stopped', 'dead', 'removing'].includes(Status);
      return { id: found.Id, exitCode, state: Running ? 'running' : hasEnded ? 'ended' : 'created' };
    },

    async create(key: string, container: unknown, platform: string | undefined): Promise<string> {
      const query = { name: nameOf(key), ...(platform !== undefined && { platform }) };
      const created = await engine.ask<{ Id: string }>('POST', '/containers/create', { query, body: container });
      if (!created) throw new Error('The engine answered without the id of the container');
      return created.Id;
    },

    start: (id: string) => engine.ask('POST', `/containers/${id}/start`),

    /** Kills a container. Resolves once it has ended. */
    async kill(id: string): Promise<void> {
      await engine.ask('POST', `/containers/${id}/kill`, { query: { signal: 'KILL' } }).catch(ignore(404, 409));
      await engine.ask('POST', `/containers/${id}/wait`, { query: { condition: 'not-running' } }).catch(ignore(404));
    },

    /** Removes a container, even a running one, with its anonymous volumes. */
    async remove(id: string): Promise<void> {
      const query = { force: 'true', v: 'true' };
      await engine.ask('DELETE', `/containers/${id}`, { query }).catch(ignore(404, 409));
    },

    /** Removes a container unless it runs; returns false if it does. */
    removeUnstarted: (id: string): Promise<boolean> =>
      engine.ask('DELETE', `/containers/${id}`, { query: { v: 'true' } }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof EngineFault && error.status === 404) return true;
          if (error instanceof EngineFault && error.status === 409) return false;
          throw error;
        },
      ),

    /** Returns standard output and error in the order in which the engine received them. */
    async logs(key: string, follow: boolean, signal: AbortSignal): Promise<Readable> {
      const query = { stdout: 'true', stderr: 'true', follow: String(follow) };
      const options = { query, patienceMs: follow ? 0 : 60_000, signal };
      const log = await engine.stream('GET', `${pathOf(key)}/logs`, options).catch(ignore(404));
      return log ?? Readable.from([]);
    },

    async measure(key: string): Promise<Usage | undefined> {
      const query = { stream: 'false', 'one-shot': 'true' };
      const stats = await engine.ask<Stats>('GET', `${pathOf(key)}/stats`, { query }).catch(ignore(404, 409, 500));
      const used = stats?.cpu_stats?.cpu_usage?.total_usage;
      if (used === undefined) return undefined;
      const { usage = 0, limit = 0 } = stats?.memory_stats ?? {};
      return { cpuMs: Math.round(used / 1e6), memoryBytes: usage, memoryTotalBytes: limit };
    },
  };
}

import { type HubProcess, startHubProcess } from '../test/hub-process.ts';
import { cpuSeconds } from './cpu.ts';
import { type BenchDatabase, tellErrors } from './hub.ts';

export type Role = 'api' | 'worker';

/** The replicas of a hub on one database, each a process of its own. */
export interface Replicas extends AsyncDisposable {
  /** Returns the addresses of the replicas that answer requests. */
  urls(): string[];

  pids(role: Role): number[];
  /**
   * Kills a replica with SIGKILL and starts another; returns the address of the killed one and the duration of the
   * start.
   */
  replace(at: number): Promise<{ readonly gone: string; readonly role: Role; readonly startMs: number }>;
  /** Returns the processor time of the replicas of a role, including killed ones, in seconds. */
  cpu(role: Role): Promise<number>;
}

export async function startReplicas(
  database: BenchDatabase,
  roles: readonly Role[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Replicas> {
  const start = (role: Role) => startHubProcess({ ...database.settings, ...settings, MOONBASE_ROLE: role });
  const [first, ...others] = roles;
  if (first === undefined) throw new Error('There is no replica to start');
  // The first replica migrates the database.
  const running: { role: Role; hub: HubProcess }[] = [{ role: first, hub: await start(first) }];
  running.push(...(await Promise.all(others.map(async (role) => ({ role, hub: await start(role) })))));
  const ended: Record<Role, number> = { api: 0, worker: 0 };
  const of = (role: Role) => running.filter((each) => each.role === role);
  return {
    urls: () => of('api').map(({ hub }) => hub.url),
    pids: (role) => of(role).map(({ hub }) => hub.pid),
    async replace(at) {
      const { role, hub } = running[at] as (typeof running)[number];
      ended[role] += await cpuSeconds(hub.pid);
      await hub.kill();
      tellErrors(hub.errors());
      const startedAt = performance.now();
      running[at] = { role, hub: await start(role) };
      return { gone: hub.url, role, startMs: performance.now() - startedAt };
    },
    async cpu(role) {
      const living = await Promise.all(of(role).map(({ hub }) => cpuSeconds(hub.pid)));
      return living.reduce((sum, seconds) => sum + seconds, ended[role]);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map(({ hub }) => hub.stop()));
      for (const { hub } of running) tellErrors(hub.errors());
    },
  };
}

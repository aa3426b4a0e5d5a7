import { SPACES_DO_NOT_RUN, type SpaceRuntime } from '@moonbase/contract/repositories/space-runtime';
import type { Reader } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller, ReadingCaller } from '../platform/http/authenticate.ts';
import { HubError } from '../platform/http/errors.ts';
import { readRepo } from '../repositories/index.ts';
import type { SpaceName } from './environment.ts';
import { presentRuntime } from './present.ts';
import { listShownVolumes, type ShownVolume } from './volume-store.ts';

/** Returns the 501 for what would have to run a Space; `consequence` follows "so". */
export const cannotRun = (consequence: string): HubError =>
  new HubError(501, `${SPACES_DO_NOT_RUN}, so ${consequence}`, { code: 'NotImplemented' });

/** Returns the state of Spaces by their ids, with the volumes that a reader may know of. */
export async function runtimesOf(
  executor: ReadExecutor,
  reader: Reader,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, SpaceRuntime>> {
  const volumes = new Map(spaceIds.map((id): [string, ShownVolume[]] => [id, []]));
  const shown = spaceIds.length === 0 ? [] : await listShownVolumes(executor, reader, spaceIds);
  for (const volume of shown) volumes.get(volume.space_id)?.push(volume);
  return new Map([...volumes].map(([id, ofSpace]) => [id, presentRuntime(ofSpace)]));
}

export const runtimeOf = async (executor: ReadExecutor, reader: Reader, spaceId: string): Promise<SpaceRuntime> =>
  presentRuntime(await listShownVolumes(executor, reader, [spaceId]));

/** The verbs on the state of Spaces, which never run. */
export function createSpaceStates({
  database: { read },
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}) {
  return {
    async get(caller: ReadingCaller, name: SpaceName): Promise<SpaceRuntime> {
      const repo = await readRepo(read, caller, { ...name, type: 'space' });
      return runtimeOf(read, caller.principal, repo.id);
    },

    /** Changes nothing: every Space is paused. */
    async pause(caller: Caller, name: SpaceName): Promise<SpaceRuntime> {
      const repo = await readRepo(read, caller, { ...name, type: 'space' }, 'repo.write');
      return runtimeOf(read, caller.principal, repo.id);
    },

    /** Throws 501, or what the caller gets who may not write to the Space, or may not read it where that is enough. */
    async refuse(
      caller: Caller,
      name: SpaceName,
      consequence: string,
      permission: 'repo.write' | 'repo.content.read' = 'repo.write',
    ): Promise<never> {
      await readRepo(read, caller, { ...name, type: 'space' }, permission);
      throw cannotRun(consequence);
    },

    /** Returns the only line of a Space's log. */
    async logLine(caller: Caller, name: SpaceName) {
      await readRepo(read, caller, { ...name, type: 'space' });
      return { data: `${SPACES_DO_NOT_RUN}.\n`, timestamp: timestamp(clock.now()) };
    },
  };
}

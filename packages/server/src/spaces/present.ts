import { SPACES_DO_NOT_RUN, type SpaceRuntime } from '@moonbase/contract/repositories/space-runtime';
import type { SpaceVariable } from '@moonbase/contract/repositories/space-settings';
import { timestamp } from '../platform/clock.ts';
import type { EnvironmentRow } from './tables.ts';
import type { ShownVolume } from './volume-store.ts';

type Entry = Pick<EnvironmentRow, 'key' | 'value' | 'description' | 'updated_at'>;

const withoutValue = ({ key, description, updated_at: updatedAt }: Entry) => ({
  key,
  ...(description !== null && { description }),
  updatedAt: timestamp(Number(updatedAt)),
});

/** Presents secrets by their keys, without their values. */
export const presentSecrets = (entries: readonly Entry[]) =>
  Object.fromEntries(entries.map((entry) => [entry.key, withoutValue(entry)]));

/** Presents variables by their keys. */
export const presentVariables = (entries: readonly Entry[]): Record<string, SpaceVariable> =>
  Object.fromEntries(entries.map((entry) => [entry.key, { ...withoutValue(entry), value: entry.value ?? '' }]));

function presentVolume(volume: ShownVolume): SpaceRuntime['volumes'][number] {
  const { type, revision, path } = volume;
  // Kernels cannot be volumes, so that no row has this type.
  if (type === 'kernel') throw new Error('A kernel is mounted in a Space');
  return {
    type,
    source: `${volume.ownerName}/${volume.name}`,
    mountPath: volume.mount_path,
    ...(revision !== null && { revision }),
    readOnly: volume.read_only === 1,
    ...(path !== null && { path }),
  };
}

/** Presents the state of a Space, which never runs (B§7). */
export const presentRuntime = (volumes: readonly ShownVolume[]): SpaceRuntime => ({
  stage: 'PAUSED',
  errorMessage: SPACES_DO_NOT_RUN,
  hardware: { current: null, requested: null },
  storage: null,
  gcTimeout: null,
  replicas: { current: null, requested: 0 },
  devMode: false,
  volumes: volumes.map(presentVolume),
});

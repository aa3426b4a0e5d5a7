import type { StoredSpecification } from '../../runs/specification.ts';
import type { Refusal } from '../runner.ts';
import type { KubernetesSettings } from './settings.ts';

type Volume = NonNullable<StoredSpecification['volumes']>[number];
type VolumeSettings = KubernetesSettings['volumes'];

const NAME = 'data';

/**
 * Returns why the configured claim cannot serve these volumes; undefined if it can. Folders inside volumes are refused:
 * a user with write access to a bucket could place a link there that leads anywhere in the claim.
 */
export function volumesRefusal(settings: VolumeSettings, volumes: readonly Volume[]): Refusal | undefined {
  if (volumes.length === 0) return undefined;
  if (!settings)
    return { path: 'volumes', message: 'cannot be mounted: this hub has no claim for them (MOONBASE_KUBERNETES)' };
  for (const [at, { type, revision, source, path: inside }] of volumes.entries()) {
    const folder = settings[type];
    const path = `volumes.${at}`;
    if (folder === undefined)
      return { path: `${path}.type`, message: `cannot be mounted: this hub has no folder of a ${type}` };
    if (inside !== undefined)
      return { path: `${path}.path`, message: 'cannot be mounted alone: this hub mounts volumes whole' };
    if (revision !== undefined && !(folder.includes('{revision}') && isPart(revision)))
      return { path: `${path}.revision`, message: 'cannot be mounted: this hub has no folder of it' };
    if (!source.split('/').every(isPart)) return { path: `${path}.source`, message: 'must be namespace/name' };
  }
  return undefined;
}

/** Returns whether a text can be the name of one folder. */
const isPart = (text: string): boolean => /^[\w.-]{1,255}$/.test(text) && !/^\.\.?$/.test(text);

const subPathOf = (folder: string, { source, revision = 'main' }: Volume): string =>
  folder
    .split('/')
    .map((part) => (part === '{source}' ? source : part === '{revision}' ? revision : part))
    .join('/');

/**
 * Returns the mounts of a pod: one claim, in which each volume is a folder. Buckets are writable unless the job says
 * otherwise.
 */
export function mountsOf(settings: VolumeSettings, volumes: readonly Volume[]) {
  if (!settings || volumes.length === 0) return { volumes: [], volumeMounts: [] };
  return {
    volumes: [{ name: NAME, persistentVolumeClaim: { claimName: settings.claim } }],
    volumeMounts: volumes.map((volume) => ({
      name: NAME,
      mountPath: volume.mountPath,
      subPath: subPathOf(settings[volume.type] ?? '', volume),
      readOnly: volume.type !== 'bucket' || volume.readOnly === true,
    })),
  };
}

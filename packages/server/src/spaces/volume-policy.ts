import type { Volume as VolumeSchema } from '@moonbase/contract/jobs/specification';
import type { z } from 'zod';

/** A bucket or repository that a job or a Space is to have as a folder. */
export type Volume = z.infer<typeof VolumeSchema>;

/** A fault of volumes. */
export interface VolumeFault {
  /** The path from the root of what has the volumes, as in `volumes.0.mountPath`. */
  readonly path: string;
  readonly message: string;
}

const MAX_VOLUMES = 32;
const REPO_NAME = /^[\w.-]{1,96}\/[\w.-]{1,96}$/;
/** Folders that the system inside a container needs. */
const SYSTEM_PATHS = /^\/(proc|sys|dev|etc|bin|sbin|lib|lib64|usr|boot)$/;

/** Returns whether a text has the form namespace/name. */
export const isFullName = (name: string): boolean => REPO_NAME.test(name) && !/\.\.|^\.\/|\/\.$/.test(name);

/** Returns the form in which mount paths are compared and stored. */
export const plainMountPath = (mountPath: string): string => mountPath.replace(/\/+$/, '');

/** Returns what is wrong with the form of volumes; undefined if it is valid. */
export function volumesFault(volumes: readonly Volume[]): VolumeFault | undefined {
  if (volumes.length > MAX_VOLUMES) return { path: 'volumes', message: `at most ${MAX_VOLUMES} can be mounted` };
  const mounted = new Set<string>();
  for (const [at, volume] of volumes.entries()) {
    const path = `volumes.${at}`;
    const mountPath = plainMountPath(volume.mountPath);
    // The root has the form of a path (E8); runners refuse to mount there by a rule of their own.
    if ((mountPath !== '' && !isCleanPath(mountPath.slice(1))) || SYSTEM_PATHS.test(mountPath))
      return { path: `${path}.mountPath`, message: 'must be a path of its own without `.`, `..` and empty parts' };
    if (mounted.has(mountPath)) return { path: `${path}.mountPath`, message: 'is taken by another volume' };
    mounted.add(mountPath);
    if (!isFullName(volume.source)) return { path: `${path}.source`, message: 'must be namespace/name' };
    if (volume.path !== undefined && !isCleanPath(volume.path))
      return { path: `${path}.path`, message: 'must be a relative path without `.`, `..` and empty parts' };
    if (volume.type !== 'bucket' && volume.readOnly === false)
      return { path: `${path}.readOnly`, message: 'must not be false: repositories are read only' };
    if (volume.type === 'bucket' && volume.revision !== undefined)
      return { path: `${path}.revision`, message: 'is for repositories only' };
  }
  return undefined;
}

/**
 * Returns whether a relative path has no empty, `.` or `..` parts, no control characters, and no colon, a separator in
 * engines.
 */
const isCleanPath = (path: string): boolean =>
  path.length <= 1024 &&
  path.split('/').every((part) => /^[^\p{Cc}:\\]+$/u.test(part) && part !== '.' && part !== '..');

import type { JobFlavor, JobInput } from '@moonbase/contract/jobs/specification';
import { imageFault } from '../runners/image-reference.ts';

/** A fault of a specification. */
export interface Fault {
  /** The path from the root of the specification, as in `volumes.0.mountPath`. */
  readonly path: string;
  readonly message: string;
}

type Form = Omit<JobInput, 'flavor' | 'timeoutSeconds' | 'secrets'> & {
  readonly flavor: JobFlavor;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
};

/** The maximum size of a text in an environment or a command line on Linux, with its name and without the final NUL. */
const MAX_TEXT_BYTES = 128 * 1024 - 1;
const MAX_VOLUMES = 32;
const SPACE_ID = /^[\w.-]{1,96}\/[\w.-]{1,96}$/;
/** Folders that the system inside a container needs. */
const SYSTEM_PATHS = /^\/(proc|sys|dev|etc|bin|sbin|lib|lib64|usr|boot)$/;

/** Returns what is wrong with a job on every runner; undefined if it is valid. */
export function formFault(job: Form): Fault | undefined {
  if ((job.dockerImage === undefined) === (job.spaceId === undefined))
    return { path: '', message: 'give exactly one of `dockerImage` and `spaceId`' };
  const image = job.dockerImage === undefined ? undefined : imageFault(job.dockerImage);
  if (image) return { path: 'dockerImage', message: image };
  if (job.spaceId !== undefined && !isName(job.spaceId))
    return { path: 'spaceId', message: 'must be namespace/name of a Space' };
  return textFault(job) ?? volumesFault(job.volumes ?? []);
}

const isName = (name: string) => SPACE_ID.test(name) && !/\.\.|^\.\/|\/\.$/.test(name);

function textFault({ command = [], arguments: rest = [], environment, secrets = {} }: Form): Fault | undefined {
  const indexed = (name: string, texts: readonly string[]) => texts.map((text, at) => [`${name}.${at}`, text] as const);
  const keyed = (name: string, texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([key, text]) => [`${name}.${key}`, `${key}=${text}`] as const);
  const texts = [
    ...indexed('command', command),
    ...indexed('arguments', rest),
    ...keyed('environment', environment),
    ...keyed('secrets', secrets),
  ];
  const tooLong = texts.find(([, text]) => Buffer.byteLength(text) > MAX_TEXT_BYTES);
  return tooLong && { path: tooLong[0], message: 'must have less than 128 KiB' };
}

function volumesFault(volumes: NonNullable<JobInput['volumes']>): Fault | undefined {
  if (volumes.length > MAX_VOLUMES) return { path: 'volumes', message: `at most ${MAX_VOLUMES} can be mounted` };
  const mounted = new Set<string>();
  for (const [at, volume] of volumes.entries()) {
    const path = `volumes.${at}`;
    const mountPath = volume.mountPath.replace(/\/+$/, '');
    // The root has the form of a path (E8); runners refuse to mount there by a rule of their own.
    if ((mountPath !== '' && !isCleanPath(mountPath.slice(1))) || SYSTEM_PATHS.test(mountPath))
      return { path: `${path}.mountPath`, message: 'must be a path of its own without `.`, `..` and empty parts' };
    if (mounted.has(mountPath)) return { path: `${path}.mountPath`, message: 'is taken by another volume' };
    mounted.add(mountPath);
    if (!isName(volume.source)) return { path: `${path}.source`, message: 'must be namespace/name' };
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

import type { JobFlavor, JobInput } from '@moonbase/contract/jobs/specification';
import { isFullName, volumesFault } from '../../spaces/index.ts';
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

/** Returns what is wrong with a job on every runner; undefined if it is valid. */
export function formFault(job: Form): Fault | undefined {
  if ((job.dockerImage === undefined) === (job.spaceId === undefined))
    return { path: '', message: 'give exactly one of `dockerImage` and `spaceId`' };
  const image = job.dockerImage === undefined ? undefined : imageFault(job.dockerImage);
  if (image) return { path: 'dockerImage', message: image };
  if (job.spaceId !== undefined && !isFullName(job.spaceId))
    return { path: 'spaceId', message: 'must be namespace/name of a Space' };
  return textFault(job) ?? volumesFault(job.volumes ?? []);
}

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

import { join } from 'node:path';
import { resourcesOf } from '../../runs/hardware.ts';
import type { StoredSpecification } from '../../runs/specification.ts';
import { imageOf, referenceOf } from '../image-policy.ts';
import type { Launch } from '../runner.ts';

/** What the operator decides for every container. */
export interface ContainerPolicy {
  /** A network of the engine's, or `none`. */
  readonly network: string;
  readonly readOnlyRoot: boolean;
  /** Processes and threads. */
  readonly pidsLimit: number;
  /** Where buckets and repositories are, as the engine sees it. */
  readonly volumesDir: string | undefined;
  /** How much of its output the engine keeps, in MiB. */
  readonly outputMebibytes: number;
}

export const HUB_LABEL = 'moonbase.hub';
export const ATTEMPT_LABEL = 'moonbase.attempt';

/** The engine's own unit of a share of a core. */
const CPU_PERIOD = 100_000;

export const platformOf = ({ arch }: StoredSpecification): string | undefined =>
  arch === undefined ? undefined : `linux/${arch}`;

type Volume = NonNullable<StoredSpecification['volumes']>[number];

/** `buckets/acme/data`, `models/acme/bert` … in the folder of volumes. */
export const folderOf = ({ type, source }: Volume, directory: string): string => join(directory, `${type}s`, source);

const mountsOf = ({ volumes = [] }: StoredSpecification, directory: string) =>
  volumes.map((volume) => ({
    Type: 'bind',
    Source: folderOf(volume, directory),
    Target: volume.mountPath.replace(/(?<=.)\/+$/, ''),
    ReadOnly: volume.type !== 'bucket' || volume.readOnly === true,
    BindOptions: { Propagation: 'rprivate' },
  }));

/** What the engine is asked to make for an attempt (Docker Engine API, ContainerCreate). */
export function containerOf({ key, specification, environment }: Launch, hub: string, policy: ContainerPolicy) {
  const { command, arguments: rest, dockerImage = '', flavor } = specification;
  const { cores, memoryBytes } = resourcesOf(flavor);
  return {
    Image: referenceOf(imageOf(dockerImage)),
    // The entry point of the image is for a job without a command.
    ...(command ? { Entrypoint: command, Cmd: rest ?? [] } : rest && { Cmd: rest }),
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Labels: { [HUB_LABEL]: hub, [ATTEMPT_LABEL]: key },
    HostConfig: {
      CpuPeriod: CPU_PERIOD,
      CpuQuota: cores * CPU_PERIOD,
      Memory: memoryBytes,
      // Of memory and swap together: none of it is swap.
      MemorySwap: memoryBytes,
      PidsLimit: policy.pidsLimit,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      NetworkMode: policy.network,
      ReadonlyRootfs: policy.readOnlyRoot,
      ...(policy.readOnlyRoot && { Tmpfs: { '/tmp': 'rw,nosuid,nodev' } }),
      RestartPolicy: { Name: 'no' },
      LogConfig: {
        Type: 'json-file',
        Config: { 'max-size': `${policy.outputMebibytes}m`, 'max-file': '2' },
      },
      ...(policy.volumesDir !== undefined && { Mounts: mountsOf(specification, policy.volumesDir) }),
    },
  };
}

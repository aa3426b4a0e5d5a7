import { resourcesOf } from '../../runs/hardware.ts';
import type { StoredSpecification } from '../../runs/specification.ts';
import { imageOf, referenceOf } from '../image-policy.ts';
import type { Launch } from '../runner.ts';

/** The operator's settings for all containers. */
export interface ContainerPolicy {
  /** The name of a network of the engine, or `none`. */
  readonly network: string;
  readonly readOnlyRoot: boolean;
  /** The maximum number of processes and threads in a container. */
  readonly pidsLimit: number;
  /** How much output the engine keeps per container, in MiB. */
  readonly outputMebibytes: number;
}

export const HUB_LABEL = 'moonbase.hub';
export const ATTEMPT_LABEL = 'moonbase.attempt';

/** The period of the processor quota, in microseconds: the default of the engine. */
const CPU_PERIOD = 100_000;

export const platformOf = ({ arch }: StoredSpecification): string | undefined =>
  arch === undefined ? undefined : `linux/${arch}`;

const mountsOf = ({ specification: { volumes = [] }, folders = [] }: Launch) =>
  volumes.map((volume, at) => ({
    Type: 'bind',
    Source: folders[at] ?? '',
    Target: volume.mountPath.replace(/(?<=.)\/+$/, ''),
    ReadOnly: volume.type !== 'bucket' || volume.readOnly === true,
    BindOptions: { Propagation: 'rprivate' },
  }));

/** Returns the container of an attempt as a request of the engine's API (Docker Engine API, ContainerCreate). */
export function containerOf(launch: Launch, hub: string, policy: ContainerPolicy) {
  const { key, specification, environment } = launch;
  const { command, arguments: rest, dockerImage = '', flavor } = specification;
  const { cores, memoryBytes } = resourcesOf(flavor);
  return {
    Image: referenceOf(imageOf(dockerImage)),
    // A command replaces the entry point of the image.
    ...(command ? { Entrypoint: command, Cmd: rest ?? [] } : rest && { Cmd: rest }),
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Labels: { [HUB_LABEL]: hub, [ATTEMPT_LABEL]: key },
    HostConfig: {
      CpuPeriod: CPU_PERIOD,
      CpuQuota: cores * CPU_PERIOD,
      Memory: memoryBytes,
      // The limit includes swap, so equal values allow no swap.
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
      Mounts: mountsOf(launch),
    },
  };
}

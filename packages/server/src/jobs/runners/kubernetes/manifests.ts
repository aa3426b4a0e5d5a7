import { builtInEnvironment, HARDWARE } from '../../runs/hardware.ts';
import type { StoredSpecification } from '../../runs/specification.ts';
import type { Launch } from '../runner.ts';
import { CONTAINER } from './attempt-state.ts';
import { HUB_LABEL, KEY_LABEL, labelText, objectName, userLabels } from './names.ts';
import type { JobObject } from './objects.ts';
import type { FlavorEntry, KubernetesSettings } from './settings.ts';
import { mountsOf } from './volumes.ts';

/** How long the cluster keeps a finished Job that no hub deletes: longer than any outage of a hub. */
const KEPT_SECONDS = 7 * 86_400;
/**
 * How much later the deadline of the Job is than that of its pod: reaching the deadline of a Job deletes the pod's log.
 */
const JOB_DEADLINE_MARGIN_SECONDS = 60;
/** The time between SIGTERM and SIGKILL; with 0, a container could continue to run unnoticed. */
const TERMINATION_SECONDS = 1;

/** Escapes a text so that Kubernetes does not replace `$(NAME)` by a variable. */
const literal = (text: string): string => text.replaceAll('$', '$$$$');

const ACCELERATORS: Readonly<Record<string, string>> = { gpu: 'nvidia.com/gpu', neuron: 'aws.amazon.com/neuron' };

/** Returns the resources of a flavor for which the settings specify none. */
function defaultResources(flavor: StoredSpecification['flavor']): Record<string, string> {
  const { CPU_CORES = '1', MEMORY = '1Gi' } = builtInEnvironment('', flavor);
  const accelerator = HARDWARE.find(({ name }) => name === flavor)?.accelerator;
  const resource = accelerator && ACCELERATORS[accelerator.type];
  return { cpu: CPU_CORES, memory: MEMORY, ...(accelerator && resource && { [resource]: accelerator.quantity }) };
}

function resourcesOf({ requests, limits }: FlavorEntry, flavor: StoredSpecification['flavor']) {
  if (requests === undefined && limits === undefined)
    return { requests: defaultResources(flavor), limits: defaultResources(flavor) };
  return { ...(requests && { requests }), ...(limits && { limits }) };
}

const securityOf = ({ readOnlyRoot, runAsUser }: KubernetesSettings) => ({
  privileged: false,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: readOnlyRoot,
  capabilities: { drop: ['ALL'] },
  ...(runAsUser !== undefined && { runAsNonRoot: true, runAsUser, runAsGroup: runAsUser }),
});

function podOf(settings: KubernetesSettings, { key, specification }: Launch, entry: FlavorEntry, seconds: number) {
  const { command, arguments: rest, flavor, arch } = specification;
  const { volumes, volumeMounts } = mountsOf(settings.volumes, specification.volumes ?? []);
  return {
    restartPolicy: 'Never',
    activeDeadlineSeconds: seconds,
    terminationGracePeriodSeconds: TERMINATION_SECONDS,
    serviceAccountName: settings.serviceAccount,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    imagePullSecrets: settings.imagePullSecrets.map((name) => ({ name })),
    nodeSelector: { ...entry.nodeSelector, ...(arch && { 'kubernetes.io/arch': arch }) },
    tolerations: entry.tolerations,
    ...(entry.runtimeClass !== undefined && { runtimeClassName: entry.runtimeClass }),
    ...(entry.priorityClass !== undefined && { priorityClassName: entry.priorityClass }),
    securityContext: {
      seccompProfile: { type: 'RuntimeDefault' },
      ...(settings.runAsUser !== undefined && { fsGroup: settings.runAsUser }),
    },
    containers: [
      {
        name: CONTAINER,
        image: specification.dockerImage,
        ...(command && { command: command.map(literal) }),
        ...(rest && { args: rest.map(literal) }),
        envFrom: [{ secretRef: { name: objectName(settings.hub, key) } }],
        resources: resourcesOf(entry, flavor),
        securityContext: securityOf(settings),
        volumeMounts,
      },
    ],
    volumes,
  };
}

/**
 * Returns the Job of an attempt, suspended until its Secret exists. `timeoutSeconds`: how long the hub lets the attempt
 * run.
 */
export function jobManifest(settings: KubernetesSettings, launch: Launch, entry: FlavorEntry, timeoutSeconds: number) {
  const seconds = timeoutSeconds + settings.startSeconds;
  const labels = {
    'app.kubernetes.io/managed-by': 'moonbase',
    [HUB_LABEL]: settings.hub,
    [KEY_LABEL]: launch.key,
    'moonbase/flavor': labelText(launch.specification.flavor),
    ...userLabels(launch.labels),
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: objectName(settings.hub, launch.key), labels },
    spec: {
      suspend: true,
      parallelism: 1,
      completions: 1,
      backoffLimit: 0,
      podReplacementPolicy: 'Failed',
      activeDeadlineSeconds: seconds + JOB_DEADLINE_MARGIN_SECONDS,
      ttlSecondsAfterFinished: KEPT_SECONDS,
      template: {
        metadata: { labels, annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' } },
        spec: podOf(settings, launch, entry, seconds),
      },
    },
  };
}

/**
 * Returns the Secret with the whole environment of an attempt. The Job owns the Secret, so the cluster deletes both
 * together.
 */
export function secretManifest(job: JobObject, environment: Launch['environment']) {
  const { name, uid, labels = {} } = job.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      labels: { [HUB_LABEL]: labels[HUB_LABEL] ?? '', [KEY_LABEL]: labels[KEY_LABEL] ?? '' },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: false }],
    },
    type: 'Opaque',
    immutable: true,
    data: Object.fromEntries(
      Object.entries(environment).map(([variable, value]) => [variable, Buffer.from(value).toString('base64')]),
    ),
  };
}

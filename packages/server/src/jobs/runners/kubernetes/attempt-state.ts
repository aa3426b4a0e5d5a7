import type { Condition, JobObject, PodObject } from './objects.ts';

/** The name of the one container of a pod. */
export const CONTAINER = 'job';

export type Phase =
  /** The attempt has not begun. */
  | { readonly phase: 'waiting'; readonly message: string }
  /** The attempt cannot begin. */
  | { readonly phase: 'refused'; readonly reason: string }
  | { readonly phase: 'running' }
  | {
      readonly phase: 'ended';
      readonly exitCode: number | null;
      readonly reason?: string;
      readonly timedOut?: boolean;
    };

/** The reasons for which a waiting container will never start. */
const REFUSALS: Readonly<Record<string, string>> = {
  ImagePullBackOff: 'The image could not be pulled',
  InvalidImageName: 'The image could not be pulled',
  ErrImageNeverPull: 'The image could not be pulled',
  ImageInspectError: 'The image could not be read',
  CreateContainerConfigError: 'The container could not be made',
  CreateContainerError: 'The container could not be made',
  RunContainerError: 'The command could not be started',
};
const DEADLINE = 'DeadlineExceeded';
const MAX_TEXT = 500;

const withDetail = (what: string, text: string | undefined): string => {
  const sentence = text?.replace(/\s+/g, ' ').trim() ?? '';
  return sentence === ''
    ? what
    : `${what}: ${sentence.length > MAX_TEXT ? `${sentence.slice(0, MAX_TEXT)}…` : sentence}`;
};

const conditionOf = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type && condition.status === 'True');

/** Returns the phase of an attempt, from its Job and pods; an attempt may wait `maxWaitMs` before it begins. */
export function phaseOf(
  job: JobObject,
  pods: readonly PodObject[],
  { waitedMs, maxWaitMs }: { readonly waitedMs: number; readonly maxWaitMs: number },
): Phase {
  const [pod] = [...pods].sort(byAge).reverse();
  const phase = pod && podPhase(pod);
  if (phase && phase.phase !== 'waiting') return phase;
  const failed = conditionOf(job.status?.conditions, 'Failed');
  if (failed?.reason === DEADLINE) return { phase: 'ended', exitCode: null, timedOut: true };
  if (failed) return { phase: 'ended', exitCode: null, reason: withDetail('The cluster ended it', failed.message) };
  if (job.spec?.suspend) return { phase: 'waiting', message: 'It is being made' };
  const message = phase?.message ?? 'The cluster has not made its pod yet';
  if (waitedMs <= maxWaitMs) return { phase: 'waiting', message };
  return {
    phase: 'refused',
    reason: withDetail(`It did not begin within ${Math.round(maxWaitMs / 1000)} seconds`, message),
  };
}

const byAge = (a: PodObject, b: PodObject): number =>
  (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');

function podPhase({ status = {} }: PodObject): Phase {
  const state = status.containerStatuses?.find(({ name }) => name === CONTAINER)?.state;
  if (state?.terminated) {
    const { exitCode, reason, message } = state.terminated;
    if (status.reason === DEADLINE) return { phase: 'ended', exitCode: null, timedOut: true };
    if (reason === 'OOMKilled')
      return { phase: 'ended', exitCode, reason: `Exit code ${exitCode}: it used more memory than its flavor has` };
    // The exit code is 128 if the runtime could not start the command.
    if (reason === 'StartError' || reason === 'ContainerCannotRun')
      return { phase: 'refused', reason: withDetail('The command could not be started', message) };
    if (status.reason !== undefined)
      return {
        phase: 'ended',
        exitCode,
        reason: withDetail(`Exit code ${exitCode}, ${status.reason}`, status.message),
      };
    return { phase: 'ended', exitCode };
  }
  if (status.phase === 'Failed' || status.phase === 'Succeeded') {
    if (status.reason === DEADLINE) return { phase: 'ended', exitCode: null, timedOut: true };
    const what = `The cluster ended it${status.reason === undefined ? '' : ` (${status.reason})`}`;
    return { phase: 'ended', exitCode: null, reason: withDetail(what, status.message) };
  }
  if (state?.running) return { phase: 'running' };
  const { reason = '', message } = state?.waiting ?? {};
  const refusal = REFUSALS[reason];
  if (refusal) return { phase: 'refused', reason: withDetail(refusal, message) };
  if (reason === 'ErrImagePull')
    return { phase: 'waiting', message: withDetail('The image could not be pulled yet', message) };
  const unscheduled = status.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  if (unscheduled)
    return { phase: 'waiting', message: withDetail('No machine of the cluster can take it', unscheduled.message) };
  return { phase: 'waiting', message: 'Its container is being made' };
}

/** Returns whether no container of a pod runs or will run. */
export function isOver({ status = {} }: PodObject): boolean {
  if (status.phase === 'Failed' || status.phase === 'Succeeded') {
    return status.containerStatuses?.every(({ state }) => !state?.running) ?? true;
  }
  return status.containerStatuses?.some(({ name, state }) => name === CONTAINER && state?.terminated) ?? false;
}

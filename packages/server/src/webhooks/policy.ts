import type { JobInput } from '@moonbase/contract/job-specification';
import { formFault } from '../jobs/index.ts';
import { checkTargetUrl } from '../platform/outbound/target-url.ts';

/** More than any name of a repository has, and few enough for an index of PostgreSQL. */
const MAX_NAME = 200;

export interface TargetInput {
  readonly url?: string | undefined;
  readonly job?: JobInput | undefined;
  readonly jobSourceId?: string | undefined;
}

export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** What is wrong with the target of a webhook: exactly one is needed, on update at most one. */
export function targetFault(target: TargetInput, optional: boolean): Fault | undefined {
  const given = (['url', 'job', 'jobSourceId'] as const).filter((name) => target[name] !== undefined);
  if (given.length > 1) return { path: 'body', message: `give one target only, not ${given.join(' and ')}` };
  if (given.length === 0 && !optional) return { path: 'body', message: 'give a target: `url`, `job` or `jobSourceId`' };
  if (target.url !== undefined) {
    const message = checkTargetUrl(target.url);
    if (message) return { path: 'body.url', message };
  }
  const fault = target.job && formFault(target.job);
  return fault && { path: fault.path === '' ? 'body.job' : `body.job.${fault.path}`, message: fault.message };
}

/** What is wrong with the list of what a webhook watches. */
export function watchedFault(watched: readonly { readonly name: string }[], max: number): Fault | undefined {
  if (watched.length > max) return { path: 'body.watched', message: `at most ${max} items can be watched` };
  const tooLong = watched.findIndex(({ name }) => name.length > MAX_NAME);
  return tooLong < 0
    ? undefined
    : { path: `body.watched.${tooLong}.name`, message: `must have at most ${MAX_NAME} characters` };
}

/** Whether a secret can stand in a header as it is: no DEL, no blanks around it, not empty. */
export const headerCanCarry = (secret: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(secret);

import type { JobInput } from '@moonbase/contract/jobs/specification';
import type { WatchedInput } from '@moonbase/contract/webhooks/webhooks';
import { accountNameFault } from '../../accounts/index.ts';
import { formFault } from '../../jobs/index.ts';
import { checkTargetUrl } from '../../platform/outbound/target-url.ts';
import type { SealedAt } from '../../platform/secrets.ts';
import { repoNameFault } from '../../repositories/index.ts';

/** The columns of a webhook that hold sealed values. */
export type SealedColumn = 'secret' | 'old_secret' | 'job_secrets';

/** Returns the place of a webhook's sealed value, which its encryption is bound to. */
export const sealedAt = (column: SealedColumn, id: string): SealedAt => ({ table: 'webhooks', column, id });

export interface TargetInput {
  readonly url?: string | undefined;
  readonly job?: JobInput | undefined;
  readonly jobSourceId?: string | undefined;
}

export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** Returns what is wrong with the target of a webhook: exactly one is required, on an update at most one. */
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

/** Returns what is wrong with a list of items to watch: each name must be valid, whether or not it exists yet. */
export function watchedFault(watched: readonly WatchedInput[], max: number): Fault | undefined {
  if (watched.length > max) return { path: 'body.watched', message: `at most ${max} items can be watched` };
  for (const [at, item] of watched.entries()) {
    const message = nameFault(item);
    if (message) return { path: `body.watched.${at}.name`, message };
  }
  return undefined;
}

function nameFault({ type, name }: WatchedInput): string | undefined {
  if (type === 'user' || type === 'org') return accountNameFault(name);
  const [owner = '', repo, ...rest] = name.split('/');
  if (repo === undefined || rest.length > 0) return 'must be namespace/name';
  const fault = accountNameFault(owner);
  return fault === undefined ? repoNameFault(repo) : `its namespace ${fault}`;
}

/** Returns whether a header can carry a secret unchanged: the secret has no DEL, no outer blanks, and is not empty. */
export const headerCanCarry = (secret: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(secret);

import type { JobSpecification } from '@moonbase/client/jobs';
import type { Hub } from '@moonbase/client/request';
import { UsageError } from '../../program/failure.ts';
import { argument, flag, number, pairs, text, texts } from '../../program/parameter.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { namespace, namespaceOr } from '../parameters.ts';

export const job = argument('id of the job, or namespace/id');

/** Returns the namespace and the id of a job; `ada/0123…` contains both. */
export async function jobIds(hub: Hub, given: string, inside: string | undefined) {
  const [first = '', second] = given.split('/');
  return { namespace: second === undefined ? await namespaceOr(hub, inside) : first, jobId: second ?? first };
}

/** The options that describe a job, for `run` and `scheduled create`. */
export const specification = {
  namespace,
  flavor: text('name', 'the hardware (default: cpu-basic); `moonbase jobs hardware` lists it'),
  env: pairs('name=value', 'an environment variable of the job', { short: 'e' }),
  secret: texts('name', 'a secret: an environment variable of yours, passed on without being shown', { short: 's' }),
  label: pairs('name=value', 'a label of the job', { short: 'l' }),
  timeout: number('seconds', 'time limit of an attempt'),
  attempts: number('count', 'maximum number of attempts (default: 1)'),
  space: flag('run the image of a Space, whose name is given in place of the image'),
};
type Chosen = { readonly flavor?: string | undefined } & {
  readonly [Name in 'env' | 'label']?: Readonly<Record<string, string>> | undefined;
} & {
  readonly secret?: readonly string[] | undefined;
  readonly timeout?: number | undefined;
  readonly attempts?: number | undefined;
  readonly space?: boolean | undefined;
};

/** Returns the job that the arguments and options of a command describe. */
export function jobOf(image: string, command: readonly string[], chosen: Chosen, { env }: Terminal): JobSpecification {
  const secrets = (chosen.secret ?? []).map((name): [string, string] => {
    const value = env[name];
    if (value === undefined) throw new UsageError(`--secret ${name}: your environment has no variable of this name`);
    return [name, value];
  });
  return {
    ...(chosen.space ? { spaceId: image } : { dockerImage: image }),
    ...(command.length > 0 && { command: [...command] }),
    // The hub rejects unknown flavors.
    flavor: (chosen.flavor ?? 'cpu-basic') as JobSpecification['flavor'],
    environment: { ...chosen.env },
    ...(secrets.length > 0 && { secrets: Object.fromEntries(secrets) }),
    ...(chosen.label && { labels: { ...chosen.label } }),
    ...(chosen.timeout !== undefined && { timeoutSeconds: chosen.timeout }),
    ...(chosen.attempts !== undefined && { attempts: chosen.attempts }),
  };
}

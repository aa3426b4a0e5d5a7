import type { Webhook, WebhookInput } from '@moonbase/client/webhooks';

/** A webhook as it stands in the form: texts, before they are checked. */
export interface Draft {
  readonly target: 'url' | 'job';
  readonly url: string;
  readonly secret: string;
  readonly domains: readonly ('repo' | 'discussion')[];
  readonly watched: WebhookInput['watched'];
  readonly job: JobDraft;
}

export interface JobDraft {
  readonly image: string;
  readonly command: string;
  readonly flavor: string;
  /** `NAME=value`, one a line. */
  readonly environment: string;
  readonly secrets: string;
  readonly timeoutSeconds: string;
}

const NO_JOB: JobDraft = {
  image: '',
  command: '',
  flavor: 'cpu-basic',
  environment: '',
  secrets: '',
  timeoutSeconds: '',
};

export const NEW: Draft = {
  target: 'url',
  url: '',
  secret: '',
  domains: ['repo', 'discussion'],
  watched: [],
  job: NO_JOB,
};

export function draftOf({ url, job, domains, watched }: Webhook): Draft {
  return {
    target: job ? 'job' : 'url',
    url: url ?? '',
    secret: '',
    domains,
    watched: watched.map(({ type, name }) => ({ type, name })),
    job: job
      ? {
          image: job.spaceId ? `space:${job.spaceId}` : (job.dockerImage ?? ''),
          command: (job.command ?? []).map(quoted).join(' '),
          flavor: job.flavor,
          environment: Object.entries(job.environment)
            .map(([name, value]) => `${name}=${value}`)
            .join('\n'),
          secrets: '',
          timeoutSeconds: job.timeoutSeconds === null ? '' : String(job.timeoutSeconds),
        }
      : NO_JOB,
  };
}

/** The same as the hub takes it. A target that is the one before is left out, which keeps it with its secrets. */
export function inputOf(draft: Draft, before?: Draft): WebhookInput {
  const { target, url, secret, domains, watched, job } = draft;
  const isKept = before?.target === target && (target === 'job' ? before.job === job : before.url === url);
  return {
    watched,
    domains: [...domains],
    ...(secret !== '' && { secret }),
    ...(isKept ? {} : target === 'url' ? { url: url.trim() } : { job: jobOf(job) }),
  };
}

function jobOf({ image, command, flavor, environment, secrets, timeoutSeconds }: JobDraft) {
  const [, space] = /^space:(.*)$/.exec(image.trim()) ?? [];
  const words = wordsOf(command);
  return {
    ...(space === undefined ? { dockerImage: image.trim() } : { spaceId: space }),
    ...(words.length > 0 && { command: words }),
    flavor: flavor as 'cpu-basic',
    environment: linesOf(environment),
    ...(secrets.trim() !== '' && { secrets: linesOf(secrets) }),
    timeoutSeconds: timeoutSeconds.trim() === '' ? null : Number(timeoutSeconds),
  };
}

const linesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const at = line.indexOf('=');
        return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
      }),
  );

/** Words of a command line: quotes keep spaces together, nothing else is special. */
export function wordsOf(command: string): string[] {
  const parts = command.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g);
  return [...parts].map(([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '');
}

const quoted = (word: string): string => (/^[^\s"']+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`);

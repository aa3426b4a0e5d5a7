import type { JobSpecification } from '@moonbase/client/jobs';
import type { WebhookInput } from '@moonbase/client/webhooks';

/** The fields of a job form as unvalidated texts. */
export interface JobDraft {
  readonly image: string;
  readonly command: string;
  readonly args: string;
  readonly flavor: string;
  /** Lines of the form `NAME=value`. */
  readonly environment: string;
  readonly secrets: string;
  readonly labels: string;
  /** Lines of the form `type namespace/name /path`, with `ro` at the end for read-only volumes. */
  readonly volumes: string;
  readonly timeoutSeconds: string;
  readonly attempts: string;
}

export const NO_JOB: JobDraft = {
  image: '',
  command: '',
  args: '',
  flavor: 'cpu-basic',
  environment: '',
  secrets: '',
  labels: '',
  volumes: '',
  timeoutSeconds: '',
  attempts: '',
};

/**
 * Returns the fields of an existing job. Its attempts, volumes and secrets are unknown, and stay unless others are
 * given.
 */
export const jobDraftOf = (job: {
  readonly spaceId?: string | undefined;
  readonly dockerImage?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly arguments?: readonly string[] | undefined;
  readonly flavor: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly timeoutSeconds: number | null;
}): JobDraft => ({
  ...NO_JOB,
  image: job.spaceId ? `space:${job.spaceId}` : (job.dockerImage ?? ''),
  command: (job.command ?? []).map(quoted).join(' '),
  args: (job.arguments ?? []).map(quoted).join(' '),
  flavor: job.flavor,
  environment: textOf(job.environment),
  labels: textOf(job.labels ?? {}),
  timeoutSeconds: job.timeoutSeconds === null ? '' : String(job.timeoutSeconds),
});

/** Returns the job for the hub's API. */
export function jobOf(draft: JobDraft): NonNullable<WebhookInput['job']> & JobSpecification {
  const { image, flavor, environment, secrets, timeoutSeconds, attempts } = draft;
  const [, space] = /^space:(.*)$/.exec(image.trim()) ?? [];
  const [words, args, labels] = [wordsOf(draft.command), wordsOf(draft.args), linesOf(draft.labels)];
  const volumes = volumesOf(draft.volumes);
  return {
    ...(space === undefined ? { dockerImage: image.trim() } : { spaceId: space }),
    ...(words.length > 0 && { command: words }),
    ...(args.length > 0 && { arguments: args }),
    // The hub refuses unknown flavors.
    flavor: flavor as 'cpu-basic',
    environment: linesOf(environment),
    ...(secrets.trim() !== '' && { secrets: linesOf(secrets) }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(volumes.length > 0 && { volumes }),
    ...(attempts.trim() !== '' && { attempts: Number(attempts) }),
    timeoutSeconds: timeoutSeconds.trim() === '' ? null : Number(timeoutSeconds),
  };
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

const linesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    lines(text).map((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
    }),
  );

const textOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

const volumesOf = (text: string) =>
  lines(text).map((line) => {
    const [type = '', source = '', mountPath = '', mode] = line.trim().split(/\s+/);
    // The hub refuses unknown types.
    return { type: type as 'bucket', source, mountPath, ...(mode === 'ro' && { readOnly: true }) };
  });

/** Splits a command line into words. Only quotes are special: they keep spaces within a word. */
export function wordsOf(command: string): string[] {
  const parts = command.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g);
  return [...parts].map(([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '');
}

const quoted = (word: string): string => (/^[^\s"']+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`);

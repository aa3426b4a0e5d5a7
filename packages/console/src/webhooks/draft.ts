import type { Webhook, WebhookInput } from '@moonbase/client/webhooks';
import { type JobDraft, jobDraftOf, jobOf, NO_JOB } from '../jobs/job-draft.ts';

/** The fields of the webhook form as unvalidated texts. */
export interface Draft {
  readonly target: 'url' | 'job' | 'source';
  readonly name: string;
  readonly description: string;
  readonly url: string;
  /** The id of a job whose specification is copied. */
  readonly jobSourceId: string;
  readonly secret: string;
  readonly domains: readonly ('repo' | 'discussion')[];
  readonly watched: WebhookInput['watched'];
  readonly job: JobDraft;
}

export const NEW: Draft = {
  target: 'url',
  name: '',
  description: '',
  url: '',
  jobSourceId: '',
  secret: '',
  domains: ['repo', 'discussion'],
  watched: [],
  job: NO_JOB,
};

export const draftOf = ({ name = '', description = '', url, job, jobSourceId, domains, watched }: Webhook): Draft => ({
  target: jobSourceId ? 'source' : job ? 'job' : 'url',
  name,
  description,
  url: url ?? '',
  jobSourceId: jobSourceId ?? '',
  secret: '',
  domains,
  watched: watched.map(({ type, name }) => ({ type, name })),
  job: job ? jobDraftOf(job) : NO_JOB,
});

/** Returns the webhook for the hub's API. An unchanged target is omitted, which keeps it with its secrets. */
export function inputOf(draft: Draft, before?: Draft): WebhookInput {
  const { target, name, description, secret, domains, watched } = draft;
  return {
    // An empty text removes what an existing webhook has.
    ...((name !== '' || before) && { name }),
    ...((description !== '' || before) && { description }),
    watched,
    domains: [...domains],
    ...(secret !== '' && { secret }),
    ...(before && isKept(draft, before) ? {} : TARGETS[target](draft)),
  };
}

const TARGETS = {
  url: ({ url }: Draft) => ({ url: url.trim() }),
  job: ({ job }: Draft) => ({ job: jobOf(job) }),
  source: ({ jobSourceId }: Draft) => ({ jobSourceId: jobSourceId.trim() }),
};

const isKept = (draft: Draft, before: Draft): boolean =>
  draft.target === before.target &&
  draft.url === before.url &&
  draft.job === before.job &&
  draft.jobSourceId === before.jobSourceId;

import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookInput,
} from '@moonbase/client/webhooks';
import { parse } from 'yaml';
import { type Columns, command, listing } from '../../program/command.ts';
import { UsageError } from '../../program/failure.ts';
import { argument, choice, choicesOf, flag, text, texts } from '../../program/parameter.ts';
import { readSecret, readText } from '../../terminal/asking.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { when } from '../parameters.ts';

export const webhook = argument('id of the webhook');
const one = ({ webhook: webhookId }: { readonly webhook: string }) => ({ webhookId });

const stateOf = ({ disabled }: Webhook) =>
  disabled === false ? 'active' : disabled === true ? 'disabled' : 'suspended';
const targetOf = ({ url, job, jobSourceId }: Webhook) =>
  url ?? (job ? `job ${job.dockerImage ?? job.spaceId ?? ''}` : jobSourceId && `job as ${jobSourceId}`);
const columns: Columns<Webhook> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  state: stateOf,
  target: targetOf,
  watched: ({ watched }) => watched.map(({ type, name }) => `${type}:${name}`).join(', '),
  domains: ({ domains }) => domains.join(', '),
  'last triggered': ({ lastTriggerAt }) => when(lastTriggerAt),
};
const details: Columns<{ readonly webhook: Webhook }> = Object.fromEntries(
  Object.entries({
    ...columns,
    description: ({ description }: Webhook) => description,
    secret: ({ hasSecret }: Webhook) => hasSecret,
  }).map(([title, read]) => [title, (answer: { readonly webhook: Webhook }) => read(answer.webhook)]),
);

export const list = listing({
  name: 'list',
  summary: 'list your webhooks',
  run: ({ hub }) => listWebhooks(hub),
  columns,
});

export const show = command({
  name: 'show',
  summary: 'show a webhook',
  args: { webhook },
  run: ({ hub, args }) => getWebhook({ ...hub, ...one(args) }),
  columns: details,
});

const settings = {
  target: text('url', 'URL that deliveries are posted to'),
  job: text('path', 'instead of a URL: a job to start for each event, as YAML or JSON; - reads standard input'),
  jobSource: text('id', 'instead of a URL: id of a job whose specification is copied'),
  watch: texts('type:name', 'what to watch, such as model:acme/bert, org:acme or user:ada', { short: 'w' }),
  domain: choicesOf(['repo', 'discussion'], 'domains of events', { short: 'd' }),
  secret: flag('prompt for a secret, or read it from standard input'),
  name: text('text', 'what to call the webhook; an empty text removes the name'),
  description: text('text', 'what it is for; an empty text removes this'),
};
type Settings = { readonly [Name in 'target' | 'job' | 'jobSource' | 'name' | 'description']?: string | undefined } & {
  readonly watch?: readonly string[] | undefined;
  readonly domain?: readonly ('repo' | 'discussion')[] | undefined;
  readonly secret?: boolean | undefined;
};

const WATCHED_TYPES = ['model', 'dataset', 'space', 'bucket', 'kernel', 'user', 'org'] as const;

export function watchedOf(given: string): WebhookInput['watched'][number] {
  const type = WATCHED_TYPES.find((each) => given.startsWith(`${each}:`));
  const name = type && given.slice(type.length + 1);
  if (!type || !name)
    throw new UsageError(`--watch must have the form type:name, such as model:acme/bert or org:acme: ${given}`);
  return { type, name };
}

async function jobOf(file: string, terminal: Terminal): Promise<WebhookInput['job']> {
  try {
    const job: WebhookInput['job'] = parse(await readText(file, terminal), { logLevel: 'error' });
    return job;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} is neither YAML nor JSON`);
  }
}

/** Returns the settings for the hub's API; omitted ones are undefined. */
async function inputOf(options: Settings, terminal: Terminal) {
  const { target, job, jobSource, watch, domain, secret, name, description } = options;
  return {
    ...{ name, description },
    ...{ url: target, jobSourceId: jobSource, job: job === undefined ? undefined : await jobOf(job, terminal) },
    ...{ watched: watch?.map(watchedOf), domains: domain && [...domain] },
    secret: secret ? await readSecret('Secret: ', terminal) : undefined,
  };
}

export const create = command({
  name: 'create',
  summary: 'create a webhook',
  options: settings,
  async run({ hub, options, terminal }) {
    const { watched, domains = ['repo', 'discussion'], ...input } = await inputOf(options, terminal);
    if (!watched) throw new UsageError('--watch is required, as in --watch org:acme');
    return createWebhook({ ...hub, webhook: { ...input, watched, domains } });
  },
  say: (answer) => `Created the webhook ${answer.webhook.id}.\n`,
});

export const update = command({
  name: 'update',
  summary: 'change a webhook; other settings are kept',
  args: { webhook },
  options: settings,
  async run({ hub, args, options, terminal }) {
    const { watched, domains, ...input } = await inputOf(options, terminal);
    // The hub replaces both lists, so the current ones are needed.
    const { webhook: now } = await getWebhook({ ...hub, ...one(args) });
    const kept = { watched: now.watched.map(({ type, name }) => ({ type, name })), domains: now.domains };
    const changed = { ...input, watched: watched ?? kept.watched, domains: domains ?? kept.domains };
    return updateWebhook({ ...hub, ...one(args), webhook: changed });
  },
  columns: details,
});

export const enable = command({
  name: 'enable',
  summary: 'enable a disabled or suspended webhook',
  args: { webhook },
  run: ({ hub, args }) => enableWebhook({ ...hub, ...one(args) }),
  say: () => 'Enabled.\n',
});

export const disable = command({
  name: 'disable',
  summary: 'disable a webhook; its pending deliveries fail and can be replayed',
  args: { webhook },
  run: ({ hub, args }) => disableWebhook({ ...hub, ...one(args) }),
  say: () => 'Disabled.\n',
});

export const remove = command({
  name: 'delete',
  summary: 'delete a webhook',
  args: { webhook },
  run: ({ hub, args }) => deleteWebhook({ ...hub, ...one(args) }),
  say: () => 'Deleted the webhook.\n',
});

export const rotate = command({
  name: 'rotate-secret',
  summary: 'replace the secret with one from a prompt or standard input; for 24 hours the old one also signs',
  args: { webhook },
  run: async ({ hub, args, terminal }) =>
    rotateWebhookSecret({ ...hub, ...one(args), secret: await readSecret('New secret: ', terminal) }),
  say: () => 'Replaced the secret. For 24 hours, deliveries are also signed with the old one.\n',
});

export const testing = command({
  name: 'test',
  summary: 'send a sample event and show the response of the receiver',
  args: { webhook },
  options: {
    scope: choice(
      ['repo', 'repo.content', 'repo.config', 'discussion', 'discussion.comment'],
      'scope of the event (default: repo.content)',
    ),
    action: choice(['create', 'delete', 'update', 'move'], 'action of the event (default: update)'),
  },
  run: async ({ hub, args, options, end }) => {
    const answer = await testWebhook({ ...hub, ...one(args), ...options });
    if (!accepted(answer.status)) end(1);
    return answer;
  },
  say: answerText,
});

/** Returns whether a receiver accepted a delivery. */
export const accepted = (status: number): boolean => status >= 200 && status < 300;

/** Describes the response of a receiver; status 0 means no response. */
export function answerText({
  status,
  error,
}: {
  readonly status: number;
  readonly error?: string | undefined;
}): string {
  return status === 0
    ? `No response${error === undefined ? '' : `: ${error}`}.\n`
    : `The receiver answered ${status}.\n`;
}

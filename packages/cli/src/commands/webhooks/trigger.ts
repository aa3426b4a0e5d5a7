import type { Hub } from '@moonbase/client/request';
import { listWebhookStreams, type SampleEvent, testWebhookStream } from '@moonbase/client/webhook-streams';
import { listWebhooks, testWebhook, type Webhook } from '@moonbase/client/webhooks';
import { command } from '../../program/command.ts';
import { UsageError } from '../../program/failure.ts';
import { choiceArgument, text } from '../../program/parameter.ts';
import { repoType } from '../parameters.ts';
import { accepted } from './settings.ts';

type Repo = NonNullable<SampleEvent['repo']>;

/**
 * The destination of a sample: a webhook, with the status of its receiver, or a stream, which prints the outcome
 * itself.
 */
interface Sent {
  readonly id: string;
  readonly webhookId?: string;
  readonly streamId?: string;
  readonly status?: number;
  readonly error?: string | undefined;
}

export const trigger = command({
  name: 'trigger',
  summary: 'send a sample event to your open streams, or to your webhooks',
  details:
    'Sends the event to the webhook or stream named by --webhook, otherwise to the open streams of `moonbase listen`, otherwise to your enabled webhooks that watch the repository.',
  args: {
    scope: choiceArgument(
      ['repo', 'repo.content', 'repo.config', 'discussion', 'discussion.comment'],
      'scope of the event',
    ),
    action: choiceArgument(['create', 'delete', 'update', 'move'], 'action of the event'),
  },
  options: {
    repo: text('name', 'repository of the event: namespace/name; need not exist'),
    type: repoType,
    webhook: text('id', 'id of the webhook or stream'),
  },
  async run({ hub, args, options: { repo: name, type = 'model', webhook }, end }): Promise<Sent[]> {
    const event: SampleEvent & { scope: string } = { ...args, repo: name === undefined ? undefined : { type, name } };
    const streams = (await listWebhookStreams(hub)).filter(({ id }) => webhook === undefined || id === webhook);
    const sent: Sent[] = [];
    for (const { id: streamId } of streams)
      sent.push({ streamId, ...(await testWebhookStream({ ...hub, streamId, ...event })) });
    if (streams.length === 0)
      for (const webhookId of webhook === undefined ? await watching(hub, event.scope, event.repo) : [webhook])
        sent.push({ webhookId, ...(await testWebhook({ ...hub, webhookId, ...event })) });
    if (!sent.every(({ status }) => status === undefined || accepted(status))) end(1);
    return sent;
  },
  say: (sent) => sent.map(sentText).join(''),
});

/** Returns the enabled webhooks that would receive such an event of the repository. */
async function watching(hub: Hub, scope: string, repo: Repo | undefined): Promise<string[]> {
  if (!repo)
    throw new UsageError(
      'No stream is open (`moonbase listen`): name a webhook with --webhook, or a repository with --repo',
    );
  const ids = (await listWebhooks(hub)).filter((webhook) => watches(webhook, scope, repo)).map(({ id }) => id);
  if (ids.length > 0) return ids;
  throw new UsageError(
    `No stream is open (\`moonbase listen\`), and no enabled webhook of yours watches the ${repo.type} ${repo.name}`,
  );
}

function watches({ disabled, domains, watched }: Webhook, scope: string, repo: Repo): boolean {
  const owner = repo.name.split('/')[0] ?? '';
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  return (
    disabled === false &&
    domains.some((domain) => domain === scope.split('.')[0]) &&
    watched.some(({ type, name }) =>
      type === 'user' || type === 'org' ? same(name, owner) : type === repo.type && same(name, repo.name),
    )
  );
}

function sentText({ webhookId, streamId, status, error }: Sent): string {
  if (streamId !== undefined) return `Sent to the stream ${streamId}.\n`;
  return `Sent to the webhook ${webhookId}: ${status || (error ?? 'no response')}\n`;
}

import type { Hub } from '@moonbase/client/request';
import { listWebhookStreams, type SampleEvent, testWebhookStream } from '@moonbase/client/webhook-streams';
import { listWebhooks, testWebhook, type Webhook } from '@moonbase/client/webhooks';
import type { Command } from 'commander';
import { UsageError } from './failure.ts';
import { parseNamed } from './named.ts';
import { jsonText } from './output.ts';
import type { Terminal } from './terminal.ts';

interface TriggerOptions {
  readonly scope: string;
  readonly action: string;
  readonly repo?: string | undefined;
  readonly webhook?: string | undefined;
  readonly json: boolean;
}

type Repo = NonNullable<SampleEvent['repo']>;

/** Where a sample went: to a webhook, with the status of its receiver, or to a stream, which says it there. */
interface Sent {
  readonly id: string;
  readonly webhookId?: string;
  readonly streamId?: string;
  readonly status?: number;
  readonly error?: string | undefined;
}

/**
 * `moonbase trigger`: sends a sample event to one webhook or stream, or to all open streams, or where there is none to
 * the webhooks that watch the repository. Answers the exit status: 1 where a receiver did not take it.
 */
export async function trigger(hub: Hub, options: TriggerOptions, terminal: Terminal): Promise<0 | 1> {
  const { scope, action, webhook, json } = options;
  const repo = options.repo === undefined ? undefined : repoOf(options.repo);
  // What the scopes and actions are, the hub knows.
  const event = { scope, action, repo } as SampleEvent;
  const streams = (await listWebhookStreams(hub)).filter(({ id }) => webhook === undefined || id === webhook);
  const sent: Sent[] = [];
  for (const { id: streamId } of streams)
    sent.push({ streamId, ...(await testWebhookStream({ ...hub, streamId, ...event })) });
  if (streams.length === 0)
    for (const webhookId of webhook === undefined ? await watching(hub, scope, repo) : [webhook])
      sent.push({ webhookId, ...(await testWebhook({ ...hub, webhookId, ...event })) });
  terminal.out(json ? jsonText(sent) : sent.map(sentText).join(''));
  return sent.every(({ status }) => status === undefined || (status >= 200 && status < 300)) ? 0 : 1;
}

/** The enabled webhooks that would be sent such an event of the repository. */
async function watching(hub: Hub, scope: string, repo: Repo | undefined): Promise<string[]> {
  if (!repo)
    throw new UsageError(
      'No stream is open (`moonbase listen`): say what to send with --webhook, or about with --repo',
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

const repoOf = (text: string) => parseNamed('--repo', text.includes(':') ? text : `model:${text}`) as Repo;

function sentText({ webhookId, streamId, status, error }: Sent): string {
  if (streamId !== undefined) return `Sent to the stream ${streamId}.\n`;
  return `Sent to the webhook ${webhookId}: ${status || (error ?? 'no answer')}\n`;
}

interface Around {
  readonly connect: (options: { url?: string; token?: string }) => Hub;
  readonly terminal: Terminal;
  readonly end: (status: number) => void;
}

export function addTrigger(program: Command, { connect, terminal, end }: Around): void {
  program
    .command('trigger')
    .description('send a sample event to your open streams, or to your webhooks')
    .argument('<scope>', 'as in repo.content')
    .argument('<action>', 'as in update')
    .option('--repo <name>', 'what it is about, as in acme/bert or dataset:acme/corpus; need not be there')
    .option('--webhook <id>', 'only to this webhook or stream')
    .action(async (scope: string, action: string, _, command: Command) => {
      const { json = false, ...options } = command.optsWithGlobals<
        { repo?: string; webhook?: string } & { json?: boolean; url?: string; token?: string }
      >();
      end(await trigger(connect(options), { ...options, scope, action, json }, terminal));
    });
}

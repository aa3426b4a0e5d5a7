import type { RouteInput } from '@moonbase/contract/route';
import type { Domain } from '@moonbase/contract/webhooks/payload';
import type { acknowledgeDelivery, openWebhookStream, WebhookStream } from '@moonbase/contract/webhooks/streams';
import type { SampleEvent, WatchedInput } from '@moonbase/contract/webhooks/webhooks';
import { lockAccount } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest, HubError, notFound } from '../../platform/http/errors.ts';
import { createLiveStreams } from '../../platform/http/live-stream.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import type { Tasks } from '../../platform/queue/tasks.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { requireSources } from '../../repositories/index.ts';
import type { AttemptRecorder } from '../delivery/attempt-recorder.ts';
import type { Messages } from '../delivery/compose.ts';
import { insertDeliveries, loadForSending } from '../delivery/delivery-store.ts';
import { expireStreamTask, purgeWebhookTask } from '../log/prune.ts';
import { streamTarget } from '../matching/lane.ts';
import { draftSample, refuseUnknownEvent } from '../samples/sample-events.ts';
import { reachedAmong, requireReached } from '../subscriptions/authority.ts';
import { beginChange, insertWebhook, type NewWebhook, replaceWatched } from '../subscriptions/history.ts';
import { sealedAt, watchedFault } from '../subscriptions/policy.ts';
import { presentWebhook } from '../subscriptions/present.ts';
import { hideWebhook, watchedBy } from '../subscriptions/store.ts';
import type { WebhookRow } from '../tables.ts';
import { createStreamConnection, GRACE_MS } from './connection.ts';
import { connectStream, findStream, isLogged, listStreams } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly tasks: Tasks;
  readonly events: Events;
  readonly messages: Messages;
  readonly recorder: AttemptRecorder;
  readonly signals: Signals;
  /** Watched items a stream. */
  readonly maxWatched: number;
}

/** Streams of one user. */
const MAX_STREAMS = 10;

export type WebhookStreams = ReturnType<typeof createWebhookStreams>;

const streamNotFound = () => notFound('There is no such stream among yours; it may have expired');

/** Webhooks whose target is a connection: gone with it, never listed, never suspended. */
export function createWebhookStreams(given: Dependencies) {
  const { database, clock, ids, secretBox, tasks, events, recorder, signals, maxWatched } = given;
  const { read } = database;
  const connections = createLiveStreams({ signals });
  const carry = createStreamConnection(given);

  async function requireStream(from: ReadExecutor, { principal }: Caller, id: string): Promise<WebhookRow> {
    const stream = await findStream(from, principal.userId, id, clock.now());
    if (!stream) throw streamNotFound();
    await requireReached(from, principal, stream, 'read');
    return stream;
  }

  async function present(from: ReadExecutor, caller: Caller, stream: WebhookRow): Promise<WebhookStream> {
    const webhook = presentWebhook(caller.baseUrl, stream, await watchedBy(from, stream.id));
    const { id, watched, hasSecret, domains } = webhook;
    return { id, watched, hasSecret, domains };
  }

  return {
    async list(caller: Caller): Promise<WebhookStream[]> {
      const streams = await listStreams(read, caller.principal.userId, clock.now());
      const reached = await reachedAmong(read, caller.principal, streams);
      return Promise.all(reached.map((stream) => present(read, caller, stream)));
    },

    /** Watches the caller's own namespace unless said. It waits for its connection as long as for one that broke. */
    open(caller: Caller, input: RouteInput<typeof openWebhookStream>['body']) {
      const { userId, userName } = caller.principal;
      const own: WatchedInput = { type: 'user', name: userName };
      const { watched = [own], domains = ['repo', 'discussion'] satisfies Domain[], secret = '' } = input;
      const fault = watchedFault(watched, maxWatched);
      if (fault) throw badRequest(`${fault.path}: ${fault.message}`, [fault]);
      return database.transaction(async (tx) => {
        await requireSources(tx, caller.principal, watched);
        await lockAccount(tx, userId);
        const now = clock.now();
        if ((await listStreams(tx, userId, now)).length >= MAX_STREAMS)
          throw new HubError(429, `At most ${MAX_STREAMS} webhook streams of one user can be open; close another one`);
        const id = ids();
        const opened: NewWebhook = {
          ...{ id, owner_id: userId, url: streamTarget(id), created_at: now, state: 'enabled' },
          ...{
            domains: JSON.stringify([...new Set(domains)]),
            secret: secret === '' ? null : secretBox.seal(secret, sealedAt('secret', id)),
          },
          ...{ job: null, job_source_id: null, job_secrets: null, old_secret: null, old_secret_until: null },
          ...{ last_trigger_at: null, failures: 0, failing_since: null },
          ...{ stream_until: now + GRACE_MS, connection: null },
        };
        const change = beginChange(tx, now);
        const stream = await insertWebhook(tx, opened, change);
        await replaceWatched(tx, id, watched, change);
        await tasks.enqueue(tx, expireStreamTask, { webhookId: id }, { dueAt: now + GRACE_MS });
        return { stream: await present(tx, caller, stream) };
      });
    },

    /** Its deliveries, from the first that is not acknowledged; the connection before ends. */
    async connect(caller: Caller, streamId: string, identify: () => Promise<Caller>) {
      const stream = await requireStream(read, caller, streamId);
      const at = { streamId, connection: ids() };
      /** Throws for whoever lost the token, or what it may do or read. */
      const allowed = async () => {
        const now = await identify();
        await requireReached(read, now.principal, stream, 'read');
        return now.principal;
      };
      const source = connections.open(caller, streamId, (connection) => carry({ at, allowed, ...connection }));
      const now = clock.now();
      if (
        !(await database.transaction((tx) =>
          connectStream(tx, caller.principal.userId, at, { now, until: now + GRACE_MS }),
        ))
      )
        throw streamNotFound();
      signals.send([streamId]);
      return source;
    },

    /** Records how it went; the first answer counts. */
    async acknowledge(
      caller: Caller,
      { streamId, deliveryId }: RouteInput<typeof acknowledgeDelivery>['params'],
      { status, error = 'The receiver did not answer', durationMs }: RouteInput<typeof acknowledgeDelivery>['body'],
    ): Promise<void> {
      await requireStream(read, caller, streamId);
      if (!(await isLogged(read, streamId, deliveryId))) throw notFound('There is no such delivery of this stream');
      const [delivery] = await loadForSending(read, [deliveryId]);
      if (!delivery) return;
      const result =
        status === 0
          ? ({ kind: 'failed', error, durationMs } as const)
          : ({ kind: 'answered', status, headers: {}, body: '', durationMs } as const);
      const startedAt = clock.now() - durationMs;
      const made = { delivery, startedAt, url: delivery.url, result, jobId: null, note: null };
      if (!(await recorder.add(made, true))) throw new HubError(503, 'This could not be recorded; send it again');
      signals.send([streamId]);
    },

    /** Sends a made-up event of the given kind; it takes its turn. */
    async test(caller: Caller, streamId: string, event: SampleEvent): Promise<{ id: string }> {
      refuseUnknownEvent(event);
      const id = ids();
      await database.transaction(async (tx) => {
        await requireStream(tx, caller, streamId);
        const { row, record } = await draftSample(tx, caller, { id: streamId, lane: streamTarget(streamId) }, event);
        const event_id = await record(tx, events);
        const now = clock.now();
        const trigger_key = `${event_id}/${id}`;
        await insertDeliveries(tx, [{ ...row, id, event_id, trigger_key, due_at: now, created_at: now }]);
        afterCommit(tx, () => signals.send([streamId]));
      });
      return { id };
    },

    /** Nothing is sent any more; what is left of it goes in the background. */
    close: (caller: Caller, streamId: string): Promise<void> =>
      database.transaction(async (tx) => {
        await requireStream(tx, caller, streamId);
        await hideWebhook(tx, streamId);
        await tasks.enqueue(tx, purgeWebhookTask, { webhookId: streamId });
        afterCommit(tx, () => signals.send([streamId]));
      }),

    /** Ends all connections, and takes no more: they come again to another process, or to this one after its restart. */
    stop: connections.close,
  };
}

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
import { requireReachableSources } from '../../repositories/index.ts';
import type { Messages } from '../delivery/compose.ts';
import { insertDeliveries, loadForSending } from '../delivery/delivery-store.ts';
import type { AttemptRecorder } from '../delivery/recording/attempt-recorder.ts';
import { expireStreamTask, purgeWebhookTask } from '../log/prune.ts';
import { streamTarget } from '../matching/lane.ts';
import { draftSample, refuseUnknownEvent } from '../samples/sample-events.ts';
import { filterReached, requireReached } from '../subscriptions/authority.ts';
import { beginChange, insertWebhook, replaceWatched } from '../subscriptions/history.ts';
import { sealedAt, watchedFault } from '../subscriptions/policy.ts';
import { presentWebhook } from '../subscriptions/present.ts';
import { markDeleted, watchedBy } from '../subscriptions/store.ts';
import type { WebhookRow } from '../tables.ts';
import { type Acknowledgement, acknowledgedAttempt } from './acknowledged-attempt.ts';
import { createStreamConnection, GRACE_MS } from './connection.ts';
import { newStream } from './new-stream.ts';
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
  /** The items that a stream may watch. */
  readonly maxWatched: number;
}

/** The streams that a user may have. */
const MAX_STREAMS = 10;

export type WebhookStreams = ReturnType<typeof createWebhookStreams>;

const streamNotFound = () => notFound('You have no such stream; it may have expired');

/** Webhooks whose target is a connection: they expire without one, are never listed and never suspended. */
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
      const reached = await filterReached(read, caller.principal, streams);
      return Promise.all(reached.map((stream) => present(read, caller, stream)));
    },

    /** Opens a stream, by default of the caller's own namespace. The stream expires if nobody connects for a time. */
    open(caller: Caller, input: RouteInput<typeof openWebhookStream>['body']) {
      const { userId, userName } = caller.principal;
      const own: WatchedInput = { type: 'user', name: userName };
      const { watched = [own], domains = ['repo', 'discussion'] satisfies Domain[], secret = '' } = input;
      const fault = watchedFault(watched, maxWatched);
      if (fault) throw badRequest(`${fault.path}: ${fault.message}`, [fault]);
      return database.transaction(async (tx) => {
        await requireReachableSources(tx, caller.principal, watched);
        await lockAccount(tx, userId);
        const now = clock.now();
        if ((await listStreams(tx, userId, now)).length >= MAX_STREAMS)
          throw new HubError(429, `You can have at most ${MAX_STREAMS} webhook streams open; close another one`);
        const id = ids();
        const sealed = secret === '' ? null : secretBox.seal(secret, sealedAt('secret', id));
        const change = beginChange(tx, now);
        const opened = newStream({ id, ownerId: userId, domains, secret: sealed, now });
        const stream = await insertWebhook(tx, opened, change);
        await replaceWatched(tx, id, watched, change);
        await tasks.enqueue(tx, expireStreamTask, { webhookId: id }, { dueAt: now + GRACE_MS });
        return { stream: await present(tx, caller, stream) };
      });
    },

    /** Connects to a stream, whose deliveries begin with the first unacknowledged one; an earlier connection ends. */
    async connect(caller: Caller, streamId: string, identify: () => Promise<Caller>) {
      const stream = await requireStream(read, caller, streamId);
      const at = { streamId, connection: ids() };
      /** Throws where the token was revoked, or may no longer read what the stream watches. */
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

    /** Records the result that a connection reports for a delivery; the first report counts. */
    async acknowledge(
      caller: Caller,
      { streamId, deliveryId }: RouteInput<typeof acknowledgeDelivery>['params'],
      reported: Acknowledgement,
    ): Promise<void> {
      await requireStream(read, caller, streamId);
      if (!(await isLogged(read, streamId, deliveryId))) throw notFound('There is no such delivery of this stream');
      const [delivery] = await loadForSending(read, [deliveryId]);
      if (!delivery) return;
      const attempt = acknowledgedAttempt(delivery, reported, clock.now());
      if (!(await recorder.add(attempt, true)))
        throw new HubError(503, 'The event could not be stored: send the request again');
      signals.send([streamId]);
    },

    /** Queues a sample event of a kind, which is sent after the deliveries before it. */
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

    /** Closes a stream at once; a task deletes its log and its row. */
    close: (caller: Caller, streamId: string): Promise<void> =>
      database.transaction(async (tx) => {
        await requireStream(tx, caller, streamId);
        await markDeleted(tx, streamId);
        await tasks.enqueue(tx, purgeWebhookTask, { webhookId: streamId });
        afterCommit(tx, () => signals.send([streamId]));
      }),

    /** Ends all connections and takes no more: clients connect again to another process, or to this one after a restart. */
    stop: connections.close,
  };
}

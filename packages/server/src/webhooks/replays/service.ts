import { setImmediate } from 'node:timers/promises';
import type { WebhookReplay } from '@moonbase/contract/webhooks/replays';
import { isLimited } from '../../access/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller, Principal } from '../../platform/http/authenticate.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Tasks } from '../../platform/queue/tasks.ts';
import { toJson } from '../../platform/stored-form.ts';
import type { LogFilter } from '../log/store.ts';
import { lockOwn, requireWebhook } from '../subscriptions/own-webhook.ts';
import type { StoredFilter, WebhookReplayRow, WebhookRow } from '../tables.ts';
import {
  countMatches,
  endRecovering,
  findReplay,
  findRunning,
  insertReplay,
  newestEntry,
  nextWindow,
  type Search,
  searchStart,
  updateReplay,
} from './store.ts';
import { replayTask } from './task.ts';

export type Replays = ReturnType<typeof createReplays>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tasks: Tasks;
}

const CANCELED = 'The replay was canceled; replay this delivery when it is wanted';

/** Replays of many log entries at once: requested here, carried out by a task. */
export function createReplays({ database, clock, ids, tasks }: Dependencies) {
  const { read } = database;

  /** Counts in windows, outside of any transaction, so that a long log does not hold up other requests. */
  async function countAll(search: Search): Promise<number> {
    let matched = 0;
    for (let after = searchStart(search.filter); after < search.bound; ) {
      const window = await nextWindow(read, search, after);
      matched += await countMatches(read, search, window);
      after = window.upTo;
      await setImmediate();
    }
    return matched;
  }

  return {
    /** Counts the entries that match and starts their replay; a dry run only counts. */
    async start(caller: Caller, webhookId: string, { dryRun, ...filter }: LogFilter & { dryRun: boolean }) {
      const webhook = await requireWebhook(read, caller, webhookId, 'write');
      if (!dryRun) await refuseUnfit(read, webhook);
      const createdAt = clock.now();
      const bound = await newestEntry(read, webhookId);
      const { principal } = caller;
      const matched = await countAll({ webhookId, reader: principal, filter, bound });
      if (dryRun) return { dryRun: true as const, matched };
      return database.transaction(async (tx) => {
        const locked = await lockOwn(tx, caller, webhookId);
        await refuseUnfit(tx, locked);
        const replay: WebhookReplayRow = {
          id: ids(),
          webhook_id: webhookId,
          created_at: createdAt,
          filter: toJson({ ...filter, ...(isLimited(principal) && { token: limitsOf(principal) }) }),
          bound,
          cursor: searchStart(filter),
          matched,
          replayed: 0,
          state: 'running',
        };
        await insertReplay(tx, replay);
        await tasks.enqueue(tx, replayTask, { webhookId, replayId: replay.id, waits: 0 });
        return presentReplay(replay);
      });
    },

    async get(caller: Caller, webhookId: string, replayId: string): Promise<WebhookReplay> {
      await requireWebhook(read, caller, webhookId, 'read');
      return presentReplay(await requireReplay(read, webhookId, replayId));
    },

    /** Cancels a replay and its pending deliveries; a replay that has ended stays as it is. */
    cancel: (caller: Caller, webhookId: string, replayId: string): Promise<WebhookReplay> =>
      database.transaction(async (tx) => {
        await lockOwn(tx, caller, webhookId);
        const replay = await requireReplay(tx, webhookId, replayId);
        if (replay.state !== 'running') return presentReplay(replay);
        await updateReplay(tx, replayId, { state: 'canceled' });
        await endRecovering(tx, replay, CANCELED);
        return presentReplay({ ...replay, state: 'canceled' });
      }),
  };
}

/** Returns what limits a token, for the steps of a replay. */
const limitsOf = ({ token: { role, fineGrained, cutOff } }: Principal): NonNullable<StoredFilter['token']> => ({
  role,
  ...(fineGrained && { fineGrained }),
  ...(cutOff && { cutOff }),
});

/** Throws 409 where the webhook is not enabled, or has a running replay. */
async function refuseUnfit(executor: ReadExecutor, webhook: WebhookRow): Promise<void> {
  if (webhook.state === 'disabled') throw conflict('The webhook is disabled; enable it first');
  if (webhook.state !== 'enabled') throw conflict('The webhook is suspended after failures; enable it first');
  const running = await findRunning(executor, webhook.id);
  if (running)
    throw conflict('A replay of this webhook is running; wait until it is done, or cancel it', { id: running.id });
}

async function requireReplay(executor: ReadExecutor, webhookId: string, id: string): Promise<WebhookReplayRow> {
  const replay = await findReplay(executor, webhookId, id);
  if (!replay) throw notFound('There is no such replay of this webhook');
  return replay;
}

const presentReplay = (replay: WebhookReplayRow): WebhookReplay => ({
  id: replay.id,
  createdAt: timestamp(replay.created_at),
  status: replay.state,
  matched: replay.matched,
  replayed: replay.replayed,
});

import type { JobInput } from '@moonbase/contract/jobs/specification';
import type { RepoType } from '@moonbase/contract/primitives';
import type { Action, Domain, Scope } from '@moonbase/contract/webhooks/payload';
import type { DeliveryStatus } from '@moonbase/contract/webhooks/webhooks';
import type { Reader } from '../access/index.ts';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, integer, type RowOf, text } from '../platform/database/columns.ts';
import type { SealedColumns } from '../platform/keys/sealed-store.ts';
import type { JsonText } from '../platform/stored-form.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    webhooks: WebhookRow;
    webhook_watched: WatchedRow;
    webhook_versions: WebhookVersionRow;
    deliveries: DeliveryRow;
    delivery_attempts: DeliveryAttemptRow;
    webhook_replays: WebhookReplayRow;
    webhook_tallies: TallyRow;
  }

  interface Queues {
    deliveries: 'deliveries';
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const WEBHOOKS_BACKUP = {
  webhooks: 'kept',
  webhook_watched: 'kept',
  webhook_versions: 'kept',
  deliveries: 'kept',
  delivery_attempts: 'kept',
  webhook_replays: 'kept',
  webhook_tallies: 'kept',
} satisfies TablePlan;

/** The columns that hold secrets. */
export const WEBHOOKS_SEALED: SealedColumns = { table: 'webhooks', columns: ['secret', 'old_secret', 'job_secrets'] };

/** The job of a webhook as it is stored: the values of its secrets are sealed in a column of their own. */
export type StoredJob = Omit<JobInput, 'secrets'> & { readonly secretNames: string[] };

/** The response to an attempt, or why there was none. */
interface StoredResult {
  readonly at: number;
  readonly responseStatus?: number;
  readonly error?: string;
}

/** The last attempt of a webhook. */
export interface StoredAttempt extends StoredResult {
  readonly outcome: AttemptOutcome;
  readonly durationMs: number;
}

/** Why a webhook was suspended, with the last attempt. */
export interface StoredSuspension extends StoredResult {
  readonly cause: 'gone' | 'in-a-row' | 'days';
  readonly failures: number;
  readonly failingSince: number;
}

/** What an attempt came to; `retrying` is a failure that was to be repeated. */
export type AttemptOutcome = 'delivered' | 'retrying' | 'failed';

export interface WebhookRow {
  id: string;
  owner_id: string;
  /** What the owner calls it, and says about it. */
  name: string | null;
  description: string | null;
  /** Null where the target is a job; `stream:` and the id of the webhook where the target is a connection. */
  url: string | null;
  job: JsonText<StoredJob> | null;
  job_source_id: string | null;
  job_secrets: string | null;
  /** The access token that a job is launched with, as in `jobs`. */
  job_token_id: string | null;
  secret: string | null;
  old_secret: string | null;
  old_secret_until: number | null;
  domains: JsonText<Domain[]>;
  /** A `deleted` webhook is invisible; its row is deleted after its log. */
  state: 'enabled' | 'disabled' | 'suspended' | 'deleted';
  created_at: number;
  last_trigger_at: number | null;
  failures: number;
  failing_since: number | null;
  /** The last attempt, written within seconds. */
  last_attempt: JsonText<StoredAttempt> | null;
  /** Why the webhook was suspended last; it says nothing in other states. */
  suspension: JsonText<StoredSuspension> | null;
  /** When a stream without a connection expires; null for a webhook that is not a stream. */
  stream_until: number | null;
  /** The connection to which a stream is sent: the newest one. */
  connection: string | null;
  /** The epoch since which `state` and `domains` have these values. */
  since: number;
  /** The epoch since which an enabled webhook has been enabled without a break. */
  enabled_since: number;
}

/** A former state of an enabled webhook, for matching events with an epoch from `since` on and before `until`. */
export interface WebhookVersionRow {
  webhook_id: string;
  since: number;
  until: number;
  domains: JsonText<Domain[]>;
  closed_at: number;
}

/** An item that a webhook watches, for matching events with an epoch from `since` on and before `until`. */
export interface WatchedRow {
  webhook_id: string;
  /** The place in the list as it was given; below zero for former bindings of a name, which no list shows. */
  position: number;
  type: 'dataset' | 'model' | 'space' | 'bucket' | 'kernel' | 'user' | 'org';
  name: string;
  name_key: string;
  /** The repository or account that has the name; null where nothing has it. */
  target_id: string | null;
  since: number;
  /** Null while the item is watched. */
  until: number | null;
  closed_at: number | null;
}

/** The columns of `deliveries`. */
export const DELIVERY = {
  id: text(),
  webhook_id: text(),
  event_id: text(),
  trigger_key: text(),
  created_at: bigint(),
  status: text<Exclude<DeliveryStatus, 'retrying'>>(),
  lane: text(),
  due_at: bigint(),
  attempts: integer(),
  kind: text<'trigger' | 'replay' | 'recovery' | 'test'>(),
  replay_of: text<string | null>(),
  scope: text<Scope>(),
  action: text<Action>(),
  repo_id: text(),
  repo_type: text<RepoType>(),
  repo_name: text(),
  repo_key: text(),
  repo_owner_id: text(),
  repo_private: integer(),
  repo_group_id: text<string | null>(),
  response_status: integer<number | null>(),
  error: text<string | null>(),
  duration_ms: integer<number | null>(),
  job_id: text<string | null>(),
};

export type DeliveryRow = RowOf<typeof DELIVERY>;

/** The columns of `delivery_attempts`. */
export const DELIVERY_ATTEMPT = {
  delivery_id: text(),
  /** The first attempt has the number 1. */
  number: integer(),
  created_at: bigint(),
  url: text(),
  response_status: integer<number | null>(),
  response_headers: text<JsonText<Record<string, string>> | null>(),
  response_body: text<string | null>(),
  error: text<string | null>(),
  note: text<string | null>(),
  duration_ms: integer(),
};

export type DeliveryAttemptRow = RowOf<typeof DELIVERY_ATTEMPT>;

/** The columns of `webhook_tallies`. */
export const TALLY = {
  /** Empty for all webhooks of the hub. */
  webhook_id: text(),
  /** Hours since 1970. */
  hour: integer(),
  outcome: text<AttemptOutcome | 'throttled'>(),
  /** The time until the response, see `log/latency.ts`; -1 where there was none. */
  latency: integer(),
  count: integer(),
};

export type TallyRow = RowOf<typeof TALLY>;

/** What a replay looks for; `token` limits it where the token that asked for it reaches less than its user. */
export interface StoredFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly scope?: string | undefined;
  readonly repo?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly token?: Reader['token'];
}

export interface WebhookReplayRow {
  id: string;
  webhook_id: string;
  created_at: number;
  filter: JsonText<StoredFilter>;
  /** The newest entry that the replay considers, by id. */
  bound: string;
  /** The entry up to which the replay is done, by id. */
  cursor: string;
  matched: number;
  replayed: number;
  state: 'running' | 'done' | 'canceled';
}

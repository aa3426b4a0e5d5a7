import type { Database } from '../src/platform/database/transaction.ts';
import type { DeliveryRow } from '../src/webhooks/tables.ts';

/** Stores the user `u`. */
export async function storeUser(database: Database): Promise<void> {
  const account = { kind: 'user' as const, name: 'u', name_key: 'u', fullname: 'u', avatar_url: null, created_at: 0 };
  await database.transaction((tx) =>
    tx
      .insertInto('accounts')
      .values({ ...account, id: 'u', email: null, pro: 0, site_admin: 0, plan: 'free', details: null })
      .execute(),
  );
}

/** Stores the user `u` and the event `e`, to which deliveries refer. */
export async function storeUserAndEvent(database: Database): Promise<void> {
  await storeUser(database);
  const event = { id: 'e', topic: 'repo', created_at: 0, data: '{}', due_at: 0, attempts: 0, done_at: 0, epoch: 0 };
  await database.transaction((tx) =>
    tx
      .insertInto('events')
      .values({ ...event, progress: null })
      .execute(),
  );
}

/** Stores an enabled webhook of the user `u`. */
export const storeWebhook = (database: Database, id: string) =>
  database.transaction((tx) =>
    tx
      .insertInto('webhooks')
      .values({
        id,
        owner_id: 'u',
        url: 'https://example.com',
        job: null,
        job_source_id: null,
        job_secrets: null,
        job_token_id: null,
        secret: null,
        old_secret: null,
        old_secret_until: null,
        domains: '[]',
        state: 'enabled',
        created_at: 0,
        last_trigger_at: null,
        failures: 0,
        failing_since: null,
        name: null,
        description: null,
        last_attempt: null,
        suspension: null,
        stream_until: null,
        connection: null,
        since: 0,
        enabled_since: 0,
      })
      .execute(),
  );

/** Returns a pending delivery of the event `e`, with the given columns. */
export const storedDelivery = (
  id: string,
  given: Partial<DeliveryRow> & Pick<DeliveryRow, 'webhook_id'>,
): DeliveryRow => ({
  id,
  event_id: 'e',
  trigger_key: id,
  created_at: 0,
  status: 'pending',
  lane: 'one',
  due_at: 0,
  attempts: 0,
  kind: 'trigger',
  replay_of: null,
  scope: 'repo',
  action: 'create',
  repo_id: 'r',
  repo_type: 'model',
  repo_name: 'u/r',
  repo_key: 'u/r',
  repo_owner_id: 'u',
  repo_private: 0,
  repo_group_id: null,
  response_status: null,
  error: null,
  duration_ms: null,
  job_id: null,
  ...given,
});

export async function storeDeliveries(database: Database, rows: readonly DeliveryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 500)
    await database.transaction((tx) =>
      tx
        .insertInto('deliveries')
        .values(rows.slice(from, from + 500))
        .execute(),
    );
}

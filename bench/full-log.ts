import { hex, numbers } from './generate.ts';
import type { BenchHub } from './hub.ts';

/** The number of deliveries of an event. */
const PER_EVENT = 10;
const ROWS_PER_STATEMENT = 20_000;

/**
 * Fills the log with finished deliveries of the given webhooks, spread over one day, by default the last one: an event
 * for every ten, an attempt each, one in fifty failed.
 */
export async function fillLog(hub: BenchHub, count: number, webhooks: readonly string[], daysAgo = 1): Promise<void> {
  const now = Date.now();
  const start = Math.floor(now / 1000) - daysAgo * 24 * 60 * 60;
  const perSecond = Math.max(1, Math.ceil(count / 80_000));
  const seconds = (at: string) => `(${start} + (${at}) / ${perSecond})`;
  const id = (at: string) => `(${hex(seconds(at), 8)} || ${hex(at, 16)})`;
  const payload = JSON.stringify({
    payload: { event: { action: 'update', scope: 'repo.content' }, text: 'x'.repeat(700) },
  });
  const list = webhooks.map((webhook, at) => `(${at}, '${webhook}')`).join(', ');
  // The hub can use its database between the parts.
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const part = numbers(from, Math.min(from + ROWS_PER_STATEMENT, count) - 1);
    await hub.side.run(`insert into events (id, topic, created_at, data, due_at, attempts, done_at)
      select ${id('i')}, 'repo', ${seconds('i')} * cast(1000 as bigint), '${payload}', 0, 0, 1 from ${part}
      where i % ${PER_EVENT} = 0`);
    await hub.side.run(`insert into deliveries (id, webhook_id, event_id, trigger_key, created_at, status, lane, due_at,
        attempts, kind, scope, action, repo_id, repo_type, repo_name, repo_key, repo_owner_id, repo_private,
        response_status, duration_ms)
      select ${id('i')}, w.id, ${id(`i - i % ${PER_EVENT}`)}, ${id(`i - i % ${PER_EVENT}`)} || '/' || ${hex('i', 8)},
        ${seconds('i')} * cast(1000 as bigint), case when i % 50 = 0 then 'failed' else 'delivered' end, 'lane', 0, 1,
        'trigger', case when i % 100 = 1 then 'repo.config' else 'repo.content' end, 'update', 'gone', 'model',
        'admin/old-' || (i % 1000), 'admin/old-' || (i % 1000), 'nobody', 0, case when i % 50 = 0 then 500 else 200 end, 5
      from ${part} join (with w (n, id) as (values ${list}) select n, id from w) as w on w.n = i % ${webhooks.length}`);
    await hub.side.run(`insert into delivery_attempts (delivery_id, number, created_at, url, response_status,
        response_headers, response_body, duration_ms)
      select ${id('i')}, 1, ${seconds('i')} * cast(1000 as bigint), 'http://127.0.0.1:1/', 200,
        '{"connection":"keep-alive"}', '', 5 from ${part}`);
  }
  await hub.side.settle();
}

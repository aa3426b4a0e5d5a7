import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, listWebhooks } from '@moonbase/client/webhooks';
import type { WebhookInput } from '@moonbase/contract/webhooks/webhooks';
import { besideBare } from './beside-bare.ts';
import { fillLog } from './full-log.ts';
import { ACCESS_TOKEN, type BenchHub, engine, startBenchHub } from './hub.ts';
import { load, requestBytes } from './load.ts';
import type { Scale } from './scale.ts';
import { type Figure, percentile } from './stats.ts';

const get = (url: URL, path: string) => requestBytes(url, 'GET', path, { authorization: `Bearer ${ACCESS_TOKEN}` });

async function makeWebhooks(hub: BenchHub, count: number): Promise<void> {
  await createRepo({ ...hub.connection, type: 'model', repo: 'admin/bert' });
  for (let at = 0; at < count; at++) {
    const webhook = {
      url: `https://example.com/hooks/${at}`,
      watched: [
        { type: 'model', name: 'admin/bert' },
        { type: 'user', name: 'admin' },
      ],
      domains: ['repo', 'discussion'],
    } satisfies WebhookInput;
    await createWebhook({ ...hub.connection, webhook });
  }
}

/** Measures `GET /api/settings/webhooks` with 50 webhooks. */
export async function benchList(scale: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await makeWebhooks(hub, 50);
  const atLeast = engine === 'sqlite' ? 0.35 : 0.25;
  return await besideBare(hub, { name: 'list of 50 webhooks', path: '/api/settings/webhooks', atLeast }, scale);
}

const FILTERS = ['', 'status=failed', 'status=delivered', 'scope=repo.config', 'repo=admin/old-7', 'limit=1000'];

/** Measures the log of one webhook that holds all entries, filter by filter. */
export async function benchLog({ logEntries, requests }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await makeWebhooks(hub, 1);
  const [webhook] = await listWebhooks(hub.connection);
  if (!webhook) throw new Error('There is no webhook');
  await fillLog(hub, logEntries, [webhook.id]);
  const day = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const figures: Figure[] = [];
  for (const filter of [...FILTERS, `from=${day(12)}&to=${day(6)}`]) {
    const times: number[] = [];
    const path = `/api/settings/webhooks/${webhook.id}/logs?${filter}`;
    await load({
      url: hub.url,
      connections: 1,
      requests: Math.min(500, requests / 4),
      next: () => get(hub.url, path),
      onAnswer: (ms) => times.push(ms),
    });
    figures.push({
      name: `log of ${logEntries.toLocaleString('en')} entries, p99, ${filter.replace(/=\d{4}-.*/, '=…&to=…') || 'no filter'}`,
      value: percentile(times, 0.99),
      unit: 'ms',
      bound: { atMost: 20 },
    });
  }
  return figures;
}

import { get } from 'node:http';
import { applyHub } from '@moonbase/client/admin';
import { getNotificationPage } from '@moonbase/client/notifications';
import { getOrganizationOverview, whoAmI } from '@moonbase/client/profiles';
import { fillAuditLog } from './audit-fill.ts';
import { nextLine, startChild } from './child.ts';
import { ACCESS_TOKEN, type BenchHub, startBenchHub } from './hub.ts';
import { residentMegabytes } from './memory.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile, ratio } from './stats.ts';

interface Export {
  readonly firstByteMs: number;
  readonly wholeMs: number;
  readonly bytes: number;
}

/** Reads an export to its end and discards the bytes. */
function exportOnce(hub: BenchHub, name: string, q = ''): Promise<Export> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const path = `/api/organizations/${name}/audit-log/export?q=${encodeURIComponent(q)}`;
    get(new URL(path, hub.url), { headers: { authorization: `Bearer ${ACCESS_TOKEN}` } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`An export answered ${answer.statusCode}`));
      let firstByteMs = 0;
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        firstByteMs ||= performance.now() - startedAt;
        bytes += chunk.length;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ firstByteMs, wholeMs: performance.now() - startedAt, bytes }));
    }).on('error', reject);
  });
}

/** Measures repeatedly how long another client waits for the inbox, until `until` is done. */
async function othersWait(hub: BenchHub, until: Promise<unknown>): Promise<number[]> {
  let over = false;
  void until.finally(() => {
    over = true;
  });
  const times: number[] = [];
  while (!over) {
    const startedAt = performance.now();
    await getNotificationPage(hub.connection);
    times.push(performance.now() - startedAt);
  }
  return times;
}

async function peakDuring(hub: BenchHub, work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => void residentMegabytes(hub.pid).then((now) => (peak = Math.max(peak, now))), 10);
  await work.finally(() => clearInterval(timer));
  return peak;
}

/** Measures the export of a whole audit log against a bare scan of its rows, what it costs other clients, and a search. */
export async function benchAudit({ rounds, auditEvents }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub();
  await applyHub({ ...hub.connection, document: { organizations: [{ name: 'acme', plan: 'team' }] } });
  const { _id: orgId } = await getOrganizationOverview({ ...hub.connection, name: 'acme' });
  const { id: authorId } = await whoAmI(hub.connection);
  await hub.side.run(`delete from audit_events where org_id = '${orgId}'`);
  await hub.side.run(`delete from audit_chains where org_id = '${orgId}'`);
  await fillAuditLog(hub, orgId, authorId, auditEvents);

  const grown: number[] = [];
  for (let time = 0; time < 2; time++) {
    const before = await residentMegabytes(hub.pid);
    grown.push((await peakDuring(hub, exportOnce(hub, 'acme'))) - before);
  }
  const exports: Export[] = [];
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    await using bare = startChild('bare-scan.ts', [
      'folder' in hub.database ? hub.database.folder : hub.database.url,
      orgId,
    ]);
    const bareMs = Number(await nextLine(bare));
    const made = await exportOnce(hub, 'acme');
    exports.push(made);
    pairs.push([bareMs, made.wholeMs]);
  }
  const busy = exportOnce(hub, 'acme');
  const waits = await othersWait(hub, busy);
  const searches: Export[] = [];
  for (const q of ['type:org.update_settings', 'author:nobody', 'ip:10.0.3.3 -author:ada', 'type:billing.*'])
    searches.push(await exportOnce(hub, 'acme', q));

  const name = `export of ${auditEvents.toLocaleString('en')} events`;
  return [
    {
      name: `${name}, first byte`,
      value: median(exports.map((each) => each.firstByteMs)),
      unit: 'ms',
      bound: { atMost: 150 },
    },
    { name: `${name}, whole`, value: median(exports.map((each) => each.wholeMs)), unit: 'ms' },
    {
      name: `bare scan of the same to JSON, to the ${name}`,
      value: ratio(pairs),
      unit: 'ratio',
      bound: { atLeast: 0.35 },
      rounds: pairs,
    },
    { name: `${name}, memory grows by, the first time`, value: grown[0] ?? 0, unit: 'MB', bound: { atMost: 40 } },
    { name: `${name}, memory grows by, after that`, value: grown[1] ?? 0, unit: 'MB', bound: { atMost: 40 } },
    { name: `another client during the ${name}, median`, value: median(waits), unit: 'ms' },
    {
      name: `another client during the ${name}, p99`,
      value: percentile(waits, 0.99),
      unit: 'ms',
      bound: { atMost: 50 },
    },
    { name: `another client during the ${name}, longest`, value: Math.max(...waits), unit: 'ms' },
    {
      name: `search for few or none of ${auditEvents.toLocaleString('en')} events, longest`,
      value: Math.max(...searches.map((each) => each.wholeMs)),
      unit: 'ms',
      bound: { atMost: 150 },
    },
  ];
}

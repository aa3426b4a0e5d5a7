// npm run bench [-- NAME…] [--quick] [--json FILE]: the figures of docs/performance.md, on SQLite; with
// MOONBASE_TEST_POSTGRES_URL, as node scripts/with-postgres.mjs sets it, on PostgreSQL.
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAudit } from './audit.ts';
import { benchBackup } from './backup.ts';
import { benchChanges } from './changes.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchFanOut } from './fan-out.ts';
import { engine } from './hub.ts';
import { benchIdle } from './idle.ts';
import { benchInbox } from './inbox.ts';
import { benchIsolation } from './isolation.ts';
import { benchJobs } from './jobs.ts';
import { benchLatency } from './latency.ts';
import { benchList, benchLog } from './listing.ts';
import { benchMembers } from './members.ts';
import { benchMemory } from './memory.ts';
import { benchReceiver } from './receiver.ts';
import { FULL, QUICK, type Scale } from './scale.ts';
import { benchScim } from './scim.ts';
import { type Figure, holds } from './stats.ts';

const BENCHES: Readonly<Record<string, (scale: Scale) => Promise<Figure[]>>> = {
  deliveries: benchDeliveries,
  changes: benchChanges,
  latency: benchLatency,
  isolation: benchIsolation,
  list: benchList,
  log: benchLog,
  'fan-out': benchFanOut,
  memory: benchMemory,
  inbox: benchInbox,
  members: benchMembers,
  audit: benchAudit,
  receiver: benchReceiver,
  scim: benchScim,
  jobs: benchJobs,
  backup: benchBackup,
  idle: benchIdle,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const unknown = positionals.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

function print(figure: Figure): void {
  const { bound } = figure;
  const wanted =
    bound === undefined ? '' : 'atLeast' in bound ? `>= ${digits(bound.atLeast)}` : `<= ${digits(bound.atMost)}`;
  const verdict = values.quick || bound === undefined ? '' : holds(figure) ? 'holds' : 'FALLS SHORT';
  console.log(
    `${digits(figure.value).padStart(7)} ${figure.unit.padEnd(6)} ${wanted.padEnd(9)} ${verdict.padEnd(12)} ${figure.name}`,
  );
}

const scale = values.quick ? QUICK : FULL;
const figures: Figure[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  for (const figure of await bench(scale)) {
    print(figure);
    figures.push(figure);
  }
}

if (values.json !== undefined) {
  const machine = { cores: cpus().length, model: cpus()[0]?.model, memoryGiB: Math.round(totalmem() / 2 ** 30) };
  const short = (value: number) => Number(value.toPrecision(4));
  const rounded = figures.map((figure) => ({
    ...figure,
    value: short(figure.value),
    ...(figure.rounds && { rounds: figure.rounds.map((round) => round.map(short).join(' : ')) }),
  }));
  const report = {
    engine,
    node: process.version,
    machine,
    date: new Date().toISOString().slice(0, 10),
    figures: rounded,
  };
  await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
}

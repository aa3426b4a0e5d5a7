// npm run bench [-- NAME…] [--quick] [--json FILE] [--record] [--seconds N] measures the figures of docs/performance.md
// on SQLite, or on PostgreSQL with MOONBASE_TEST_POSTGRES_URL, as node scripts/with-postgres.mjs sets it. `--record`
// writes them there. `--seconds` is the duration of the mixed load.
import { parseArgs } from 'node:util';
import { benchAudit } from './audit.ts';
import { benchBackup } from './backup.ts';
import { benchCatalog } from './catalog.ts';
import { benchChanges } from './changes.ts';
import { benchContent } from './content.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchFanOut } from './fan-out.ts';
import { benchGit } from './git.ts';
import { benchGrowth } from './growth.ts';
import { engine } from './hub.ts';
import { benchIdentity } from './identity.ts';
import { benchIdle } from './idle.ts';
import { benchInbox } from './inbox.ts';
import { benchIsolation } from './isolation.ts';
import { benchJobs } from './jobs.ts';
import { benchLatency } from './latency.ts';
import { benchList, benchLog } from './listing.ts';
import { benchMembers } from './members.ts';
import { benchMemory } from './memory.ts';
import { benchMixed } from './mixed.ts';
import { benchPruning } from './pruning.ts';
import { benchQuiet } from './quiet.ts';
import { benchReaders } from './readers.ts';
import { benchReceiver } from './receiver.ts';
import { fileOf, resultOf, writeResults } from './report/results.ts';
import { FULL, QUICK, type Scale } from './scale.ts';
import { benchScim } from './scim.ts';
import { type Figure, holds, shown } from './stats.ts';
import { benchUpkeep } from './upkeep.ts';
import { benchWorkers } from './workers.ts';

const BENCHES: Readonly<Record<string, (scale: Scale) => Promise<Figure[]>>> = {
  deliveries: benchDeliveries,
  changes: benchChanges,
  latency: benchLatency,
  quiet: benchQuiet,
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
  mixed: benchMixed,
  workers: benchWorkers,
  pruning: benchPruning,
  readers: benchReaders,
  idle: benchIdle,
  identity: benchIdentity,
  content: benchContent,
  git: benchGit,
  upkeep: benchUpkeep,
  catalog: benchCatalog,
  growth: benchGrowth,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    record: { type: 'boolean', default: false },
    seconds: { type: 'string' },
  },
});
if (values.seconds !== undefined && !(Number(values.seconds) > 0)) {
  console.error('--seconds is how long the mixed load takes, as in --seconds 90');
  process.exit(2);
}
if (values.record && (values.quick || values.seconds !== undefined)) {
  console.error('--record is for figures at full scale: not with --quick or --seconds');
  process.exit(2);
}
const unknown = positionals.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

function print(figure: Figure): void {
  const { bound } = figure;
  const wanted =
    bound === undefined ? '' : 'atLeast' in bound ? `>= ${shown(bound.atLeast)}` : `<= ${shown(bound.atMost)}`;
  const judged = bound !== undefined && (figure.always || !values.quick);
  const verdict = !judged ? '' : holds(figure) ? 'holds' : 'FALLS SHORT';
  const value = figure.unit === 'count' ? String(figure.value) : shown(figure.value);
  console.log(
    `${value.padStart(7)} ${figure.unit.padEnd(10)} ${wanted.padEnd(9)} ${verdict.padEnd(12)} ${figure.name}${figure.note === undefined ? '' : `; ${figure.note}`}`,
  );
}

const scale: Scale = {
  ...(values.quick ? QUICK : FULL),
  ...(values.seconds && { mixedSeconds: Number(values.seconds) }),
};
const files = [...(values.json === undefined ? [] : [values.json]), ...(values.record ? [fileOf(engine)] : [])];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const began = performance.now();
  const figures = await bench(scale);
  console.log(`${name} took ${Math.round((performance.now() - began) / 1000)} s`);
  for (const figure of figures) {
    print(figure);
    if (figure.always && !holds(figure)) process.exitCode = 1;
  }
  // Each figure is written at once, so that an aborted run keeps its figures.
  if (figures.length > 0) for (const file of files) await writeResults(file, { [name]: resultOf(figures) });
}
if (values.record) await import('./report.ts');

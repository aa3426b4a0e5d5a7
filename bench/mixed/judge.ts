import { type Figure, percentile } from '../stats.ts';
import { organizationOf } from './changes.ts';
import type { RequestOutcome, Result } from './generator.ts';
import type { Kill } from './kills.ts';
import { webhookPaths } from './prepare.ts';
import type { Report } from './receiver.ts';

interface Outcome {
  readonly result: Result;
  readonly report: Report;
  /** The keys of all changes that were read back. */
  readonly stored: ReadonlySet<string>;
  readonly kills: readonly Kill[];
  readonly seconds: number;
}

/** Returns a figure that must be 0 at every scale. */
const mustBeZero = (name: string, value: number): Figure => ({
  name,
  value,
  unit: 'count',
  bound: { atMost: 0 },
  always: true,
});
const count = (name: string, value: number): Figure => ({ name, value, unit: 'count' });

/** Returns the figures of the load: the promises that are counted, and the durations of requests. */
export function judge(outcome: Outcome): Figure[] {
  const { result, kills, seconds } = outcome;
  for (const [what, { count: times, text }] of Object.entries(result.failures))
    console.error(`${what}, ${times} times: ${text}`);
  const failed = (wanted: (what: string) => boolean) =>
    Object.entries(result.failures).reduce((sum, [what, { count: times }]) => sum + (wanted(what) ? times : 0), 0);
  const isServerError = (what: string) => /: 5\d\d$/.test(what);
  const killed = new Set(kills.map(({ gone }) => gone));
  const cut = Object.entries(result.cuts);
  const cutBy = (aKill: boolean) => cut.reduce((sum, [url, times]) => sum + (killed.has(url) === aKill ? times : 0), 0);
  const starts = kills.map(({ startMs }) => startMs);
  return [
    ...rates(result.kinds, seconds),
    ...result.kinds.flatMap(waits),
    ...kept(outcome),
    mustBeZero('mixed: answers 5xx', failed(isServerError)),
    mustBeZero(
      'mixed: other answers but 2xx, and none in 10 s',
      failed((what) => !isServerError(what)),
    ),
    mustBeZero('mixed: connections cut without a kill', cutBy(false)),
    count('mixed: requests cut by kills', cutBy(true)),
    count('mixed: connections refused, asked of the other replica', result.refused),
    count('mixed: kills', kills.length),
    { name: 'mixed: a replica killed to the next that listens, median', value: percentile(starts, 0.5), unit: 'ms' },
    { name: 'mixed: a replica killed to the next that listens, longest', value: Math.max(...starts), unit: 'ms' },
    { name: 'mixed: lateness of the generator, p99', value: percentile(result.lateness, 0.99), unit: 'ms' },
  ];
}

function rates(kinds: readonly RequestOutcome[], seconds: number): Figure[] {
  return (['reads', 'writes', 'SCIM'] as const).map((group) => {
    const of = kinds.filter((kind) => kind.group === group);
    return {
      name: `mixed: ${group === 'SCIM' ? 'SCIM calls' : group} answered`,
      value: of.reduce((sum, { answered }) => sum + answered, 0) / seconds,
      unit: 'per second',
    };
  });
}

const waits = ({ name, times }: RequestOutcome): Figure[] =>
  times.length === 0
    ? []
    : [
        { name: `mixed: ${name}, median`, value: percentile(times, 0.5), unit: 'ms' },
        {
          name: `mixed: ${name}, p99`,
          value: percentile(times, 0.99),
          unit: 'ms',
          ...(name === 'inbox' && { bound: { atMost: 50 } }),
        },
      ];

/** Compares the acknowledged changes with the stored ones and with the deliveries to each webhook. */
function kept({ result, report, stored, seconds }: Outcome): Figure[] {
  const { acked, unknown } = result;
  const lost = acked.filter(([key]) => !stored.has(key));
  const untold: string[] = [];
  const waited: number[] = [];
  for (const [key, at] of acked) {
    const organization = organizationOf(key);
    for (const path of organization === undefined ? [] : webhookPaths(organization)) {
      const told = report[path]?.[key];
      if (told) waited.push(Math.max(0, told.at - at));
      else untold.push(`${path} ${key}`);
    }
  }
  for (const [name, some] of [
    ['stored', lost.map(([key]) => key)],
    ['delivered', untold],
  ] as const)
    if (some.length > 0) console.error(`Acknowledged and not ${name}: ${some.slice(0, 5).join('; ')}`);
  const all = Object.values(report).flatMap((keys) => Object.values(keys));
  return [
    count('mixed: changes acknowledged', acked.length),
    mustBeZero('mixed: acknowledged changes that are not stored', lost.length),
    count('mixed: changes whose answer was cut', unknown.length),
    count('mixed: of them stored', unknown.filter((key) => stored.has(key)).length),
    count('mixed: deliveries', all.length),
    { name: 'mixed: deliveries a second', value: all.length / seconds, unit: 'per second' },
    mustBeZero('mixed: deliveries of acknowledged changes that never came', untold.length),
    count(
      'mixed: deliveries that came again',
      all.reduce((sum, { times }) => sum + times - 1, 0),
    ),
    mustBeZero('mixed: deliveries that came under another id', all.filter(({ ids }) => ids.length > 1).length),
    { name: 'mixed: answer to delivery, median', value: percentile(waited, 0.5), unit: 'ms' },
    { name: 'mixed: answer to delivery, p99', value: percentile(waited, 0.99), unit: 'ms', bound: { atMost: 4000 } },
  ];
}

import { type Figure, holds, median, shown, TO_BARE_LOOP } from '../stats.ts';

export interface BenchResult {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly figures: readonly (Omit<Figure, 'rounds'> & { readonly rounds?: readonly string[] })[];
}

/** The content of docs/performance.*.json. */
export interface Results {
  readonly engine: 'sqlite' | 'postgres';
  /** The version of the database. */
  readonly database: string;
  readonly moonbase: string;
  readonly node: string;
  readonly machine: { readonly cores: number; readonly model: string; readonly memoryGiB: number };
  readonly benches: Readonly<Record<string, BenchResult>>;
}

const BEGIN = '<!-- From here on written by `npm run bench:report` from the two JSON files. -->';
const END = '<!-- To here. -->';

/** Returns the page with its generated part replaced; throws if the page does not mark that part. */
export function pageWith(page: string, sqlite: Results, postgres: Results): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The page has no lines ${BEGIN} and ${END}`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${figuresPart(sqlite, postgres)}\n${page.slice(end)}`;
}

function figuresPart(sqlite: Results, postgres: Results): string {
  const names = [...new Set([sqlite, postgres].flatMap(({ benches }) => Object.keys(benches)))];
  const grows = (by: Figure['grows']) => rowsOf(names, sqlite, postgres, (figure) => figure.grows === by);
  return [
    '## Where and how',
    '',
    ...placeOf(sqlite, postgres),
    '',
    '```sh',
    'npm run bench -- --record                                     # all figures on SQLite, and this page',
    'node scripts/with-postgres.mjs npm run bench -- --record      # all figures on PostgreSQL, and this page',
    '```',
    '',
    '## How cost grows',
    '',
    ...section('### With rows', grows('rows')),
    ...section('### With receivers', grows('receivers')),
    ...section('### With replicas', grows('replicas')),
    '## Every figure',
    '',
    ...names.flatMap((name) =>
      section(
        `### \`-- ${name}\``,
        rowsOf([name], sqlite, postgres, () => true),
      ),
    ),
  ].join('\n');
}

function placeOf(sqlite: Results, postgres: Results): string[] {
  const machines = [sqlite, postgres].map(
    ({ machine: { cores, model, memoryGiB } }) => `${model}, ${cores} processors, ${memoryGiB} GiB`,
  );
  const both = (values: readonly string[]) => [...new Set(values)].join('; ');
  const dates = [sqlite, postgres].flatMap(({ benches }) => Object.values(benches).map(({ date }) => date)).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  return [
    '| | |',
    '| --- | --- |',
    `| machine | ${both(machines)} |`,
    `| bare loop of posts | beside SQLite ${postsASecond(sqlite)}, beside PostgreSQL ${postsASecond(postgres)} |`,
    `| Node.js | ${both([sqlite.node, postgres.node])} |`,
    `| databases | SQLite ${sqlite.database}, PostgreSQL ${postgres.database} |`,
    `| Moonbase | ${both([sqlite.moonbase, postgres.moonbase])} |`,
    `| measured | ${first === last ? first : `${first} to ${last}`} |`,
  ];
}

/** Returns the rate of the bare loop that deliveries are compared with, which tells the speed of the machine. */
function postsASecond({ benches }: Results): string {
  const rounds = benches.deliveries?.figures.find(({ name }) => name === TO_BARE_LOOP)?.rounds;
  return rounds ? `${shown(median(rounds.map((round) => Number(round.split(' : ')[1]))))} a second` : 'not measured';
}

const section = (title: string, rows: readonly string[]): string[] =>
  rows.length === 0
    ? []
    : [title, '', '| figure | wanted | SQLite | PostgreSQL |', '| --- | --- | --- | --- |', ...rows, ''];

type Kept = BenchResult['figures'][number];

function rowsOf(names: readonly string[], sqlite: Results, postgres: Results, wanted: (figure: Kept) => boolean) {
  return names.flatMap((name) => {
    const of = ({ benches }: Results) => (benches[name]?.figures ?? []).filter(wanted);
    const [left, right] = [of(sqlite), of(postgres)];
    const figures = [...new Set([...left, ...right].map((figure) => figure.name))];
    return figures.map((figure) => {
      const [a, b] = [left, right].map((list) => list.find((each) => each.name === figure));
      const bounds = [...new Set([a, b].map(boundOf).filter((bound) => bound !== ''))];
      return `| ${figure.replaceAll('|', '\\|')} | ${bounds.join(', ')} | ${cell(a)} | ${cell(b)} |`;
    });
  });
}

const boundOf = (figure: Kept | undefined): string => {
  const { bound } = figure ?? {};
  if (bound === undefined) return '';
  return 'atLeast' in bound ? `≥ ${shortBound(bound.atLeast)}` : `≤ ${shortBound(bound.atMost)}`;
};

const shortBound = (value: number): string => String(Number(value.toPrecision(2)));

function cell(figure: Kept | undefined): string {
  if (figure === undefined) return '';
  const { value, unit, bound, note } = figure;
  const number = unit === 'count' ? value.toLocaleString('en') : shown(value);
  const withUnit = unit === 'ratio' || unit === 'count' ? number : `${number} ${unit}`;
  const verdict = bound === undefined ? '' : holds(figure) ? ', holds' : ', **falls short**';
  return `${withUnit}${verdict}${note === undefined ? '' : `; ${note}`}`;
}

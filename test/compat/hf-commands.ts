import { TOKENS } from './world.ts';

/** A command line of `hf` and what it does. */
export interface Command {
  /** The words that name the command, and the rest of the line, in which `{name}` stands for what `keeps` found. */
  readonly run: string;
  readonly arguments: string;
  /** The text that is printed when it fails; omitted if it works. */
  readonly refused?: string;
  readonly token: string | null;
  /** What stands on its standard input. */
  readonly input: string;
  /** What the output gives to later lines: names with patterns that have one group. */
  readonly keeps: Readonly<Record<string, string>>;
}

const as =
  (token: string | null) =>
  (run: string, args = '', more: Partial<Pick<Command, 'refused' | 'input' | 'keeps'>> = {}): Command => ({
    ...{ run, arguments: args, token, input: '', keeps: {} },
    ...more,
  });
const bob = as(TOKENS.bob);
const nobody = as(null);

const DOES_NOT_RUN = 'This hub stores Spaces but does not run them';
const AS_PROCESSES = 'this hub runs jobs as processes';
const NO_PORTS = 'ports of jobs cannot be exposed on this hub';
const NO_SANDBOX = 'is not a sandbox';

/** Every command that asks the hub or this machine alone, in an order in which each finds what it needs. */
export const COMMANDS: readonly Command[] = [
  nobody('auth login', `--token ${TOKENS.bob}`),
  nobody('auth list'),
  nobody('auth whoami'),
  nobody('auth token'),
  nobody('auth switch', '--token-name laptop'),
  nobody('auth logout'),

  bob('repos create', 'bob/tour'),
  bob('repos create', 'bob/table --type dataset'),
  bob('repos create', 'bob/app --type space --space-sdk gradio'),
  bob('repos list'),
  bob('upload', 'bob/tour files .'),
  bob('upload', 'bob/table files . --type dataset'),
  bob('upload', 'bob/app files/app.py app.py --type space'),
  bob('download', 'bob/tour'),
  bob('cp', 'hf://bob/tour/notes.txt -'),
  bob('repos cp', 'files/notes.txt hf://bob/tour/more/notes.txt'),
  bob('repos delete-files', 'bob/tour more/*'),
  bob('repos settings', 'bob/tour --gated manual'),
  bob('repos branch create', 'bob/tour next'),
  bob('repos branch delete', 'bob/tour next'),
  bob('repos tag create', 'bob/tour v1 -m First'),
  bob('repos tag list', 'bob/tour'),
  bob('repos tag delete', 'bob/tour v1 --yes'),
  bob('repos duplicate', 'bob/tour bob/twin'),
  bob('repos move', 'bob/twin bob/brother'),
  bob('repos delete', 'bob/brother --yes'),

  bob('models list', '--author bob'),
  bob('models info', 'bob/tour'),
  bob('models card', 'bob/tour'),
  bob('datasets list', '--author bob'),
  bob('datasets info', 'bob/table'),
  bob('datasets card', 'bob/table'),
  bob('datasets leaderboard', 'bob/table', { refused: 'There is nothing at this path' }),
  bob('datasets parquet', 'bob/table', { refused: 'only available on the Hugging Face Hub' }),
  bob('datasets sql', '"SELECT 1"', { refused: 'DuckDB is required' }),
  bob('cache list'),
  bob('cache verify', 'bob/tour'),
  bob('cache prune', '--yes'),
  bob('cache rm', 'model/bob/tour --yes'),

  bob('discussions create', 'bob/tour --title Licence --body "Which one?"'),
  bob('discussions list', 'bob/tour'),
  bob('discussions comment', 'bob/tour 1 --body "This one."'),
  bob('discussions info', 'bob/tour 1', { keeps: { comment: '"id": "([0-9a-f]{24})"' } }),
  bob('discussions edit', 'bob/tour 1 {comment} --body "That one."'),
  bob('discussions rename', 'bob/tour 1 "The licence"'),
  bob('discussions close', 'bob/tour 1 --yes'),
  bob('discussions reopen', 'bob/tour 1 --yes'),
  bob('upload', 'bob/tour files/notes.txt proposed.txt --create-pr'),
  bob('discussions diff', 'bob/tour 2'),
  bob('discussions merge', 'bob/tour 2 --yes'),

  bob('collections create', 'Reading', { keeps: { slug: '(bob/reading-[0-9a-f]+)' } }),
  bob('collections list'),
  bob('collections add-item', '{slug} bob/tour model --note Good'),
  bob('collections info', '{slug} --json', { keeps: { item: '"item_object_id": ?"([0-9a-f]+)"' } }),
  bob('collections update-item', '{slug} {item} --note Better'),
  bob('collections update', '{slug} --title "To read"'),
  bob('collections delete-item', '{slug} {item}'),
  bob('collections delete', '{slug}'),

  bob('buckets create', 'bob/box'),
  bob('buckets list'),
  bob('buckets info', 'bob/box'),
  bob('buckets cp', 'files/notes.txt hf://buckets/bob/box/notes.txt'),
  bob('buckets sync', 'files hf://buckets/bob/box/files'),
  bob('sync', 'hf://buckets/bob/box/files back'),
  bob('buckets settings', 'bob/box --private'),
  bob('buckets remove', 'bob/box/notes.txt --yes'),
  bob('buckets move', 'bob/box bob/chest'),
  bob('buckets delete', 'bob/chest --yes'),

  bob('papers list'),
  bob('papers search', 'moons'),
  bob('papers info', '2401.01234'),
  bob('papers read', '2401.01234'),

  bob('webhooks create', '--url http://127.0.0.1:4000/ --watch user:bob', { keeps: { webhook: '([0-9a-f]{24})' } }),
  bob('webhooks list'),
  bob('webhooks info', '{webhook}'),
  bob('webhooks disable', '{webhook}'),
  bob('webhooks enable', '{webhook}'),
  bob('webhooks update', '{webhook} --watch model:bob/tour --domain repo'),
  bob('webhooks delete', '{webhook} --yes'),

  bob('jobs hardware'),
  bob('jobs run', '--detach python:3.12 echo hello', { keeps: { job: '([0-9a-f]{24})' } }),
  bob('jobs wait', '{job}'),
  bob('jobs logs', '{job}'),
  bob('jobs inspect', '{job}'),
  bob('jobs list', '-a'),
  bob('jobs labels', '{job} --label team=a'),
  bob('jobs rerun', '{job} --detach'),
  bob('jobs run', '--detach python:3.12 sleep 600', { keeps: { long: '([0-9a-f]{24})' } }),
  bob('jobs stats', '{long}'),
  bob('jobs expose', '{long} 8000', { refused: 'Ports of jobs cannot be exposed on this hub' }),
  bob('jobs ssh', '{long}', { refused: 'SSH is not enabled on this job' }),
  bob('jobs cancel', '{long}'),
  bob('jobs uv run', '--detach ruff --version'),
  bob('jobs uv run', '--detach files/app.py', { refused: AS_PROCESSES }),
  bob('jobs scheduled run', '@daily python:3.12 echo hello', { keeps: { schedule: '([0-9a-f]{24})' } }),
  bob('jobs scheduled list'),
  bob('jobs scheduled inspect', '{schedule}'),
  bob('jobs scheduled labels', '{schedule} --label team=a'),
  bob('jobs scheduled suspend', '{schedule}'),
  bob('jobs scheduled resume', '{schedule}'),
  bob('jobs scheduled reschedule', '{schedule} @weekly'),
  bob('jobs scheduled trigger', '{schedule}'),
  bob('jobs scheduled delete', '{schedule}'),
  bob('jobs scheduled uv run', '@daily ruff --version'),

  bob('sandbox create', '', { refused: NO_PORTS }),
  bob('sandbox exec', '{long} -- echo hello', { refused: NO_SANDBOX }),
  bob('sandbox spawn', '{long} -- sleep 1', { refused: NO_SANDBOX }),
  bob('sandbox cp', 'files/notes.txt {long}:/tmp/notes.txt', { refused: NO_SANDBOX }),
  bob('sandbox process ls', '{long}', { refused: NO_SANDBOX }),
  bob('sandbox process kill', '{long} 1', { refused: NO_SANDBOX }),
  bob('sandbox kill', '{long}', { refused: NO_SANDBOX }),
  bob('sandbox pool create', '', { refused: NO_PORTS }),
  bob('sandbox pool ls'),
  bob('sandbox pool delete', 'pool-0123456789ab'),

  bob('spaces list', '--author bob'),
  bob('spaces search', 'app'),
  bob('spaces info', 'bob/app'),
  bob('spaces card', 'bob/app'),
  bob('spaces hardware'),
  bob('spaces templates'),
  bob('spaces variables add', 'bob/app -e MODEL=bert'),
  bob('spaces variables list', 'bob/app'),
  bob('spaces variables delete', 'bob/app MODEL --yes'),
  bob('spaces secrets add', 'bob/app -s KEY=hush-hush'),
  bob('spaces secrets list', 'bob/app'),
  bob('spaces secrets delete', 'bob/app KEY --yes'),
  bob('spaces volumes set', 'bob/app -v hf://datasets/bob/table:/data:ro'),
  bob('spaces volumes list', 'bob/app'),
  bob('spaces volumes delete', 'bob/app --yes'),
  bob('spaces logs', 'bob/app'),
  bob('spaces pause', 'bob/app'),
  bob('spaces wait', 'bob/app', { refused: "is not running (stage='PAUSED')" }),
  bob('spaces restart', 'bob/app', { refused: DOES_NOT_RUN }),
  bob('spaces settings', 'bob/app --sleep-time 300', { refused: DOES_NOT_RUN }),
  bob('spaces dev-mode', 'bob/app', { refused: DOES_NOT_RUN }),
  bob('spaces hot-reload', 'bob/app app.py -f files/app.py', { refused: 'Unable to read sdk_version' }),
  bob('spaces ssh', 'bob/app', { input: 'y\n', refused: DOES_NOT_RUN }),
  bob('spaces zero-gpu quota', '', { refused: DOES_NOT_RUN }),

  bob('skills list', '', { refused: "Bucket 'huggingface/skills' not found" }),
  bob('skills add', '--dest skills'),
  bob('skills preview'),
  bob('skills update', '--dest skills'),
  bob('extensions list'),
  bob('extensions exec', 'absent', { refused: 'extension may be corrupted' }),
  bob('extensions remove', 'absent', { refused: 'is not installed' }),
  bob('lfs-enable-largefiles', 'clone'),
  bob('lfs-multipart-upload', '', { input: '{"event":"init","operation":"upload"}\n{"event":"terminate"}\n' }),
  bob('env'),
  bob('version'),
];

/** The commands that ask no hub at all and are not tried, and what they ask instead. */
export const ELSEWHERE: readonly (readonly [prefix: string, what: string])[] = [
  ['endpoints', 'asks Inference Endpoints at an address of its own, whatever `HF_ENDPOINT` is'],
  ['extensions install', 'asks GitHub'],
  ['extensions search', 'asks GitHub'],
  ['extensions update', 'asks GitHub'],
  ['update', 'asks PyPI'],
];

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCollection } from '@moonbase/client/collections';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Command, Group } from '../src/program/command.ts';
import { commands } from '../src/program/commands.ts';
import { ADMIN, type Around, person, type RunningHub, startHub, tokenOf } from './hub.ts';

/** What earlier commands created, by the names that later ones use. */
type Known = Record<string, string>;

interface Step {
  /** The words of the command. */
  readonly path: string;
  readonly args?: (known: Known) => readonly string[];
  readonly as?: 'ada' | 'bob' | 'admin';
  readonly around?: Around;
  /** The output without `--json`. */
  readonly says: RegExp;
  /** What `--json` prints: the keys of the response, or `list`, `lines` or `nothing`. */
  readonly json: readonly string[] | 'list' | 'lines' | 'nothing';
  /** Keeps parts of the response that `--json` prints. */
  readonly keep?: (answer: never) => Known;
}

const steps: readonly Step[] = [
  { path: 'whoami', says: /^ada\n {2}token .* test \(write\)\n/, json: ['name', 'orgs', 'auth'] },
  {
    path: 'apply',
    as: 'admin',
    args: () => ['-f', '-'],
    around: { stdin: 'repos: [{ name: acme/bert }, { name: acme/gpt }, { type: dataset, name: acme/letters }]' },
    says: /repos +2 +0 +1/,
    json: ['repos', 'users', 'newTokens'],
  },
  {
    path: 'tokens create',
    args: () => ['cron', '--role', 'read', '--days', '30'],
    says: /shown this once:\nhf_\w+\n/,
    json: ['token'],
  },
  {
    path: 'tokens list',
    says: /cron +read +….{4} +20[\d :-]+ +20/,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ token: id }),
  },
  { path: 'tokens delete', args: ({ token }) => [token!], says: /^Deleted/, json: ['success'] },
  {
    path: 'users create',
    as: 'admin',
    args: () => ['eve', '--token', 'x'],
    says: /^Created the user eve\.\nAcc.* x, shown this once: hf_/,
    json: ['users', 'newTokens'],
  },
  {
    path: 'users invite',
    as: 'admin',
    args: () => ['eve', '--fullname', 'Eve'],
    says: /^eve sets a password at http\S+\/join\/[\w-]{43}\nuntil 20[\d :-]+ UTC, once\.$/m,
    json: ['url', 'expiresAt'],
  },
  {
    path: 'users link',
    as: 'admin',
    args: () => ['eve', '--purpose', 'invite'],
    says: /^eve sets a password at http/,
    json: ['url', 'expiresAt'],
  },
  { path: 'users list', as: 'admin', says: /^eve +Eve +no +no/m, json: 'list' },
  {
    path: 'admin status',
    as: 'admin',
    says: /^version +\d.*\n(.*\n)+queue +waiting +overdue, s +oldest due\ndeliveries +\d/,
    json: ['version', 'queues', 'day'],
  },
  { path: 'admin organizations', as: 'admin', says: /^acme +acme +\w+ +\d+ +\d+ +20/m, json: 'list' },
  { path: 'users show', args: () => ['eve'], says: /^name +eve\n/, json: ['user', 'orgs'] },
  { path: 'users export', args: ({ file }) => ['-o', `${file}.ndjson`], says: /^$/, json: 'nothing' },
  { path: 'users disable', as: 'admin', args: () => ['eve', '--yes'], says: /^Disabled the user eve\.$/m, json: [] },
  { path: 'users enable', as: 'admin', args: () => ['eve'], says: /^Enabled the user eve\.$/m, json: [] },
  { path: 'users delete', as: 'admin', args: () => ['eve', '--yes'], says: /^Deleted the user eve\.$/m, json: [] },
  {
    path: 'orgs create',
    args: () => ['lab', '--fullname', 'The Lab'],
    says: /^Created the organization lab\.$/m,
    json: ['id', 'name'],
  },
  {
    path: 'orgs update',
    args: () => ['lab', '--members', 'private', '--details', 'Us'],
    says: /^private members +yes$/m,
    json: ['membersPrivate'],
  },
  { path: 'orgs list', says: /^lab +The Lab +admin$/m, json: 'list' },
  { path: 'orgs show', args: () => ['lab'], says: /^details +Us$/m, json: ['numUsers'] },
  { path: 'orgs delete', args: () => ['lab', '-y'], says: /^Deleted the organization lab/, json: ['success'] },
  { path: 'orgs restore', args: () => ['lab'], says: /^Restored the organization lab/, json: ['name'] },
  { path: 'orgs join', as: 'bob', args: () => ['acme'], says: /^You are a member of acme/, json: ['success'] },
  {
    path: 'members role',
    args: () => ['acme', 'bob', 'write'],
    says: /^bob has the role write in acme/,
    json: ['success'],
  },
  { path: 'members list', args: () => ['acme'], says: /^bob +bob +write$/m, json: 'list' },
  {
    path: 'members export',
    args: () => ['acme'],
    says: /^user,full name,role,groups,email\r\nada,ada,admin,,/,
    json: 'list',
  },
  { path: 'members remove', args: () => ['acme', 'bob'], says: /^Removed bob from acme/, json: ['success'] },
  {
    path: 'members add',
    args: () => ['acme', 'bob', '--role', 'read'],
    says: /^bob is a member of acme/,
    json: ['success'],
  },
  {
    path: 'members invite',
    args: () => ['lab', 'bob', '--role', 'read'],
    says: /^Invited bob to lab/,
    json: ['id', 'role'],
  },
  {
    path: 'members invitations',
    as: 'bob',
    says: /bob +read +ada/,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ invitation: id }),
  },
  { path: 'members accept', as: 'bob', args: ({ invitation }) => [invitation!], says: /^Accepted/, json: ['success'] },
  {
    path: 'groups create',
    args: () => ['acme', 'Research', '--admin', 'ada'],
    says: /^Created the resource group Research/,
    json: ['id'],
  },
  {
    path: 'groups list',
    args: () => ['acme'],
    says: /Research +1 +0 +0$/m,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ group: id }),
  },
  {
    path: 'groups update',
    args: ({ group }) => ['acme', group!, '--description', 'Papers'],
    says: /^description +Papers$/m,
    json: ['description'],
  },
  {
    path: 'groups add-user',
    args: ({ group }) => ['acme', group!, 'bob', 'read'],
    says: /^Added bob to Research/,
    json: ['users'],
  },
  {
    path: 'groups role',
    args: ({ group }) => ['acme', group!, 'bob', 'write'],
    says: /^bob has the role write in/,
    json: ['users'],
  },
  {
    path: 'groups set-repo',
    args: ({ group }) => ['acme/gpt', group!],
    says: /^acme\/gpt is in/,
    json: ['name', 'type'],
  },
  {
    path: 'groups set-collection',
    args: ({ group }) => ['acme/shelf', group!],
    says: /^acme\/shelf is in/,
    json: ['success'],
  },
  {
    path: 'groups show',
    args: ({ group }) => ['acme', group!],
    says: /^users +ada \(admin\), bob \(write\)\nrepos +model acme\/gpt\ncollections +acme\/shelf-\w+$/m,
    json: ['users', 'repos', 'collections'],
  },
  {
    path: 'groups remove-user',
    args: ({ group }) => ['acme', group!, 'bob'],
    says: /^Removed bob from Research/,
    json: ['users'],
  },
  {
    path: 'groups delete',
    args: ({ group }) => ['acme', group!, '--yes'],
    says: /^Deleted the resource group/,
    json: ['success'],
  },
  {
    path: 'webhooks create',
    args: ({ receiver }) => ['--target', `${receiver}/hook`, '--watch', 'org:acme', '-d', 'repo', '--secret'],
    around: { stdin: 'hush\n' },
    says: /^Created the webhook [0-9a-f]{24}/,
    json: ['webhook'],
  },
  {
    path: 'webhooks list',
    says: /active +http.*\/hook +org:acme +repo/,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ webhook: id }),
  },
  {
    path: 'webhooks update',
    args: ({ webhook }) => [webhook!, '-d', 'repo', '-d', 'discussion'],
    says: /^domains +repo, discussion\n(.*\n)*secret +yes/m,
    json: ['webhook'],
  },
  { path: 'webhooks show', args: ({ webhook }) => [webhook!], says: /^target +http/m, json: ['webhook'] },
  { path: 'webhooks disable', args: ({ webhook }) => [webhook!], says: /^Disabled/, json: ['webhook'] },
  { path: 'webhooks enable', args: ({ webhook }) => [webhook!], says: /^Enabled/, json: ['webhook'] },
  {
    path: 'webhooks rotate-secret',
    args: ({ webhook }) => [webhook!],
    around: { stdin: 'quiet' },
    says: /^Replaced the secret/,
    json: ['success'],
  },
  {
    path: 'webhooks test',
    args: ({ webhook }) => [webhook!, '--scope', 'repo', '--action', 'create'],
    says: /^The receiver answered 200/,
    json: ['status', 'id'],
  },
  {
    path: 'webhooks logs',
    args: ({ webhook }) => [webhook!, '--scope', 'repo'],
    says: /repo create .* delivered +1 +200$/m,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ delivery: id }),
  },
  {
    path: 'webhooks delivery',
    args: ({ webhook, delivery }) => [webhook!, delivery!],
    says: /^Attempts:\n {2}\S+Z {2}200 {2}\d+ ms\n\nSent:\n\{/m,
    json: ['payload', 'deliveryAttempts'],
  },
  {
    path: 'webhooks replay',
    args: ({ webhook, delivery }) => [webhook!, delivery!],
    says: /^The receiver answered 200/,
    json: ['status', 'id'],
  },
  { path: 'repos create', args: () => ['ada/toy', '--private'], says: /^Created ada\/toy: http/, json: ['url', 'id'] },
  { path: 'repos list', args: () => ['--search', 'toy'], says: /^model +ada\/toy +private/m, json: 'list' },
  {
    path: 'repos settings',
    args: () => ['ada/toy', '--visibility', 'public', '--gated', 'auto'],
    says: /^Changed the settings/,
    json: ['gated'],
  },
  { path: 'access grant', args: () => ['ada/toy', 'bob'], says: /^bob has access to ada\/toy\.$/m, json: ['status'] },
  {
    path: 'access reject',
    args: () => ['ada/toy', 'bob', '--reason', 'Not yet'],
    says: /^bob has no access to ada\/toy\.$/m,
    json: [],
  },
  { path: 'access list', args: () => ['ada/toy', '--status', 'rejected'], says: /^bob +rejected +20/m, json: 'list' },
  { path: 'access accept', args: () => ['ada/toy', 'bob'], says: /^bob has access to ada\/toy\.$/m, json: [] },
  { path: 'access withdraw', as: 'bob', args: () => ['ada/toy'], says: /^You have no request/, json: [] },
  { path: 'access ask', as: 'bob', args: () => ['ada/toy'], says: /^Asked for access to ada\/toy\.$/m, json: [] },
  { path: 'repos show', args: () => ['ada/toy'], says: /^private +no\ngated +auto$/m, json: ['id', 'sha'] },
  {
    path: 'repos branch',
    args: () => ['ada/toy', 'next', '--from', 'main'],
    says: /^Created the branch next/,
    json: ['success'],
  },
  { path: 'repos tag', args: () => ['ada/toy', 'v1', '-m', 'First'], says: /^Created the tag v1/, json: ['success'] },
  { path: 'search', args: () => ['toy', '--type', 'model'], says: /^model +ada\/toy/m, json: 'list' },
  { path: 'storage usage', says: /^0 GiB, no limit\.$/m, json: ['usedBytes', 'storageGib'] },
  {
    path: 'admin quota',
    as: 'admin',
    args: () => ['ada', '--storage-gib', '0.5', '--tokens', '9', '--discussions', 'unlimited'],
    says: /^ada: 0 of 0\.5 GiB \(a quota of its own\)\.$/m,
    json: ['name', 'usedBytes', 'storageGib', 'isDefault'],
  },
  {
    path: 'admin retention',
    as: 'admin',
    says: /^deliveries +MOONBASE_WEBHOOK_LOG_DAYS=30 /m,
    json: 'list',
  },
  { path: 'admin settings', as: 'admin', says: /^MOONBASE_ADMIN_TOKEN +\(set\) +environment /m, json: 'list' },
  {
    path: 'storage collect',
    as: 'admin',
    args: () => ['--dry-run'],
    says: /^To be deleted now: 0 large files \(0 B\)\.\nLater, after 7 days .*: 0 large files \(0 B\)\.\n$/,
    json: ['dryRun', 'due', 'waiting', 'repositories'],
  },
  { path: 'storage show', args: () => ['ada/toy'], says: /^packs +0\npacked bytes +0$/m, json: ['git', 'maintenance'] },
  {
    path: 'storage maintain',
    as: 'admin',
    args: () => ['ada/toy'],
    says: /^The hub maintains ada\/toy soon\.$/m,
    json: ['success'],
  },
  { path: 'repos refs', args: () => ['ada/toy'], says: /^v1 +refs\/tags\/v1 +[0-9a-f]{40}$/m, json: 'list' },
  {
    path: 'upload',
    args: () => ['ada/toy', '-', 'notes/hello.txt', '-m', 'Say hello'],
    around: { stdin: 'Hello' },
    says: /^ada\/toy: uploaded 1 file\.\nhttp\S+\/commit\/[0-9a-f]{40}\n$/,
    json: ['commits', 'uploaded'],
  },
  { path: 'ls', args: () => ['ada/toy', 'notes'], says: /^ +5 +notes\/hello\.txt$/m, json: 'list' },
  { path: 'cat', args: () => ['ada/toy', 'notes/hello.txt'], says: /^Hello$/, json: 'nothing' },
  { path: 'log', args: () => ['ada/toy'], says: /^[0-9a-f]{40} +20[\d :-]+ +ada +Say hello$/m, json: 'list' },
  { path: 'diff', args: () => ['ada/toy', 'v1..main'], says: /^\+Hello$/m, json: 'nothing' },
  {
    path: 'download',
    args: ({ file }) => ['ada/toy', 'notes', '--to', `${file}-files`],
    says: /-files: 1 file downloaded, 5 B, commit [0-9a-f]{40}\.\n$/,
    json: ['saved', 'commit'],
  },
  {
    path: 'rm',
    args: () => ['ada/toy', 'notes/hello.txt'],
    says: /^Deleted notes\/hello\.txt\.\nhttp\S+\/commit\/[0-9a-f]{40}\n$/,
    json: ['commitOid'],
  },
  {
    path: 'spaces variables set',
    args: () => ['acme/demo', 'MODEL', 'acme/bert', '--description', 'Which one'],
    says: /^Set the variable MODEL of acme\/demo\.$/m,
    json: ['MODEL'],
  },
  {
    path: 'spaces variables list',
    args: () => ['acme/demo'],
    says: /^MODEL +acme\/bert +Which one +20/m,
    json: 'list',
  },
  {
    path: 'spaces secrets set',
    args: () => ['acme/demo', 'TOKEN'],
    around: { stdin: 'hush' },
    says: /^Set the secret TOKEN of acme\/demo\.$/m,
    json: ['TOKEN'],
  },
  { path: 'spaces secrets list', args: () => ['acme/demo'], says: /^TOKEN +20/m, json: 'list' },
  {
    path: 'spaces volumes set',
    args: () => ['acme/demo', 'hf://datasets/acme/letters/train:/data:ro', 'acme/bert:/model'],
    says: /^Set the volumes of acme\/demo\.$/m,
    json: [],
  },
  {
    path: 'spaces show',
    args: () => ['acme/demo'],
    says: /^volumes +dataset acme\/letters\/train at \/data; model acme\/bert at \/model$/m,
    json: ['stage', 'volumes'],
  },
  { path: 'spaces volumes delete', args: () => ['acme/demo'], says: /^acme\/demo has no volumes\.$/m, json: [] },
  { path: 'spaces secrets delete', args: () => ['acme/demo', 'TOKEN'], says: /has no secret TOKEN/, json: [] },
  { path: 'spaces variables delete', args: () => ['acme/demo', 'MODEL'], says: /has no variable MODEL/, json: [] },
  {
    path: 'mirror set',
    args: ({ hubUrl }) => ['acme/mirrored', `${hubUrl}/acme/gpt`, '--token', '--interval', '60'],
    around: { stdin: tokenOf('ada') },
    says: /^acme\/mirrored follows http\S+\/acme\/gpt\./,
    json: ['url', 'hasToken'],
  },
  {
    path: 'mirror sync',
    args: () => ['acme/mirrored'],
    says: /^state +synced$/m,
    json: ['state', 'lastSyncedAt'],
  },
  {
    path: 'mirror show',
    args: () => ['acme/mirrored'],
    says: /^on behalf of +ada\ntoken +set, for git$/m,
    json: ['skippedRefs', 'nextSyncAt'],
  },
  {
    path: 'admin mirrors list',
    as: 'admin',
    says: /model +acme\/mirrored +http\S+ +synced +20/,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ mirror: id }),
  },
  {
    path: 'admin mirrors remove',
    as: 'admin',
    args: ({ mirror }) => [mirror!],
    says: /^The repository no longer follows/,
    json: [],
  },
  { path: 'mirror remove', args: () => ['acme/mirrored'], says: /^acme\/mirrored no longer follows/, json: [] },
  { path: 'repos move', args: () => ['ada/toy', 'ada/train'], says: /^ada\/toy is now ada\/train/, json: ['success'] },
  { path: 'repos delete', args: () => ['ada/train', '--yes'], says: /^Deleted ada\/train/, json: [] },
  {
    path: 'discussions create',
    as: 'bob',
    args: () => ['acme/bert', '-t', 'Licence?', '-b', '@ada which?'],
    says: /^Opened #1: http/,
    json: ['num', 'url'],
  },
  {
    path: 'discussions list',
    args: () => ['acme/bert'],
    says: /^ +1 +discussion +open +Licence\? +bob/m,
    json: 'list',
  },
  {
    path: 'discussions comment',
    as: 'bob',
    args: () => ['acme/bert', '1', '-'],
    around: { stdin: 'Both.\nOf them.\n' },
    says: /^Commented on #1/,
    json: ['newMessage'],
  },
  {
    path: 'discussions rename',
    as: 'bob',
    args: () => ['acme/bert', '1', 'Which licence?'],
    says: /^Renamed #1/,
    json: ['newTitle'],
  },
  { path: 'discussions pin', args: () => ['acme/bert', '1'], says: /^#1 is pinned/, json: ['success'] },
  {
    path: 'discussions close',
    args: () => ['acme/bert', '1', '-m', 'Done'],
    says: /^#1 is closed/,
    json: ['newStatus'],
  },
  { path: 'discussions reopen', args: () => ['acme/bert', '1'], says: /^#1 is open/, json: ['newStatus'] },
  {
    path: 'discussions show',
    args: () => ['acme/bert', '1'],
    says: /^Which licence\? #1\ndiscussion, open\n\nbob, [\d :-]+:\n@ada which\?\n(.*\n)*Both\.\nOf them\./,
    json: ['events', 'title'],
  },
  {
    path: 'notifications list',
    args: () => ['--unread'],
    says: /new +acme\/bert#1 +Which licence\?/,
    json: 'list',
    keep: ([{ discussion }]: [{ discussion: { id: string } }]) => ({ thread: discussion.id }),
  },
  { path: 'notifications read', args: ({ thread }) => [thread!], says: /^Marked 1 notification\./, json: ['count'] },
  { path: 'notifications done', args: () => ['--all'], says: /^Deleted 1 notification\./, json: ['count'] },
  { path: 'discussions delete', args: () => ['acme/bert', '1', '-y'], says: /^Deleted #1/, json: ['success'] },
  { path: 'discussions merge', args: () => ['acme/gpt', '1', '-m', 'Good'], says: /^Merged #1/, json: ['success'] },
  {
    path: 'pr create',
    as: 'bob',
    args: () => ['acme/gpt', '-', 'idea.txt', '-t', 'An idea'],
    around: { stdin: 'idea\n' },
    says: /^Opened #3: http/,
    json: ['num', 'url'],
  },
  { path: 'pr list', args: () => ['acme/gpt'], says: /^ +3 +open +An idea +bob/m, json: 'list' },
  {
    path: 'pr view',
    args: () => ['acme/gpt', '3'],
    says: /^An idea #3\nopen, for main\n\nbob, [\d :-]+: ?\n/,
    json: ['events', 'changes', 'title'],
  },
  { path: 'pr diff', args: () => ['acme/gpt', '3'], says: /^\+idea$/m, json: 'nothing' },
  { path: 'pr comment', args: () => ['acme/gpt', '3', 'Why?'], says: /^Commented on #3/, json: ['newMessage'] },
  { path: 'pr merge', args: () => ['acme/gpt', '2'], says: /^Merged #2/, json: ['success'] },
  { path: 'pr close', args: () => ['acme/gpt', '3', '-m', 'No'], says: /^#3 is closed/, json: ['newStatus'] },
  { path: 'papers claim', args: () => ['2401.01234'], says: /^Claimed 2401\.01234;/, json: ['ok'] },
  {
    path: 'papers claims',
    says: /2401\.01234 +ada +ada +requested/,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ claim: id }),
  },
  { path: 'papers reject', as: 'admin', args: ({ claim }) => [claim!], says: /^status +rejected$/m, json: ['status'] },
  { path: 'papers verify', as: 'admin', args: ({ claim }) => [claim!], says: /^status +verified$/m, json: ['status'] },
  {
    path: 'jobs run',
    args: () => ['-e', 'WHO=you', 'node', 'sh', '-c', 'echo hello $WHO'],
    says: /^hello you$/m,
    json: ['id', 'status'],
  },
  {
    path: 'jobs list',
    args: () => ['--stage', 'COMPLETED'],
    says: /COMPLETED +node +sh -c echo/,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ job: id }),
  },
  {
    path: 'jobs inspect',
    args: ({ job }) => [`ada/${job}`],
    says: /^environment +WHO=you$/m,
    json: ['status', 'flavor'],
  },
  { path: 'jobs logs', args: ({ job }) => [job!], says: /^hello you$/m, json: 'lines' },
  { path: 'jobs cancel', args: ({ job }) => [job!], says: /is COMPLETED\.$/m, json: ['status'] },
  { path: 'jobs hardware', says: /^cpu-basic /m, json: 'list' },
  {
    path: 'jobs scheduled create',
    args: () => ['@yearly', 'node', 'sh', '-c', 'true'],
    says: /^Created the scheduled job/,
    json: ['id', 'schedule'],
  },
  {
    path: 'jobs scheduled list',
    says: /@yearly +active +node +sh -c true/,
    json: 'list',
    keep: ([{ id }]: [{ id: string }]) => ({ clock: id }),
  },
  { path: 'jobs scheduled suspend', args: ({ clock }) => [clock!], says: /^Suspended/, json: ['success'] },
  { path: 'jobs scheduled resume', args: ({ clock }) => [clock!], says: /^Resumed/, json: ['success'] },
  { path: 'jobs scheduled run', args: ({ clock }) => [clock!], says: /^Started the job/, json: [] },
  { path: 'jobs scheduled inspect', args: ({ clock }) => [clock!], says: /^state +active$/m, json: ['schedule'] },
  { path: 'jobs scheduled delete', args: ({ clock }) => [clock!], says: /^Deleted/, json: ['success'] },
  { path: 'audit export', args: ({ file }) => ['acme', '-o', file!], says: /^$/, json: 'nothing' },
  {
    path: 'audit head',
    args: () => ['acme'],
    says: /^[0-9a-f]{64}\n$/,
    json: ['first', 'last'],
    keep: ({ last }: { last: { hash: string } }) => ({ head: last.hash }),
  },
  {
    path: 'audit verify',
    args: ({ file, head }) => [file!, '--head', head!],
    says: /nothing was changed\.$/m,
    json: ['faults', 'events'],
  },
  { path: 'webhooks delete', args: ({ webhook }) => [webhook!], says: /^Deleted the webhook/, json: [] },
  { path: 'login', around: { stdin: `${tokenOf('ada')}\n` }, says: /^Signed in to http\S+ as ada\.$/m, json: ['name'] },
  { path: 'logout', says: /^Signed out of http/, json: ['hubUrl'] },
  { path: 'completion', args: () => ['bash'], says: /complete .* moonbase/, json: 'nothing' },
];

/** The commands that have tests of their own. */
const ELSEWHERE = [
  'serve',
  'migrate',
  'notifications watch',
  'listen',
  'trigger',
  'backup',
  'restore',
  'backup verify',
  'git-to-bucket',
  'secrets rotate',
  'setup-link',
  'admin token',
  'admin reset-password',
  'users reset-second-factor',
  'sessions list',
  'sessions end',
  'admin dead-letters list',
  'admin dead-letters retry',
  'admin dead-letters discard',
];

const pathsOf = (entries: readonly (Command | Group)[], before = ''): string[] =>
  entries.flatMap((entry) => {
    const path = `${before} ${entry.name}`.trim();
    if (!('commands' in entry)) return [path];
    return [...(entry.own ? [path] : []), ...pathsOf(entry.commands, path)];
  });

test('every command is in the table', () => {
  expect([...steps.map(({ path }) => path), ...ELSEWHERE].sort()).toEqual(pathsOf(commands).sort());
});

describe.each(['people', 'programs'] as const)('for %s,', (reader) => {
  let hub: RunningHub;
  let folder: string;
  const known: Known = {};

  beforeAll(async () => {
    hub = await startHub();
    folder = await mkdtemp(join(tmpdir(), 'moonbase-cli-'));
    Object.assign(known, { receiver: hub.receiver, hubUrl: hub.hubUrl, file: join(folder, 'audit.json') });
    await hub.apply({
      users: [person('ada'), { ...person('bob'), email: 'bob@acme.example' }],
      organizations: [{ name: 'acme', plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }] }],
      papers: [{ id: '2401.01234', title: 'Moons', authors: [{ name: 'ada' }] }],
    });
    await hub.as('ada', ['orgs', 'update', 'acme', '--join-domain', 'acme.example']);
    for (const name of ['acme/gpt', 'acme/mirrored', 'acme/unused']) await hub.as('ada', ['repos', 'create', name]);
    await hub.as('ada', ['repos', 'create', 'acme/demo', '--type', 'space', '--sdk', 'gradio']);
    await createCollection({ hubUrl: hub.hubUrl, accessToken: tokenOf('ada'), title: 'Shelf', namespace: 'acme' });
    await hub.as('ada', ['mirror', 'set', 'acme/unused', `${hub.hubUrl}/acme/gpt`]);
    for (const num of ['1', '2']) {
      await hub.as('ada', ['discussions', 'create', 'acme/gpt', '-t', 'A change', '--pull-request']);
      await hub.as('ada', ['discussions', 'reopen', 'acme/gpt', num]);
    }
  });
  afterAll(async () => {
    await hub[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const call = ({ path, args = () => [], as = 'ada', around = {} }: Step, ...more: string[]) => {
    // Options come before the command of a job.
    const argv = [...path.split(' '), ...more, ...args(known)];
    return hub.as(as, argv, { ...around, env: { XDG_CONFIG_HOME: folder } });
  };

  test.each(steps.map((step) => [step.path, step] as const))('%s', async (_, step) => {
    const { status, out, err } = await call(step, ...(reader === 'programs' ? ['--json'] : []));
    expect({ status, err }).toEqual({
      status: 0,
      err: step.path === 'jobs run' ? expect.stringMatching(/^Job ada\//) : '',
    });
    expect(out).not.toContain('\x1b');
    expect(out + err).not.toContain(ADMIN);
    if (reader === 'people') expect(out).toMatch(step.says);
    else if (step.json === 'lines')
      for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toBeTypeOf('object');
    else if (step.json === 'list') expect(JSON.parse(out)).toContainEqual(expect.any(Object));
    else if (step.json !== 'nothing') {
      const answer = JSON.parse(out) as object;
      if (Array.isArray(step.json)) expect(Object.keys(answer)).toEqual(expect.arrayContaining([...step.json]));
    }
    if (!step.keep) return;
    const again = reader === 'programs' ? out : (await call(step, '--json')).out;
    Object.assign(known, step.keep(JSON.parse(again) as never));
  });

  test('audit export prints the log itself', () => {
    const [newest] = JSON.parse(readFileSync(known.file!, 'utf8')) as [{ hash: string }];
    expect(newest.hash).toBe(known.head);
  });
});

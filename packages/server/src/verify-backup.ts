import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { verifyChains } from './audit-log/index.ts';
import { archivePlaces, filesFolderOf, headerOfIntact, keysFor, namedFiles } from './backup.ts';
import { downloadNewest, newestInFolder } from './backups/index.ts';
import type { Config } from './config.ts';
import { checkHistory, gitRepoIds } from './content/index.ts';
import { migrations } from './infrastructure.ts';
import { BackupError } from './platform/backup/backup-error.ts';
import { copyFiles } from './platform/backup/copy-files.ts';
import type { OnProgress } from './platform/backup/format.ts';
import { rehearseBackup } from './platform/backup/load-backup.ts';
import { verify } from './platform/blobs/verified.ts';
import { systemClock } from './platform/clock.ts';
import { readCatalog } from './platform/database/catalog.ts';
import { checkForeignKeys } from './platform/database/foreign-keys.ts';
import { sqlFault } from './platform/database/sql-errors.ts';
import { type Database, type Executor, openDatabase } from './platform/database/transaction.ts';
import { createGitStore } from './platform/git/git-store.ts';
import { GitUnavailable, requireGit } from './platform/git/stock/git-version.ts';
import { countOpened } from './platform/keys/count-opened.ts';
import type { SecretKeys } from './platform/secrets.ts';
import { SEALED, TABLE_PLAN } from './tables.ts';

/** What is checked, in this order; after a fault of the first two, nothing else is. */
export type CheckName =
  | 'file'
  | 'key'
  | 'large files'
  | 'rows'
  | 'references'
  | 'secrets'
  | 'audit log'
  | 'repositories';

export interface Check {
  readonly name: CheckName;
  readonly figures: Readonly<Record<string, number>>;
  /** Sentences that say what is wrong, and what to do. */
  readonly faults: readonly string[];
}

export interface Verification {
  /** The moment of the backup; undefined if the file is not a whole backup. */
  readonly createdAt: string | undefined;
  readonly checks: readonly Check[];
}

export interface VerifyOptions {
  /** The URL of an empty PostgreSQL database to restore into; absent: SQLite in a temporary folder. */
  readonly databaseUrl?: string | undefined;
  readonly databaseOnly?: boolean | undefined;
  readonly progress?: OnProgress;
  readonly onCheck?: (check: Check) => void;
  readonly signal?: AbortSignal;
}

type Keys = Pick<Config, 'secretKey' | 'secretKeyOld' | 'dataDir'>;
type Checked = Omit<Check, 'name'>;

/**
 * Restores a backup into a temporary place, checks what a restore must give, and leaves nothing behind: the rows are rolled
 * back, and the folder is deleted. Uses only the keys of the settings, never the database or the files of the hub. Throws if
 * the place cannot be used, or the reason of the signal.
 */
export async function verifyBackup(config: Keys, file: string, options: VerifyOptions = {}): Promise<Verification> {
  const { onCheck = () => {}, signal } = options;
  const checks: Check[] = [];
  const add = (name: CheckName, checked: Checked): boolean => {
    const check = { name, ...checked };
    checks.push(check);
    onCheck(check);
    return check.faults.length === 0;
  };
  const progress = stepsOf(options);
  return await inScratch(signal, async (scratch) => {
    const { size: bytes } = await stat(file);
    let read = 0;
    const header = await told(() =>
      headerOfIntact(file, () => progress({ table: 'pieces of the file', rows: ++read })),
    );
    const { value: begin } = header;
    if (!add('file', { figures: { bytes }, faults: header.faults }) || !begin) return { createdAt: undefined, checks };
    const { createdAt, keyCheck } = begin;
    const keys = await told(async () => keysFor(config, begin));
    if (!add('key', { figures: { sealed: keyCheck === null ? 0 : 1 }, faults: keys.faults }))
      return { createdAt, checks };
    if (!options.databaseOnly) add('large files', await checkLargeFiles(file, progress, signal));
    const around = { file, scratch, keys: keys.value, progress, add, options };
    await checkRows(around);
    return { createdAt, checks };
  });
}

/**
 * Verifies the newest backup that a hub has made of itself, and returns its name as well. From a bucket, which has no files of
 * repositories, it is downloaded into a temporary folder. Throws if there is none.
 */
export async function verifyNewest(
  config: Keys,
  target: BackupTarget,
  options: VerifyOptions = {},
): Promise<Verification & { readonly file: string }> {
  if ('folder' in target) {
    const file = await newestInFolder(target.folder);
    return { file, ...(await verifyBackup(config, file, options)) };
  }
  const { signal } = options;
  return await inScratch(signal, async (into) => {
    const progress = stepsOf(options);
    const file = await downloadNewest(target.s3, target.prefix, { into, progress, signal });
    const verification = await verifyBackup(config, file, { ...options, databaseOnly: true });
    return { file: `s3://${target.s3.bucket}/${target.prefix}${basename(file)}`, ...verification };
  });
}

type BackupTarget = NonNullable<Config['backups']>['target'];

/** Reports progress, and ends the work once the signal is given. */
const stepsOf =
  ({ progress, signal }: VerifyOptions): OnProgress =>
  async (step) => {
    signal?.throwIfAborted();
    await progress?.(step);
  };

/** Runs work that has a temporary folder, which is deleted afterwards. Throws the reason of the signal if it was given. */
async function inScratch<Result>(
  signal: AbortSignal | undefined,
  work: (scratch: string) => Promise<Result>,
): Promise<Result> {
  const scratch = await mkdtemp(join(tmpdir(), 'moonbase-verify-'));
  try {
    return await work(scratch);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Around {
  readonly file: string;
  readonly scratch: string;
  readonly keys: SecretKeys | undefined;
  readonly progress: OnProgress;
  readonly add: (name: CheckName, checked: Checked) => boolean;
  readonly options: VerifyOptions;
}

/** Fills a database, and looks at what only a filled one shows. */
async function checkRows(around: Around): Promise<void> {
  const { file, scratch, progress, add, options } = around;
  const { databaseUrl: url } = options;
  await using database = openDatabase(url === undefined ? { folder: scratch } : { url, queryTimeoutMs: 0 });
  if (url !== undefined) await requireNothing(database);
  const context = { database, migrations, plan: TABLE_PLAN, clock: systemClock, progress };
  const { faults } = await told(() =>
    rehearseBackup(file, context, async (tx, { rows, tables }) => {
      add('rows', { figures: { rows, tables: tables.length }, faults: [] });
      await inspect(tx, around);
    }).catch((error: unknown) => {
      if (!['foreign-key', 'unique'].includes(sqlFault(error))) throw error;
      throw new BackupError(
        `${file} cannot be restored: rows of it contradict each other, which the database refuses. Take another backup.`,
      );
    }),
  );
  if (faults.length > 0) add('rows', { figures: {}, faults });
}

async function inspect(tx: Executor, around: Around): Promise<void> {
  const { file, keys, progress, add, options } = around;
  const { keys: foreignKeys, broken } = await checkForeignKeys(tx);
  add('references', {
    figures: { foreignKeys, broken },
    faults: broken === 0 ? [] : [`${broken} rows of ${file} refer to rows that are not in it. Take another backup.`],
  });
  const { opened, closed, example } = await countOpened(tx, SEALED, keys, progress);
  add('secrets', {
    figures: { opened, closed },
    faults: example
      ? [
          `${closed} secrets cannot be opened with the key, such as ${example.column} of ${example.table} ${example.id}. Set them anew on the hub, or delete what has them, and take another backup.`,
        ]
      : [],
  });
  const { chains, events, faults } = await verifyChains(tx, progress);
  add('audit log', {
    figures: { chains, events },
    faults: faults.map((fault) => `${fault} The hub has the same fault: compare it with an older backup.`),
  });
  if (!options.databaseOnly) add('repositories', await checkRepositories(tx, around));
}

/** Copies one repository after the other from beside the backup, as a restore does, and lets git look at it. */
async function checkRepositories(tx: Executor, { file, scratch, progress, options }: Around): Promise<Checked> {
  const { signal } = options;
  const hasGit = await requireGit().then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof GitUnavailable)) throw error;
      return false;
    },
  );
  const store = createGitStore(join(scratch, 'git'), { durable: false });
  const from = archivePlaces(file);
  const faults: string[] = [];
  const figures = { repositories: 0, fsck: 0 };
  for (let after: string | undefined = ''; after !== undefined; ) {
    const ids: string[] = await gitRepoIds(tx, after, REPOS_PER_PAGE);
    for (const id of ids) {
      const around = { progress: () => progress({ table: 'repositories', rows: figures.repositories }), signal };
      const copied = await copyFiles(from, { git: store, blobs: NOWHERE }, { git: [id], blobs: [] }, around);
      const findings = [...copied.faulty];
      if (hasGit) {
        findings.push(...(await checkHistory(tx, store, id, signal)));
        figures.fsck++;
      }
      if (findings.length > 0) faults.push(`${id}: ${findings.slice(0, MAX_FINDINGS).join('; ')}`);
      figures.repositories++;
      await store.delete(id);
      await progress({ table: 'repositories', rows: figures.repositories });
    }
    after = ids.length < REPOS_PER_PAGE ? undefined : ids.at(-1);
  }
  return {
    figures: { ...figures, faulty: faults.length },
    faults: summed(faults, (some) => `${some} have missing or damaged files in ${filesFolderOf(file)}`, 'repositories'),
  };
}

const REPOS_PER_PAGE = 500;
const MAX_FINDINGS = 3;

/** A place whose blobs are compared with their hashes, and kept nowhere. */
const NOWHERE = { head: async () => undefined, put: verify };

async function checkLargeFiles(file: string, progress: OnProgress, signal: AbortSignal | undefined): Promise<Checked> {
  const { blobs } = await namedFiles(file, progress);
  const git = { folderOf: () => '', create: async () => {} };
  const from = archivePlaces(file);
  const copied = await copyFiles(from, { git, blobs: NOWHERE }, { git: [], blobs }, { progress, signal });
  const bytes = blobs.reduce((sum, { size }) => sum + size, 0);
  return {
    figures: { largeFiles: copied.blobs, bytes, faulty: copied.faulty.length },
    faults: summed(
      copied.faulty,
      (some) => `${some} are missing in ${filesFolderOf(file)}, or differ from their hash`,
      'large files',
    ),
  };
}

const summed = (faults: readonly string[], sentence: (some: string) => string, what: string): string[] =>
  faults.length === 0
    ? []
    : [
        `${sentence(`${faults.length} ${what}, such as ${faults.slice(0, MAX_FINDINGS).join(', ')},`)}. Delete what is damaged there and back up again, while the hub still has the files.`,
      ];

/** Throws unless the database has no table at all. */
async function requireNothing(database: Database): Promise<void> {
  const [table] = (await readCatalog(database)).keys();
  if (table !== undefined)
    throw new Error(
      `The database for the rehearsal is not empty (it has the table ${table}), and nothing was changed. Name an empty one with --database, such as a new one that "createdb" makes.`,
    );
}

/** Returns the result of the work, or the sentence of its refusal. */
async function told<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value | undefined; readonly faults: readonly string[] }> {
  try {
    return { value: await work(), faults: [] };
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    return { value: undefined, faults: [error.message] };
  }
}

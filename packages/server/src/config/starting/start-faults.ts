import { codeOf } from '../../platform/error-text.ts';

/*
 * What is said when a hub cannot start: the setting, what is wrong, and what to do. Errors without such a sentence are
 * returned as they are.
 */

interface Storage {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseWaitSeconds: number;
}

const told = (setting: string, sentence: string, cause: unknown) => new Error(`${setting}: ${sentence}`, { cause });

/** Returns the code of an error, or of its cause if it has one. */
function innerCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return codeOf(cause) ?? codeOf(error) ?? '';
}

/** Returns the sentence for an error of the database of a hub that starts. */
export function storageFault(error: unknown, storage: Storage): unknown {
  return storage.databaseUrl === undefined
    ? folderFault(error, storage.dataDir)
    : serverFault(error, new URL(storage.databaseUrl), storage.databaseWaitSeconds);
}

function folderFault(error: unknown, folder: string): unknown {
  const code = codeOf(error) ?? '';
  const say = (sentence: string) => told('MOONBASE_DATA_DIR', sentence, error);
  if (code === 'EEXIST' || code === 'ENOTDIR') return say(`${folder} is not a folder; name another one.`);
  if (code === 'ENOENT') return say(`the folder ${folder} cannot be made there; name another one.`);
  if (/^(EACCES|EPERM)$/.test(code))
    return say(`this user may not write to ${folder}; give it the folder (chown), or name another one.`);
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY'))
    return say(`${folder} cannot be written to; mount its file system for writing, or name another folder.`);
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') return say(`the disk of ${folder} is full; make room.`);
  if (code.startsWith('SQLITE_CANTOPEN'))
    return say(`the database in ${folder} cannot be opened; this user needs to read and write all files there.`);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return say(`moonbase.db in ${folder} is damaged or not a database; restore a backup, or name another folder.`);
  return error;
}

/** The codes of PostgreSQL and of sockets, each with what is wrong and what to do. */
const SERVER_FAULTS: readonly (readonly [RegExp, (url: URL) => string])[] = [
  [/^28P01$/, ({ username }) => `the password of the user ${username} is wrong`],
  [/^28000$/, ({ username }) => `the user ${username} may not connect; look at pg_hba.conf, and at sslmode`],
  [/^3D000$/, ({ pathname }) => `there is no database ${pathname.slice(1)}; make it with createdb`],
  [/^42501$/, ({ username }) => `the user ${username} may not make tables; make it the owner of the database`],
  [/^53300$/, () => 'it has no free connections; raise max_connections'],
  [/^57P03$/, () => 'it is starting or stopping, and has not become ready'],
  [/^ECONNREFUSED$/, () => 'nothing listens there; start PostgreSQL, or correct host and port'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, () => 'the name of its host is not known; correct it'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, () => 'its host does not answer; correct host and port, or open the way'],
  [
    /^(ENOENT|EACCES)$/,
    () => 'a file or a socket that the URL names cannot be opened; correct its path, or its rights',
  ],
  [/CERT|TLS|SSL/, () => 'its certificate is not trusted; name the authority by sslrootcert, or NODE_EXTRA_CA_CERTS'],
];

function serverFault(error: unknown, url: URL, waitSeconds: number): unknown {
  if (!(error instanceof Error)) return error;
  const code = innerCode(error);
  const known = SERVER_FAULTS.find(([codes]) => codes.test(code))?.[1](url);
  if (known === undefined && codeOf(error) !== '08006') return error;
  const reason = known ?? `${error.message}; is it a server of PostgreSQL, and does it take TLS as sslmode says?`;
  const waited = /^(E[A-Z]+|5[37].*)$/.test(code) ? ` (waited ${waitSeconds} s: MOONBASE_DATABASE_WAIT_SECONDS)` : '';
  return told('MOONBASE_DATABASE_URL', `PostgreSQL at ${url.host} cannot be used: ${reason}${waited}.`, error);
}

/** The oldest version of PostgreSQL that the hub is tested with, as `server_version_num`. */
const OLDEST_POSTGRES = 150_000;

/** Throws for a server of PostgreSQL that is too old; `version` is its `server_version_num`. */
export function requireVersion(version: number, databaseUrl: string): void {
  if (version >= OLDEST_POSTGRES) return;
  const { host } = new URL(databaseUrl);
  throw new Error(
    `MOONBASE_DATABASE_URL: PostgreSQL at ${host} has version ${Math.floor(version / 10_000)}; name a server of version ${OLDEST_POSTGRES / 10_000} or later.`,
  );
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Returns the sentence for an error of a hub that begins to listen. */
export function listenFault(error: unknown, { host, port }: Address): unknown {
  const code = codeOf(error) ?? '';
  const say = (setting: string, sentence: string) => told(setting, sentence, error);
  if (code === 'EADDRINUSE')
    return say(
      'MOONBASE_PORT',
      `port ${port} of ${host} is in use; stop what uses it, or choose another (0 takes any free one).`,
    );
  if (code === 'EACCES')
    return say('MOONBASE_PORT', `this user may not listen on port ${port}; choose one above 1023.`);
  if (/^(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/.test(code))
    return say(
      'MOONBASE_HOST',
      `this machine has no address ${host}; choose one that it has, such as 127.0.0.1, or 0.0.0.0 for all.`,
    );
  return error;
}

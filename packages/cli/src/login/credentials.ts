import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, posix, win32 } from 'node:path';
import { UsageError } from '../program/failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The tokens of a login in a browser, which are renewed before they expire. */
export interface Login {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token expires, in epoch milliseconds. */
  readonly expiresAt: number;
}

/** The stored credentials: an access token or a login per hub, and the hub of the last sign-in. */
export interface Credentials {
  readonly hubUrl?: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly logins: Readonly<Record<string, Login>>;
}

/**
 * Returns the path of the credentials file, in `XDG_CONFIG_HOME` or else in `~/.config`, on Windows in `APPDATA`; undefined if
 * none of them is set.
 */
export function credentialsFile(env: Environment, platform: NodeJS.Platform = process.platform): string | undefined {
  const paths = platform === 'win32' ? win32 : posix;
  const home = env.HOME?.trim();
  const own = platform === 'win32' ? env.APPDATA?.trim() : home && paths.join(home, '.config');
  const folder = env.XDG_CONFIG_HOME?.trim() || own;
  return folder ? paths.join(folder, 'moonbase', 'credentials.json') : undefined;
}

/**
 * Returns the path of the credentials file and creates its folder. Throws a `UsageError` if there is no place for the
 * file.
 */
export function requireCredentialsFile(env: Environment): string {
  const file = credentialsFile(env);
  const home = process.platform === 'win32' ? 'APPDATA' : 'HOME';
  if (file === undefined) throw new UsageError(`${home} is not set: there is no folder to store a token in.`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return file;
}

/** Returns the key of a hub: its address without trailing slashes. */
export const hubKey = (hubUrl: string): string => new URL(hubUrl).href.replace(/\/+$/, '');

/** Reads the stored credentials, which are empty without a file. Throws a `UsageError` for a malformed file. */
export function readCredentials(env: Environment): Credentials {
  const file = credentialsFile(env);
  if (file === undefined || !existsSync(file)) return { tokens: {}, logins: {} };
  try {
    const stored: { hubUrl?: unknown; tokens?: object; logins?: object } = JSON.parse(readFileSync(file, 'utf8'));
    const { hubUrl, tokens = {}, logins = {} } = stored;
    return {
      ...(typeof hubUrl === 'string' && { hubUrl }),
      tokens: entriesThat(tokens, (value) => typeof value === 'string'),
      logins: entriesThat(logins, isLogin),
    };
  } catch {
    throw new UsageError(`${file} was not written by \`moonbase login\`. Remove it and sign in again.`);
  }
}

/** Returns the credentials with those for one hub replaced. */
export function withHub(credentials: Credentials, key: string, given: string | Login | undefined): Credentials {
  const { tokens, logins } = credentials;
  const { [key]: _token, ...otherTokens } = tokens;
  const { [key]: _login, ...otherLogins } = logins;
  return {
    ...credentials,
    tokens: typeof given === 'string' ? { ...otherTokens, [key]: given } : otherTokens,
    logins: typeof given === 'object' ? { ...otherLogins, [key]: given } : otherLogins,
  };
}

/** Replaces the file, which only its owner may read. Deletes the file if nothing is left to store. */
export function writeCredentials(env: Environment, credentials: Credentials): void {
  const file = requireCredentialsFile(env);
  if (Object.keys({ ...credentials.tokens, ...credentials.logins }).length === 0) {
    rmSync(file, { force: true });
    return;
  }
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

function entriesThat<Value>(from: object, is: (value: unknown) => value is Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(from).filter((entry): entry is [string, Value] => is(entry[1])));
}

const isLogin = (value: unknown): value is Login =>
  typeof value === 'object' &&
  value !== null &&
  ['accessToken', 'refreshToken'].every((name) => typeof Reflect.get(value, name) === 'string') &&
  typeof Reflect.get(value, 'expiresAt') === 'number';

import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../program/failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a login in a browser has given: tokens that are renewed before they expire. */
export interface Login {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** When the access token expires, in epoch milliseconds. */
  readonly expiresAt: number;
}

/** What `moonbase login` stores: an access token or a login for each hub, and the hub of the last sign-in. */
export interface Credentials {
  readonly hubUrl?: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly logins: Readonly<Record<string, Login>>;
}

/** Returns the path of the file, in `XDG_CONFIG_HOME` or else in `~/.config`; undefined where there is neither. */
export function credentialsFile({ XDG_CONFIG_HOME, HOME }: Environment): string | undefined {
  const folder = XDG_CONFIG_HOME?.trim() || (HOME?.trim() && join(HOME.trim(), '.config'));
  return folder ? join(folder, 'moonbase', 'credentials.json') : undefined;
}

/** Returns the path of the file, with its folder there. Throws a `UsageError` where there is no place for it. */
export function placeForCredentials(env: Environment): string {
  const file = credentialsFile(env);
  if (file === undefined) throw new UsageError('HOME is not set: there is no folder to store a token in.');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return file;
}

/** Identifies a hub: its address without slashes at the end. */
export const hubKey = (hubUrl: string): string => new URL(hubUrl).href.replace(/\/+$/, '');

/** Reads the stored credentials, which are empty without a file. Throws a `UsageError` for a broken file. */
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

/** Returns the credentials with what a hub gave, in the place of what was stored for it. */
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

/** Replaces the file, which only its owner may read. Removes the file where nothing is left to store. */
export function writeCredentials(env: Environment, credentials: Credentials): void {
  const file = placeForCredentials(env);
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

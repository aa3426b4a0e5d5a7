import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from './program/failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What `moonbase login` keeps: a token for each hub, and where one signed in last. */
export interface Credentials {
  readonly hubUrl?: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** In `XDG_CONFIG_HOME`, else in `~/.config`; undefined where there is neither. */
export function credentialsFile({ XDG_CONFIG_HOME, HOME }: Environment): string | undefined {
  const folder = XDG_CONFIG_HOME?.trim() || (HOME?.trim() && join(HOME.trim(), '.config'));
  return folder ? join(folder, 'moonbase', 'credentials.json') : undefined;
}

/** Hubs are told apart by their address without a slash at its end. */
export const hubKey = (hubUrl: string): string => new URL(hubUrl).href.replace(/\/+$/, '');

/** What is stored; nothing where there is no file. Throws a `UsageError` for a broken one. */
export function readCredentials(env: Environment): Credentials {
  const file = credentialsFile(env);
  if (file === undefined || !existsSync(file)) return { tokens: {} };
  try {
    const { hubUrl, tokens } = JSON.parse(readFileSync(file, 'utf8')) as { hubUrl?: unknown; tokens?: object };
    const known = Object.entries(tokens ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { ...(typeof hubUrl === 'string' && { hubUrl }), tokens: Object.fromEntries(known) };
  } catch {
    throw new UsageError(`${file} is not what \`moonbase login\` wrote. Remove it and sign in again.`);
  }
}

/** Replaces the file as a whole, for its owner only; without a token there is none. */
export function writeCredentials(env: Environment, credentials: Credentials): void {
  const file = credentialsFile(env);
  if (file === undefined) throw new UsageError('HOME is not set: there is no place to keep a token in.');
  if (Object.keys(credentials.tokens).length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

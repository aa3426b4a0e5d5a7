import { text } from './program/parameter.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The option of every command that works on the data of a hub on this machine. */
export const dataDir = text('path', 'the data folder (MOONBASE_DATA_DIR, default: ./data)');

/** Returns the environment extended by the options of a command, each of which sets a setting of the hub. */
export function settingsOf(options: Readonly<Record<string, string | undefined>>, { env }: Pick<Terminal, 'env'>) {
  const set = Object.entries(options).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[`MOONBASE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`, value]],
  );
  return { ...env, ...Object.fromEntries(set) };
}

import { text } from './program/parameter.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The option of all commands that work on the data of a local hub. */
export const dataDir = text('path', 'the data folder (MOONBASE_DATA_DIR, default: ./data)');

/** Returns the environment extended by those options of a command that set settings of the hub. */
export function settingsOf(options: Readonly<Record<string, string | undefined>>, { env }: Pick<Terminal, 'env'>) {
  const set = Object.entries(options).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[`MOONBASE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`, value]],
  );
  return { ...env, ...Object.fromEntries(set) };
}

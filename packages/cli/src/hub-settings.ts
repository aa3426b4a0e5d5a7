import { text } from './program/parameter.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Of every command that works on the hub of this machine. */
export const dataDir = text('path', 'the data folder (MOONBASE_DATA_DIR, default: ./data)');

/** The environment with what the options set: each is a setting of the hub by another name. */
export function settingsOf(options: Readonly<Record<string, string | undefined>>, { env }: Pick<Terminal, 'env'>) {
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  const names = set.map(([name, value]) => [`MOONBASE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`, value]);
  return { ...env, ...(Object.fromEntries(names) as Record<string, string>) };
}

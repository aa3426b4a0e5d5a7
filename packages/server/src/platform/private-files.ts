import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The hub's own files in a data folder, which only their owner may access. */
const OWN_FILES = /^(moonbase\.(db(-wal|-shm|-journal)?|lock(-journal)?)|secret\.key(\.next|\.old)?)$/;
/** A folder that every new file system contains. */
const LOST_AND_FOUND = 'lost+found';

/** The permission bits of group and others. */
const GROUP_AND_OTHERS = 0o077;

export interface Warning {
  readonly path: string;
  /** The mode in octal digits, before any change. */
  readonly mode: string;
}

interface Options {
  /** The names of the hub's other files and folders in the data folder. */
  readonly own: readonly string[];

  /** Called for each path whose access was restricted to its owner. */
  readonly onTightened: (warning: Warning) => void;
  /** Called for each path that stays accessible to others, with the reason. */
  readonly onUnchanged: (warning: Warning & { readonly reason: string }) => void;
}

/**
 * Removes the access of group and others from a data folder and the hub's files in it. A path whose mode cannot be
 * changed, as in a volume of another owner, stays as it is; so does a folder that also contains other files, which
 * others may need.
 */
export function tightenFolder(folder: string, options: Options): void {
  const isOwn = (name: string) => OWN_FILES.test(name) || options.own.includes(name);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // The folder does not exist yet, or opening it later reports the error.
    return;
  }
  const foreign = names.find((name) => !isOwn(name) && name !== LOST_AND_FOUND);
  const reason = foreign === undefined ? undefined : `it has other things in it, such as ${foreign}`;
  tighten(folder, options, reason);
  for (const name of names) if (isOwn(name)) tighten(join(folder, name), options);
}

function tighten(path: string, { onTightened, onUnchanged }: Options, keepBecause?: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & GROUP_AND_OTHERS) === 0) return;
  const warning = { path, mode: (found.mode & 0o7777).toString(8).padStart(4, '0') };
  if (keepBecause !== undefined) {
    onUnchanged({ ...warning, reason: keepBecause });
    return;
  }
  try {
    chmodSync(path, found.mode & 0o7777 & ~GROUP_AND_OTHERS);
    onTightened(warning);
  } catch (error) {
    onUnchanged({ ...warning, reason: error instanceof Error ? error.message : 'its mode cannot be changed' });
  }
}

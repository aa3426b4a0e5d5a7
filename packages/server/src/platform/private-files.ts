import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a data folder, each for its owner alone. `jobs` is a folder. */
const OWN = /^(moonbase\.(db(-wal|-shm|-journal)?|lock(-journal)?)|secret\.key(\.next|\.old)?|jobs)$/;
/** Every new file system has it. */
const LOST_AND_FOUND = 'lost+found';

/** Any access of group and others. */
const OTHERS = 0o077;

export interface Warning {
  readonly path: string;
  /** In octal digits, as it was found. */
  readonly mode: string;
}

interface Report {
  /** Called for what only its owner may use from now on. */
  readonly onTightened: (warning: Warning) => void;
  /** Called for what stays open to others, with the reason. */
  readonly onLeft: (warning: Warning & { readonly reason: string }) => void;
}

/**
 * Takes the access of group and others to a data folder and the files of a hub in it. What cannot be changed stays, as in
 * a volume of somebody else; so does a folder that has other things in it, which others may need.
 */
export function tightenFolder(folder: string, report: Report): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // It is not there yet, or whoever opens it says what is wrong with it.
    return;
  }
  const foreign = names.find((name) => !OWN.test(name) && name !== LOST_AND_FOUND);
  const reason = foreign === undefined ? undefined : `it has other things in it, such as ${foreign}`;
  tighten(folder, report, reason);
  for (const name of names) if (OWN.test(name)) tighten(join(folder, name), report);
}

function tighten(path: string, { onTightened, onLeft }: Report, keepBecause?: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || (found.mode & OTHERS) === 0) return;
  const warning = { path, mode: (found.mode & 0o7777).toString(8).padStart(4, '0') };
  if (keepBecause !== undefined) {
    onLeft({ ...warning, reason: keepBecause });
    return;
  }
  try {
    chmodSync(path, found.mode & 0o7777 & ~OTHERS);
    onTightened(warning);
  } catch (error) {
    onLeft({ ...warning, reason: error instanceof Error ? error.message : 'its mode cannot be changed' });
  }
}

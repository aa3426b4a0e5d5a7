import { readdir, readFile } from 'node:fs/promises';

/** Returns the parent of a process; undefined if the process is gone. */
async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The name of the command, in parentheses, may contain spaces.
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Returns the ids of all processes that descend from a process. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = await parentOf(Number(name));
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const below = (id: number): boolean => {
    for (let parent = parents.get(id); parent !== undefined && parent > 1; parent = parents.get(parent))
      if (parent === pid) return true;
    return false;
  };
  return [...parents.keys()].filter(below);
}

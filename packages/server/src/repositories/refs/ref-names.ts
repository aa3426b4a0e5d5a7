/** Returns the folders that git would keep a ref in, outermost first: `refs`, `refs/heads` and so on. */
export function foldersOf(ref: string): string[] {
  const parts = ref.split('/');
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

export type RefNames = ReturnType<typeof createRefNames>;

/** The names of refs, of which none may be a folder of another. */
export function createRefNames(names: Iterable<string>) {
  const refs = new Set<string>();
  /** The number of refs in each folder. */
  const folders = new Map<string, number>();

  const count = (ref: string, by: 1 | -1) => {
    for (const folder of foldersOf(ref)) folders.set(folder, (folders.get(folder) ?? 0) + by);
  };
  function add(ref: string): void {
    if (refs.has(ref)) return;
    refs.add(ref);
    count(ref, 1);
  }
  for (const name of names) add(name);

  return {
    add,

    delete(ref: string): void {
      if (refs.delete(ref)) count(ref, -1);
    },

    /** Returns a ref that a new one cannot be beside, if there is one. */
    obstacleTo(ref: string): string | undefined {
      const folder = foldersOf(ref).find((each) => refs.has(each));
      if (folder !== undefined || !folders.get(ref)) return folder;
      return [...refs].find((each) => each.startsWith(`${ref}/`));
    },
  };
}

/** Replaces the contents of repositories in tests of services that read no files. */
export const noContents = {
  commitOf: async () => 'c'.repeat(40),
  siblings: async () => [],
  usedStorage: async () => 0,
  merge: async () => ({ commit: 'd'.repeat(40) }),
  findConflicts: async () => [],
  diffOfProposal: async () => '',
  storageOfRef: async () => 0,
  runExclusive: <T>(_: string, work: () => Promise<T>) => work(),
  card: async () => ({ tags: [] }),
  downloads: async () => ({ recent: 0, allTime: 0 }),
  isLiked: async () => false,
  writeTag: async () => 'e'.repeat(40),
  writeFirstFiles: async () => ({ head: 'd'.repeat(40), roots: [] }),
  runtime: () => Promise.reject(new Error('There are no Spaces here')),
  newSpaces: { requireValid: () => {}, insert: async () => {} },
  onRefsChanged: () => {},
};

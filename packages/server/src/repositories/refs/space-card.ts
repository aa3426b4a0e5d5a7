import type { RepoType } from '@moonbase/contract/primitives';

const CARD = 'README.md';

/** Returns the card of a new Space, as its only file; JSON is YAML. */
const cardOf = (title: string, sdk: string) => ({
  path: CARD,
  content: `---
title: ${JSON.stringify(title)}
emoji: 🚀
colorFrom: blue
colorTo: indigo
sdk: ${JSON.stringify(sdk)}
pinned: false
---
`,
});

/** Returns the files that a new repository adds to the given ones: clients expect that a Space with an SDK has a card. */
export const addedFiles = (
  { type, name }: { readonly type: RepoType; readonly name: string },
  sdk: string | undefined,
  files: readonly { readonly path: string }[],
) => (type === 'space' && sdk !== undefined && !files.some(({ path }) => path === CARD) ? [cardOf(name, sdk)] : []);

import type { RepoType } from '@moonbase/contract/primitives';

const CARD = 'README.md';

/** Metadata of the card that a new repository begins with. */
export interface CardMetadata {
  readonly license?: string | undefined;
  readonly license_name?: string | undefined;
  readonly license_link?: string | undefined;
  readonly short_description?: string | undefined;
}

/** Returns metadata with texts of a request; JSON is YAML. */
const metadataOf = (values: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`]));

const cardOf = (metadata: readonly string[]) => ({ path: CARD, content: `---\n${metadata.join('\n')}\n---\n` });

/**
 * Returns the files that a new repository adds to the given ones: clients expect that a Space with an SDK has a card, and
 * that a licence is in a card.
 */
export function addedFiles(
  { type, name }: { readonly type: RepoType; readonly name: string },
  { sdk, license, license_name, license_link, short_description }: CardMetadata & { readonly sdk?: string | undefined },
  files: readonly { readonly path: string }[],
) {
  if (type === 'bucket' || files.some(({ path }) => path === CARD)) return [];
  const licence = metadataOf({ license, license_name, license_link });
  if (type === 'space' && sdk !== undefined)
    return [
      cardOf([
        ...[...metadataOf({ title: name }), 'emoji: 🚀', 'colorFrom: blue', 'colorTo: indigo'],
        ...[...metadataOf({ sdk }), 'pinned: false', ...metadataOf({ short_description }), ...licence],
      ]),
    ];
  return licence.length > 0 ? [cardOf(licence)] : [];
}

import { commitAt, fileIn, getEntry, type KnownFile, readFile } from '@moonbase/client/files';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import type { Place } from './place.ts';

/** The size above which files are not shown. */
const MAX_SHOWN_BYTES = 1024 * 1024;
const MAX_PICTURE_BYTES = 4 * MAX_SHOWN_BYTES;

/** Picture formats that cannot run scripts; an SVG is shown as text. */
const PICTURES: Readonly<Record<string, string>> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
};

/** The content of a file as a page shows it. */
export type Shown =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'picture'; readonly url: string }
  | { readonly kind: 'nothing' };

export interface ShownFile extends KnownFile {
  /** The commit at which the file was read. */
  readonly commit: string;
  readonly isLarge: boolean;
  readonly shown: Shown;
}

/** Reads a file and compares its bytes with their hash. */
export function useContent({ type, repo, revision, path }: Place) {
  const hub = useHub();
  return useQuery({
    queryKey: ['file', type, repo, revision, path],
    async queryFn({ signal }): Promise<ShownFile> {
      const at = { ...hub, type, repo, signal };
      const commit = await commitAt({ ...at, revision });
      const entry = await getEntry({ ...at, revision: commit, path });
      const known = fileIn(entry);
      const read = () => readFile({ ...at, revision: commit, path, known });
      return { ...known, commit, isLarge: entry.lfs !== undefined, shown: await shownOf(path, known.size, read) };
    },
  });
}

async function shownOf(path: string, size: number, read: () => Promise<Blob>): Promise<Shown> {
  const picture = PICTURES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  if (size > (picture ? MAX_PICTURE_BYTES : MAX_SHOWN_BYTES)) return { kind: 'nothing' };
  const blob = await read();
  if (picture) return { kind: 'picture', url: await dataUrl(new Blob([blob], { type: picture })) };
  const text = await textOf(blob);
  return text === undefined ? { kind: 'nothing' } : { kind: 'text', text };
}

async function textOf(blob: Blob): Promise<string | undefined> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a data URL: the content security policy allows such pictures, but not those from blob URLs. */
function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error('The picture cannot be read'));
    reader.readAsDataURL(blob);
  });
}

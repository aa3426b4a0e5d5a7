import * as z from 'zod';
import { HubError } from '../../platform/http/errors.ts';
import { valueIn } from '../../platform/http/input/body-lines.ts';

const Path = z.string().max(4096);
const Header = z.object({
  summary: z.string().max(10_000),
  description: z.string().max(100_000).nullish(),
  parentCommit: z
    .string()
    .regex(/^[0-9a-f]{40}$/, 'must be the id of a commit: 40 hexadecimal characters')
    .nullish(),
});
const RegularFile = z.object({
  path: Path,
  content: z.string(),
  encoding: z.enum(['utf-8', 'base64']).default('utf-8'),
  oldPath: Path.nullish(),
});
const LfsFile = z.object({
  path: Path,
  algo: z.literal('sha256').default('sha256'),
  oid: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256: 64 hexadecimal characters'),
  size: z.number().int().min(0).nullish(),
  oldPath: Path.nullish(),
});
const Deleted = z.object({ path: Path });

const Line = z.discriminatedUnion('key', [
  z.object({ key: z.literal('header'), value: Header }),
  z.object({ key: z.literal('file'), value: RegularFile }),
  z.object({ key: z.literal('lfsFile'), value: LfsFile }),
  z.object({ key: z.literal('deletedEntry'), value: Deleted }),
  z.object({ key: z.literal('deletedFile'), value: Deleted }),
  z.object({ key: z.literal('deletedFolder'), value: Deleted }),
]);
export type CommitLine = z.output<typeof Line>;

/** The whole commit as one JSON document. */
const CommitDocument = Header.extend({
  files: z.array(RegularFile).default([]),
  lfsFiles: z.array(LfsFile).default([]),
  deletedEntries: z.array(Deleted).default([]),
  deletedFiles: z.array(Deleted).default([]),
  deletedFolders: z.array(Deleted).default([]),
});

export const lineOf = (text: string, number: number): CommitLine => valueIn(Line, text, `Line ${number} of the body`);

/** Returns the lines equivalent to a JSON document, deletions first. */
export function linesOfDocument(text: string): CommitLine[] {
  const { files, lfsFiles, deletedEntries, deletedFiles, deletedFolders, ...header } = valueIn(
    CommitDocument,
    text,
    'The body',
  );
  return [
    { key: 'header', value: header },
    ...deletedEntries.map((value) => ({ key: 'deletedEntry' as const, value })),
    ...deletedFiles.map((value) => ({ key: 'deletedFile' as const, value })),
    ...deletedFolders.map((value) => ({ key: 'deletedFolder' as const, value })),
    ...files.map((value) => ({ key: 'file' as const, value })),
    ...lfsFiles.map((value) => ({ key: 'lfsFile' as const, value })),
  ];
}

/** Decodes the content of a file. Throws 400 if the content is not valid base64. */
export function contentOf({ path, content, encoding }: z.output<typeof RegularFile>): Buffer {
  if (encoding === 'utf-8') return Buffer.from(content, 'utf8');
  const bytes = Buffer.from(content, 'base64');
  const { length } = content.replace(/=+$/, '');
  // One letter of the last four is less than a byte.
  if (length % 4 === 1 || bytes.length !== Math.floor((length * 3) / 4))
    throw new HubError(400, `The content of ${path} is not valid base64`);
  return bytes;
}

import { isUtf8 } from 'node:buffer';
import type { Pause } from '../../cooperative.ts';
import { isBinary } from '../lines/binary.ts';
import { editsBetween } from '../lines/edits.ts';
import { LineTable } from '../lines/line-table.ts';
import type { ByteText } from '../objects/byte-text.ts';
import { isModule, type TreeEntry } from '../objects/tree.ts';
import type { GitRepository } from '../repository.ts';
import type { ChangedEntry } from './changed-entries.ts';
import { hunksOf } from './hunks.ts';
import { diffPath } from './path-names.ts';

const MAX_LINES = 5_000;
const MAX_FILE_BYTES = 1024 * 1024;
const NO_ID = '0'.repeat(40);
const SHORT_ID = 7;

type Reader = Pick<GitRepository, 'read' | 'header'>;

const octalMode = ({ mode }: TreeEntry): string => mode.padStart(6, '0');
/** Diffs do not turn a regular file, a link or a submodule into one another. */
const kindOf = ({ mode }: TreeEntry): string => mode.slice(0, 3);
const shortId = (entry: TreeEntry | undefined): string => (entry?.id ?? NO_ID).slice(0, SHORT_ID);

function headerOf({ path, before, after }: ChangedEntry): ByteText {
  const lines = [`diff --git ${diffPath(`a/${path}`)} ${diffPath(`b/${path}`)}`];
  if (!before && after) lines.push(`new file mode ${octalMode(after)}`);
  else if (before && !after) lines.push(`deleted file mode ${octalMode(before)}`);
  else if (before && after && before.mode !== after.mode)
    lines.push(`old mode ${octalMode(before)}`, `new mode ${octalMode(after)}`);
  if (before?.id !== after?.id) {
    const mode = before && before.mode === after?.mode ? ` ${octalMode(before)}` : '';
    lines.push(`index ${shortId(before)}..${shortId(after)}${mode}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the name of one side; git ends a name that contains blanks with a tab. */
const sideName = (name: ByteText, entry: TreeEntry | undefined): ByteText => {
  if (!entry) return '/dev/null';
  return name.includes(' ') ? `${diffPath(name)}\t` : diffPath(name);
};

const omitted = (path: ByteText, why: string): ByteText => `# The changes of ${diffPath(path)} are left out: ${why}\n`;

/** Returns the bytes of one side, or undefined if they exceed the limit. */
async function bodyOf(reader: Reader, entry: TreeEntry | undefined): Promise<Buffer | undefined> {
  if (!entry) return Buffer.alloc(0);
  if (isModule(entry)) return Buffer.from(`Subproject commit ${entry.id}\n`);
  return (await reader.header(entry.id)).size > MAX_FILE_BYTES ? undefined : (await reader.read(entry.id)).body;
}

/** Returns the changes of one file as a unified diff in git's format. */
export async function fileDiff(reader: Reader, entry: ChangedEntry, pause: Pause): Promise<ByteText> {
  const { path, before, after } = entry;
  if (before && after && kindOf(before) !== kindOf(after))
    return (
      (await fileDiff(reader, { ...entry, after: undefined }, pause)) +
      (await fileDiff(reader, { ...entry, before: undefined }, pause))
    );
  const [left, right] = [await bodyOf(reader, before), await bodyOf(reader, after)];
  if (!left || !right) return omitted(path, 'the file is larger than 1 MiB');
  const header = headerOf(entry);
  if (before?.id === after?.id) return header;
  const names = [sideName(`a/${path}`, before), sideName(`b/${path}`, after)];
  if ([left, right].some((body) => isBinary(body) || !isUtf8(body)))
    return `${header}Binary files ${names[0]?.trimEnd()} and ${names[1]?.trimEnd()} differ\n`;
  const table = new LineTable(pause);
  const [from, to] = [await table.split(left), await table.split(right)];
  const hunks = hunksOf(await editsBetween(from.ids, to.ids, pause), from, to);
  if (hunks.length > MAX_LINES) return omitted(path, `they have more than ${MAX_LINES} lines`);
  return hunks.length === 0 ? header : `${header}--- ${names[0]}\n+++ ${names[1]}\n${hunks.join('')}`;
}

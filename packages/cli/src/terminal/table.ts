import { type Style, stateStyle } from './style.ts';

type Cell = string | number | boolean | null | undefined;

/** The cells of an entry, by column title. */
export type Columns<T> = Readonly<Record<string, (entry: T) => Cell>>;

/** Returns a result as JSON, for other programs. */
export const jsonText = (answer: unknown): string => `${JSON.stringify(answer, null, 2)}\n`;

/** Replaces control characters in text from a hub, because a terminal would execute them. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');

/** Control characters that a terminal would execute. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu;

/** Removes the control characters of a text with several lines. */
export const withoutControls = (text: string): string => text.replace(CONTROLS, '');

/** Formats one line per entry below the titles; numbers are right-aligned. */
export function tableText<T>(entries: readonly T[], columns: Columns<T>, style: Style): string {
  const parts = Object.entries(columns).map(([title, read]) => {
    const cells = entries.map(read);
    const right = cells.some((cell) => typeof cell === 'number');
    const texts = cells.map(cellText);
    const width = Math.max(title.length, ...texts.map((text) => text.length));
    return { title, texts, pad: (text: string) => (right ? text.padStart(width) : text.padEnd(width)) };
  });
  const lines = entries.map((_, at) => {
    return parts.map(({ texts, pad }) => pad(texts[at] ?? '').replace(/\S+/, (word) => stateStyle(word, style)));
  });
  const head = parts.map(({ title, pad }) => style.bold(pad(title)));
  return [head, ...lines].map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
}

/** Formats one line per column that the entry has. */
export function detailsText<T>(entry: T, columns: Columns<T>, style: Style): string {
  const parts = Object.entries(columns).flatMap(([title, read]): [string, string][] => {
    const text = cellText(read(entry));
    return text === '' ? [] : [[title, text]];
  });
  const width = Math.max(0, ...parts.map(([title]) => title.length));
  return parts.map(([title, text]) => `${style.bold(title.padEnd(width))}  ${stateStyle(text, style)}\n`).join('');
}

function cellText(cell: Cell): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return printable(String(cell)).trim();
}

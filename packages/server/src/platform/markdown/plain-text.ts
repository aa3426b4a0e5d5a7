import { MARKDOWN_LIMITS } from './limits.ts';
import { addNames } from './names.ts';
import type { ParsedMarkdown } from './parser.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns a text as HTML that shows it. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** Renders a text that cannot be parsed as Markdown: escaped, in paragraphs. Takes linear time. */
export function plainText(raw: string): ParsedMarkdown {
  const names = new Set<string>();
  addNames(names, raw, MARKDOWN_LIMITS.mentions);
  const paragraphs = escapeHtml(raw)
    .replace(/\r\n?/g, '\n')
    .split(/\n(?:[ \t]*\n)+/)
    .filter((paragraph) => paragraph.trim() !== '');
  return { html: paragraphs.map((paragraph) => `<p>${paragraph}</p>\n`).join(''), mentions: [...names] };
}

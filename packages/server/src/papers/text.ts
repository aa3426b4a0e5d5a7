import type { Paper } from '@moonbase/contract/papers/papers';
import type { z } from 'zod';

type Read = Pick<z.input<typeof Paper>, 'id' | 'authors' | 'publishedAt' | 'title' | 'summary'>;

const inOneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** Returns what is known of a paper as Markdown; nothing in it controls a terminal. */
export function textOf({ id, authors, publishedAt, title, summary }: Read): string {
  const names = authors.map(({ name, user }) => (user ? `${inOneLine(name)} (${user.name})` : inOneLine(name)));
  const facts = [
    ...(names.length > 0 ? [`Authors: ${names.join(', ')}`] : []),
    `arXiv: ${id}`,
    `Added to this hub: ${publishedAt.slice(0, 10)}`,
  ];
  const paragraphs = [`# ${inOneLine(title)}`, facts.map((fact) => `- ${fact}`).join('\n')];
  if (summary.trim() !== '') paragraphs.push('## Abstract', summary.replace(/(?![\n\t])\p{Cc}/gu, '').trim());
  return `${paragraphs.join('\n\n')}\n`;
}

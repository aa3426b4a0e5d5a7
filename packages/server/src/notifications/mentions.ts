import type { Token } from 'markdown-it';
import { parseMarkdown } from '../comments/index.ts';

/** More names than that in one comment are no way to reach people. */
const MOST = 50;

/** An account's name (W§6.8) after `@`, not within a word, an address or a path. */
const NAME = /(?<![\p{L}\p{N}_@./+%])@([a-z0-9](?:-?[a-z0-9]){1,41})(?![\p{L}\p{N}_@-])/giu;

/**
 * The names that Markdown mentions as `@name`, in lower case, each once, at most 50: in its text only, not in code and
 * not in addresses that became links by themselves.
 */
export function mentionedNames(raw: string): string[] {
  if (!raw.includes('@')) return [];
  const names = new Set<string>();
  for (const { children } of parseMarkdown(raw))
    for (const text of textsIn(children ?? []))
      for (const [, name = ''] of text.matchAll(NAME)) {
        names.add(name.toLowerCase());
        if (names.size === MOST) return [...names];
      }
  return [...names];
}

function* textsIn(tokens: readonly Token[]): Generator<string> {
  let inAddress = false;
  for (const { type, info, content } of tokens) {
    if (type === 'link_open') inAddress = info === 'auto';
    else if (type === 'link_close') inAddress = false;
    else if (type === 'text' && !inAddress) yield content;
  }
}

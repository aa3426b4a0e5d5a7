import { useMemo } from 'react';
import { htmlOfMarkdown } from './html.ts';
import { Markup } from './markup.tsx';

/** A Markdown text as readers will see it, except that names are not links yet. */
export function Preview({ text }: { readonly text: string }) {
  const html = useMemo(() => htmlOfMarkdown(text), [text]);
  return <Markup html={html} />;
}

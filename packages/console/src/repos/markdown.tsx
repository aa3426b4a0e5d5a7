import { useMemo } from 'react';
import { htmlOfMarkdown } from '../ui/markdown/html.ts';
import { Markup } from '../ui/markdown/markup.tsx';
import { hrefOf, type Place } from './place.ts';

/** A Markdown file without its metadata. HTML in the text is shown as text; only known tags are rendered. */
export function MarkdownFile({ text, place }: { readonly text: string; readonly place: Place }) {
  const html = useMemo(() => htmlOf(text, place), [text, place]);
  return <Markup html={html} />;
}

function htmlOf(text: string, place: Place): string {
  return htmlOfMarkdown(text.replace(/^\uFEFF?---\r?\n.*?\r?\n---(\r?\n|$)/s, ''), (url) => addressOf(url, place));
}

/** Returns the page of a linked file in the repository, or the URL itself. */
function addressOf(url: string, place: Place): string {
  if (/^([a-z][a-z0-9+.-]*:|\/|#)/i.test(url)) return url;
  const folder = place.path.slice(0, place.path.lastIndexOf('/') + 1);
  const { pathname } = new URL(url, `http://repository/${folder.split('/').map(encodeURIComponent).join('/')}`);
  const path = pathname.split('/').filter(Boolean).map(decodeURIComponent).join('/');
  return hrefOf({ ...place, page: pathname.endsWith('/') ? 'tree' : 'blob', path });
}

import { Paper } from '@mantine/core';
import { Suspense } from 'react';
import { part } from '../ui/updates/part.ts';
import { useContent } from './content.ts';
import type { Place } from './place.ts';
import { TextLines } from './text-lines.tsx';

const MarkdownFile = part(() => import('./markdown.tsx').then((page) => page.MarkdownFile));

/** The length above which a text is shown unformatted, so that the page stays responsive. */
const MAX_MARKDOWN = 200_000;

export const isMarkdown = (path: string): boolean => /\.(md|markdown)$/i.test(path);

/** A formatted Markdown text. */
export function MarkdownText({ text, place }: { readonly text: string; readonly place: Place }) {
  if (text.length > MAX_MARKDOWN) return <TextLines text={text} />;
  return (
    <Paper withBorder p="md">
      <Suspense>
        <MarkdownFile text={text} place={place} />
      </Suspense>
    </Paper>
  );
}

/** The README below a list of files; renders nothing if it cannot be shown. */
export function Readme({ place }: { readonly place: Place }) {
  const { data } = useContent(place);
  if (data?.shown.kind !== 'text') return null;
  return (
    <section aria-label="README" className="readme">
      <MarkdownText text={data.shown.text} place={place} />
    </section>
  );
}

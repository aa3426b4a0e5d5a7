import markdownIt, { type Token } from 'markdown-it';

/** CommonMark with links made from bare addresses; HTML in the source is shown as text, script links are dropped. */
const markdown = markdownIt({ html: false, linkify: true });

/** Markdown of a person as HTML that is safe to show. */
export const renderMarkdown = (raw: string): string => markdown.render(raw);

/** The same Markdown as tokens: what is text in it, and what a link or code. */
export const parseMarkdown = (raw: string): Token[] => markdown.parse(raw, {});

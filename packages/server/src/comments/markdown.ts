import markdownIt from 'markdown-it';

/** CommonMark with links made from bare addresses; HTML in the source is shown as text, script links are dropped. */
const markdown = markdownIt({ html: false, linkify: true });

/** Markdown of a person as HTML that is safe to show. */
export const renderMarkdown = (raw: string): string => markdown.render(raw);

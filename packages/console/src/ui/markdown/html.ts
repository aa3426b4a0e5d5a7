import markdownIt from 'markdown-it';

/** Returns the HTML of a Markdown text, for `Markup`; HTML in the text is shown as text. `addressOf` may replace URLs of links. */
export function htmlOfMarkdown(text: string, addressOf: (url: string) => string = (url) => url): string {
  const markdown = markdownIt({ html: false, linkify: true });
  const normalize = markdown.normalizeLink.bind(markdown);
  markdown.normalizeLink = (url) => normalize(addressOf(url));
  return markdown.render(text);
}

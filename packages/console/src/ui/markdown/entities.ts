/**
 * Returns the text of a character reference such as `&copy;`, or the reference itself if HTML has none of that name. The
 * build has it in place of the decoder of the Markdown parser, because the browser has a table of names already.
 */
export function decodeHTMLStrict(reference: string): string {
  const holder = document.createElement('textarea');
  holder.innerHTML = reference;
  const text = holder.textContent;
  // Of `&copyright;` a browser decodes the beginning, which is a name without its semicolon.
  return text.endsWith(';') && reference !== '&semi;' ? reference : text;
}

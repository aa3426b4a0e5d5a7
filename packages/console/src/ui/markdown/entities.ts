/**
 * Returns the text of a character reference such as `&copy;`, or the reference itself if HTML has none of that name. In
 * the build it stands for the decoder of the Markdown parser, whose table of names the browser has already.
 */
export function decodeHTMLStrict(reference: string): string {
  const holder = document.createElement('textarea');
  holder.innerHTML = reference;
  return holder.textContent;
}

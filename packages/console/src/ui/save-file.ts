/** Saves a file that has arrived whole, so that a page can say why one does not arrive. */
export function saveFile(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  // The browser reads the URL of the file only after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

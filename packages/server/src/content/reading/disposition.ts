/** Returns the header `Content-Disposition` of a file, which names it as its path does. */
export function dispositionOf(path: string, download: boolean): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return `${download ? 'attachment' : 'inline'}; filename*=UTF-8''${encoded}; filename="${plain}";`;
}

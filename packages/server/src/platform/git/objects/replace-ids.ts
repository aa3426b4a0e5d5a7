/** Signatures, and tags that a merge carries: they are about the commit as it was. */
const ABOUT_THE_OLD = new Set(['gpgsig', 'gpgsig-sha256', 'mergetag']);
const NAMING = new Set(['tree', 'parent', 'object']);

/**
 * Returns a commit or a tag that names other objects and is the same otherwise, byte for byte. What signs the old one is
 * left out.
 */
export function replaceIds(body: Buffer, replacement: (id: string) => string): Buffer {
  const end = body.indexOf('\n\n');
  const head = body.toString('latin1', 0, end < 0 ? body.length : end);
  let dropped = false;
  const lines = head.split('\n').flatMap((line) => {
    // A line that begins with a blank continues the one before.
    if (line.startsWith(' ')) return dropped ? [] : [line];
    const space = line.indexOf(' ');
    const name = line.slice(0, space);
    dropped = ABOUT_THE_OLD.has(name);
    if (dropped) return [];
    return NAMING.has(name) ? [`${name} ${replacement(line.slice(space + 1))}`] : [line];
  });
  return Buffer.concat([Buffer.from(lines.join('\n'), 'latin1'), end < 0 ? Buffer.alloc(0) : body.subarray(end)]);
}

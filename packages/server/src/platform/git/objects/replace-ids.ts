/** Headers with signatures, or with tags that a merge carries, which are valid for the original commit only. */
const SIGNATURE_HEADERS = new Set(['gpgsig', 'gpgsig-sha256', 'mergetag']);
const ID_HEADERS = new Set(['tree', 'parent', 'object']);

/**
 * Returns a commit or a tag with the ids of other objects replaced and everything else unchanged byte for byte, except
 * that signatures are omitted.
 */
export function replaceIds(body: Buffer, replacement: (id: string) => string): Buffer {
  const end = body.indexOf('\n\n');
  const head = body.toString('latin1', 0, end < 0 ? body.length : end);
  let dropped = false;
  const lines = head.split('\n').flatMap((line) => {
    // A line that begins with a blank continues the line before.
    if (line.startsWith(' ')) return dropped ? [] : [line];
    const space = line.indexOf(' ');
    const name = line.slice(0, space);
    dropped = SIGNATURE_HEADERS.has(name);
    if (dropped) return [];
    return ID_HEADERS.has(name) ? [`${name} ${replacement(line.slice(space + 1))}`] : [line];
  });
  return Buffer.concat([Buffer.from(lines.join('\n'), 'latin1'), end < 0 ? Buffer.alloc(0) : body.subarray(end)]);
}

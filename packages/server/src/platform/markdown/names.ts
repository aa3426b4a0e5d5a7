/**
 * Adds the accounts that a text mentions as `@name`, in lower case, to `names` until it has `most`. A mention is not
 * within a word, an address or a path. Also runs in a thread from its source text: uses nothing from outside.
 */
export function addNames(names: Set<string>, text: string, most: number): void {
  const mention = /(?<![\p{L}\p{N}_@./+%])@([a-z0-9](?:-?[a-z0-9]){1,41})(?![\p{L}\p{N}_@-])/giu;
  for (const [, name = ''] of text.matchAll(mention)) {
    if (names.size >= most) return;
    names.add(name.toLowerCase());
  }
}

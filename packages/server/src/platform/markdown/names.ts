/**
 * Adds the accounts that a text mentions as `@name` to `names`, in lower case, up to `max` names. A mention is not
 * within a word, an e-mail address or a path. The source text of this function also runs in the thread, so the function
 * must not use anything from outside.
 */
export function addNames(names: Set<string>, text: string, max: number): void {
  const mention = /(?<![\p{L}\p{N}_@./+%])@([a-z0-9](?:-?[a-z0-9]){1,41})(?![\p{L}\p{N}_@-])/giu;
  for (const [, name = ''] of text.matchAll(mention)) {
    if (names.size >= max) return;
    names.add(name.toLowerCase());
  }
}

/** Quotes a text for a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a text as one word of a POSIX shell, quoted if it has to be. */
export const shellText = (text: string): string => (/^[\w./-]+$/.test(text) ? text : quoted(text));

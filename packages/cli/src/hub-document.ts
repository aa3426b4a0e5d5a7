import type { HubDocument } from '@moonbase/client/admin';
import { Lexer, Parser, parse } from 'yaml';
import { UsageError } from './program/failure.ts';
import { readText } from './terminal/asking.ts';
import { withoutControls } from './terminal/table.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Reads a document from a file, or from standard input for `-`. The hub validates its content. */
export async function readHubDocument(file: string, terminal: Terminal): Promise<HubDocument> {
  return parseHubDocument(await readText(file, terminal), file === '-' ? 'standard input' : file);
}

/** The parts of a document; the hub ignores others, which are misspelt. */
const PARTS: Readonly<Record<keyof HubDocument, true>> = {
  ...{ users: true, organizations: true, repos: true, papers: true, posts: true, articles: true },
};
const PARTS_IN_WORDS = Object.keys(PARTS)
  .join(', ')
  .replace(/, ([^,]+)$/, ' and $1');

/**
 * Parses YAML, which includes JSON. Throws a `UsageError` for other texts, for documents that are not mappings, and for
 * parts that no document has.
 */
export function parseHubDocument(source: string, name: string): HubDocument {
  const document = parseYaml(source, name);
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new UsageError(`${name} must be a mapping of ${PARTS_IN_WORDS}`);
  const unknown = Object.keys(document).find((part) => !(part in PARTS));
  if (unknown !== undefined)
    throw new UsageError(`${name} must not have ${withoutControls(unknown)}: its parts are ${PARTS_IN_WORDS}`);
  return document;
}

/** The maximum nesting that the hub accepts; unlimited nesting would crash the process. */
const MAX_DEPTH = 64;

function isNestedTooDeep(source: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(source)) {
    for (const _ of parser.next(lexeme));
    // Each level of a document is a collection and one of its entries.
    if (parser.stack.length > 2 * MAX_DEPTH) return true;
  }
  return false;
}

function parseYaml(source: string, name: string): unknown {
  if (isNestedTooDeep(source)) throw new UsageError(`${name} must not be nested deeper than ${MAX_DEPTH} levels`);
  try {
    return parse(source, { logLevel: 'error' });
  } catch (error) {
    // The lines after the first quote the source, which may contain a token.
    const [what = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UsageError(`${name} is neither YAML nor JSON: ${what.replace(/:$/, '')}`);
  }
}

import type { AuditEvent } from '@moonbase/contract/audit-log/events';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { memoize } from '../platform/memoize.ts';
import { type JsonText, parseJson } from '../platform/stored-form.ts';
import { SYSTEM_ID } from './authors.ts';
import type { Directory } from './directory.ts';
import type { FormerContext } from './record.ts';
import type { StoredEvent } from './store.ts';

interface View {
  readonly executor: ReadExecutor;
  readonly baseUrl: string;
  readonly directory: Directory;
}

/**
 * Parses the context of events of the first chain version: the members that are appended to the event's JSON, and the
 * token's part of them.
 */
const contextOf = memoize(500, (text: string) => {
  const { token, ...rest } = parseJson<FormerContext>(text);
  const members = (object: object) => JSON.stringify(object).slice(1, -1);
  return { rest: members(rest), token: members(token ?? {}) };
});

/**
 * Inserts members at the beginning of an object in a JSON text; `opening` is the text up to and including the object's
 * brace.
 */
function addTo(json: string, at: number, opening: string, members: string): string {
  const from = at + opening.length;
  return `${json.slice(0, from)}${members},${json.slice(from)}`;
}

/*
 * Event bodies are canonical JSON, into which current data is inserted as text; parsing and serializing them again
 * would double the cost of an export. The author is the second member, after an id; no object after the token has the
 * same name, and a string value with this text has its quotation marks escaped.
 */
const AUTHOR = '"author":{';
const TOKEN = '"token":{';

/**
 * Creates the function that returns events as JSON for the wire, with current data about authors and tokens, which each
 * such function looks up once.
 */
export function createPresenter<Event = AuditEvent>({ executor, baseUrl, directory }: View) {
  const { avatarUrl, findExistingAccounts, findExistingTokens } = directory;
  const authors = new Map<string, string>();
  const tokens = new Map<string, string>();

  const authorPart = (id: string, url: string | null) => {
    const isSystem = id === SYSTEM_ID;
    const part = { avatarUrl: url ?? avatarUrl(baseUrl, { id, avatar_url: null }), type: isSystem ? 'system' : 'user' };
    return JSON.stringify(url === null && !isSystem ? { ...part, deleted: true } : part).slice(1, -1);
  };
  const tokenPart = (deleted: boolean) => `"type":"access_token","deleted":${deleted}`;

  async function lookUp(rows: readonly StoredEvent[]): Promise<void> {
    const unknownAuthors = unknown(rows, 'author_id', authors);
    const unknownTokens = unknown(rows, 'token_id', tokens);
    for (const id of unknownAuthors) authors.set(id, authorPart(id, null));
    for (const id of unknownTokens) tokens.set(id, tokenPart(true));
    if (unknownAuthors.length > 0)
      for (const account of await findExistingAccounts(executor, unknownAuthors))
        authors.set(account.id, authorPart(account.id, avatarUrl(baseUrl, account)));
    if (unknownTokens.length > 0)
      for (const { id } of await findExistingTokens(executor, unknownTokens)) tokens.set(id, tokenPart(false));
  }

  function present({ body, context, ...row }: StoredEvent): JsonText<Event> {
    const { rest, token } = contextOf(context);
    let json = body.slice(0, -1);
    if (row.token_id !== null) {
      const part = tokens.get(row.token_id) ?? tokenPart(true);
      json = addTo(json, json.lastIndexOf(TOKEN), TOKEN, token === '' ? part : `${part},${token}`);
    }
    json = addTo(json, json.indexOf(AUTHOR), AUTHOR, authors.get(row.author_id ?? '') ?? '');
    const end = rest === '' ? '' : `,${rest}`;
    return `${json}${end},"seq":${row.seq},"prevHash":"${row.prev_hash}","hash":"${row.hash}"}`;
  }

  return async (rows: readonly StoredEvent[]): Promise<JsonText<Event>[]> => {
    await lookUp(rows);
    return rows.map(present);
  };
}

const unknown = (
  rows: readonly StoredEvent[],
  column: 'author_id' | 'token_id',
  known: ReadonlyMap<string, unknown>,
): string[] => [...new Set(rows.flatMap((row) => row[column] ?? []))].filter((id) => !known.has(id));

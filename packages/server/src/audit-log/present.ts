import type { AuditEvent } from '@moonbase/contract/audit-log/events';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { JsonText } from '../platform/http/json/text.ts';
import { memoize } from '../platform/memoize.ts';
import type { FormerContext } from './record.ts';
import { accountsAmong, type StoredEvent, tokensAmong } from './store.ts';

/** How an account looks: from accounts, which knows of this slice and not the other way round. */
export type AvatarUrl = (baseUrl: string, account: { id: string; avatar_url: string | null }) => string;

interface View {
  readonly executor: ReadExecutor;
  readonly baseUrl: string;
  readonly avatarUrl: AvatarUrl;
}

/** Events of the first version of the chain: the part of a context that an event shows at its end, as members of a JSON object, and the token's part of it. */
const contextOf = memoize(500, (text: string) => {
  const { token, ...rest } = JSON.parse(text) as FormerContext;
  const members = (object: object) => JSON.stringify(object).slice(1, -1);
  return { rest: members(rest), token: members(token ?? {}) };
});

/** Adds members at the begin of an object of which the text up to its brace is given. */
function addTo(json: string, at: number, opening: string, members: string): string {
  const from = at + opening.length;
  return `${json.slice(0, from)}${members},${json.slice(from)}`;
}

/*
 * The bodies of events are canonical JSON, so what is shown beside them is put between: the author is their second
 * member, after an id, and no object later than the token's is called that; a text that says so has its quotes escaped. Taken apart and serialised again an export
 * costs twice as much.
 */
const AUTHOR = '"author":{';
const TOKEN = '"token":{';

/**
 * Makes events as they stand on the wire, as JSON, with what is true of their authors and tokens by now, which is looked
 * up once for all that one such function is given.
 */
export function createPresenter({ executor, baseUrl, avatarUrl }: View) {
  const authors = new Map<string, string>();
  const tokens = new Map<string, string>();

  const authorPart = (id: string, url: string | null) => {
    const part = { avatarUrl: url ?? avatarUrl(baseUrl, { id, avatar_url: null }), type: 'user' };
    return JSON.stringify(url === null ? { ...part, deleted: true } : part).slice(1, -1);
  };
  const tokenPart = (deleted: boolean) => `"type":"access_token","deleted":${deleted}`;

  async function lookUp(rows: readonly StoredEvent[]): Promise<void> {
    const unknownAuthors = unknown(rows, 'author_id', authors);
    const unknownTokens = unknown(rows, 'token_id', tokens);
    for (const id of unknownAuthors) authors.set(id, authorPart(id, null));
    for (const id of unknownTokens) tokens.set(id, tokenPart(true));
    if (unknownAuthors.length > 0)
      for (const account of await accountsAmong(executor, unknownAuthors))
        authors.set(account.id, authorPart(account.id, avatarUrl(baseUrl, account)));
    if (unknownTokens.length > 0)
      for (const { id } of await tokensAmong(executor, unknownTokens)) tokens.set(id, tokenPart(false));
  }

  function present({ body, context, ...row }: StoredEvent): JsonText<AuditEvent> {
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

  return async (rows: readonly StoredEvent[]): Promise<JsonText<AuditEvent>[]> => {
    await lookUp(rows);
    return rows.map(present);
  };
}

const unknown = (
  rows: readonly StoredEvent[],
  column: 'author_id' | 'token_id',
  known: ReadonlyMap<string, unknown>,
): string[] => [...new Set(rows.map((row) => row[column]))].filter((id) => id !== null && !known.has(id)) as string[];

import { AUDIT_EVENT_TYPES, type AuditEventType, type SiteEventType } from '@moonbase/contract/audit-log/event-types';
import { badRequest } from '../platform/http/errors.ts';
import { ipAddress } from './address.ts';

type AnyType = AuditEventType | SiteEventType;

/** A filter on one key: any value in `is` (if not empty), and none in `not`. */
export interface Choice<Value> {
  readonly is: readonly Value[];
  readonly not: readonly Value[];
}

/** A parsed query: authors by lower-case name, addresses in stored form, families resolved to their types. */
export interface AuditQuery {
  readonly author: Choice<string>;
  readonly ip: Choice<string>;
  readonly type: Choice<AnyType>;
}

const TERM = /\s*(-?)(author|ip|type):(?:"([^"]*)"|([^\s"]+))(?=\s|$)/y;

/** Parses the `q` of an audit log with these types of events; throws 400 that names the first invalid term. */
export function parseAuditQuery(q = '', types: readonly AnyType[] = AUDIT_EVENT_TYPES): AuditQuery {
  const query = { author: noConditions<string>(), ip: noConditions<string>(), type: noConditions<AnyType>() };
  const text = q.trimEnd();
  for (let at = 0; at < text.length; at = TERM.lastIndex) {
    TERM.lastIndex = at;
    const [, minus, key, quoted, plain = ''] = TERM.exec(text) ?? [];
    if (key === undefined) throw unreadable(text.slice(at).trim());
    const side = minus === '-' ? 'not' : 'is';
    const value = quoted ?? plain;
    switch (key) {
      case 'author':
        query.author[side].push(authorKey(value));
        break;
      case 'ip':
        query.ip[side].push(parseAddress(value));
        break;
      case 'type':
        query.type[side].push(...typesOf(value, types));
        break;
    }
  }
  return query;
}

const noConditions = <Value>(): { is: Value[]; not: Value[] } => ({ is: [], not: [] });

function authorKey(value: string): string {
  if (value.trim() === '') throw badRequest('query.q: author: must be followed by a name');
  return value.toLowerCase();
}

function parseAddress(value: string): string {
  const address = ipAddress(value);
  if (address === undefined) throw badRequest('query.q: ip: must be followed by an IP address');
  return address;
}

/** Returns one type, or all types of a family (`family.*`). */
function typesOf(value: string, all: readonly AnyType[]): AnyType[] {
  const family = value.endsWith('.*') ? value.slice(0, -1) : undefined;
  const types = all.filter((type) => (family === undefined ? type === value : type.startsWith(family)));
  if (types.length === 0)
    throw badRequest(`query.q: type: must be followed by a type of event, as in ${exampleOf(all)}`);
  return types;
}

/** Returns a term with a type, and one with its family. */
function exampleOf(types: readonly AnyType[]): string {
  const type = types.find((each) => each.endsWith('.create')) ?? '';
  return `type:${type} or type:${type.split('.')[0]}.*`;
}

const unreadable = (rest: string) =>
  badRequest(
    `query.q: must be terms such as author:ada, ip:127.0.0.1, type:repo.create or -type:repo.*, not ${rest.slice(0, 40)}`,
  );

import { AUDIT_EVENT_TYPES } from '@moonbase/contract/audit-log/event-types';
import { describe, expect, test } from 'vitest';
import { HubError } from '../platform/http/errors.ts';
import { parseAuditQuery } from './query.ts';

const family = (prefix: string) => AUDIT_EVENT_TYPES.filter((type) => type.startsWith(prefix));
const NOTHING = { is: [], not: [] };

describe('the parameter q is accepted:', () => {
  test.each<[string | undefined, Partial<ReturnType<typeof parseAuditQuery>>]>([
    [undefined, {}],
    ['', {}],
    ['   ', {}],
    ['author:huggingface', { author: { is: ['huggingface'], not: [] } }],
    ['author:Ada', { author: { is: ['ada'], not: [] } }],
    ['author:"Ada"', { author: { is: ['ada'], not: [] } }],
    ['author:"ada b"', { author: { is: ['ada b'], not: [] } }],
    ['author:ada author:bob', { author: { is: ['ada', 'bob'], not: [] } }],
    ['-author:ada', { author: { is: [], not: ['ada'] } }],
    ['-author:"ada b"', { author: { is: [], not: ['ada b'] } }],
    ['author:a:b', { author: { is: ['a:b'], not: [] } }],
    ['author:-ada', { author: { is: ['-ada'], not: [] } }],
    ['ip:127.0.0.0', { ip: { is: ['127.0.0.0'], not: [] } }],
    ['ip:::ffff:10.0.0.1', { ip: { is: ['10.0.0.1'], not: [] } }],
    ['ip:2001:DB8:0::1', { ip: { is: ['2001:db8::1'], not: [] } }],
    ['-ip:::1', { ip: { is: [], not: ['::1'] } }],
    ['type:repo.create', { type: { is: ['repo.create'], not: [] } }],
    ['type:"repo.create"', { type: { is: ['repo.create'], not: [] } }],
    ['type:repo.*', { type: { is: family('repo.'), not: [] } }],
    ['type:org.invite.*', { type: { is: ['org.invite.accept', 'org.invite.email'], not: [] } }],
    ['  type:org.*\t-type:org.create ', { type: { is: family('org.'), not: ['org.create'] } }],
    [
      'author:ada type:repo.create -ip:10.0.0.1',
      {
        author: { is: ['ada'], not: [] },
        type: { is: ['repo.create'], not: [] },
        ip: { is: [], not: ['10.0.0.1'] },
      },
    ],
  ])('%j', (q, expected) => {
    expect(parseAuditQuery(q)).toEqual({ author: NOTHING, ip: NOTHING, type: NOTHING, ...expected });
  });

  test('a hundred terms of one key', () => {
    const names = Array.from({ length: 100 }, (_, at) => `u${at}`);
    expect(parseAuditQuery(names.map((name) => `author:${name}`).join(' ')).author.is).toEqual(names);
  });
});

describe('the parameter q is refused:', () => {
  test.each([
    'ada',
    'author',
    'author:',
    'author: ada',
    'author:""',
    'author:" "',
    'author:"ada',
    'author:ada"',
    'author:"ada"bob',
    'author:ada,bob"c"',
    'author:ada OR author:bob',
    'actor:ada',
    'Author:ada',
    '--author:ada',
    '- author:ada',
    '+author:ada',
    '(author:ada)',
    'ip:localhost',
    'ip:10.0.0.*',
    'ip:10.0.0.0/8',
    'ip:256.1.1.1',
    'ip:""',
    'type:repo',
    'type:repo.',
    'type:repo.cre*',
    'type:*',
    'type:.*',
    'type:nothing.*',
    'type:repo.created',
    'type:REPO.CREATE',
    'type:repo.*.*',
    'created:2026-01-01',
    '"author:ada"',
    ':',
    '-',
    '%',
  ])('%j', (q) => {
    expect(() => parseAuditQuery(q)).toThrow(HubError);
  });
});

import { describe, expect, test } from 'vitest';
import type { Filter } from './filter.ts';
import { parseFilter } from './parse.ts';

const eq = (path: string, value: string | boolean | null = 'x'): Filter => ({ op: 'eq', path, value });
const pr = (path: string): Filter => ({ op: 'pr', path });
const and = (...filters: Filter[]): Filter => ({ op: 'and', filters });
const or = (...filters: Filter[]): Filter => ({ op: 'or', filters });
const not = (filter: Filter): Filter => ({ op: 'not', filter });
const any = (path: string, filter: Filter): Filter => ({ op: 'any', path, filter });

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

test.each<[text: string, filter: Filter]>([
  ['userName eq "x"', eq('userName')],
  ['USERNAME Eq "x"', eq('userName')],
  ["userName eq 'x'", eq('userName')],
  ['userName eq Bob', eq('userName', 'Bob')],
  ['userName eq bob.o-b+1@example.com', eq('userName', 'bob.o-b+1@example.com')],
  ['  userName   eq\t"x"  ', eq('userName')],
  [`${USER}:userName eq "x"`, eq('userName')],
  [`${USER.toUpperCase()}:NAME.FAMILYNAME eq "x"`, eq('name.familyName')],
  ['userName eq "a\\"b\\\\c\\u0041"', eq('userName', 'a"b\\cA')],
  ["userName eq 'a\\'b'", eq('userName', "a'b")],
  ['userName eq "and (not) or"', eq('userName', 'and (not) or')],
  ['userName eq 7', eq('userName', '7')],
  ['userName eq true', eq('userName', 'true')],
  ['userName eq "null"', eq('userName', 'null')],
  ['externalId eq null', eq('externalId', null)],
  ['active eq true', eq('active', true)],
  ['active eq "False"', eq('active', false)],
  ['emails eq "x"', eq('emails.value')],
  ['emails.type eq "work"', eq('emails.type', 'work')],
  ['emails[type eq "work" and value eq "x"]', any('emails', and(eq('emails.type', 'work'), eq('emails.value')))],
  ['emails[type eq "work"].value eq "x"', any('emails', and(eq('emails.type', 'work'), eq('emails.value')))],
  ['emails[not (type eq "work")]', any('emails', not(eq('emails.type', 'work')))],
  ['emails pr', pr('emails.value')],
  ['name pr', or(pr('name.formatted'), pr('name.familyName'), pr('name.givenName'))],
  ['meta.created gt "2026-01-31T12:00:00Z"', { op: 'gt', path: 'meta.created', value: '2026-01-31T12:00:00.000Z' }],
  [
    'meta.lastModified le "2026-01-31T12:00:00.5+02:00"',
    { op: 'le', path: 'meta.lastModified', value: '2026-01-31T10:00:00.500Z' },
  ],
  ['externalId eq "x" and userName eq "x"', and(eq('externalId'), eq('userName'))],
  ['id pr or externalId pr and userName pr', or(pr('id'), and(pr('externalId'), pr('userName')))],
  ['(id pr or externalId pr) and userName pr', and(or(pr('id'), pr('externalId')), pr('userName'))],
  ['id pr and externalId pr and userName pr', and(pr('id'), pr('externalId'), pr('userName'))],
  ['not(id pr) and not (active eq true)', and(not(pr('id')), not(eq('active', true)))],
  ['NOT (id pr OR active EQ true)', not(or(pr('id'), eq('active', true)))],
  ['((id pr))', pr('id')],
  // Attributes of RFC 7643 or of an extension that the hub does not keep.
  ['title pr and userType eq "Employee"', and(pr('title'), eq('usertype', 'Employee'))],
  [`${ENTERPRISE}:employeeNumber eq "7"`, eq(`${ENTERPRISE}:employeeNumber`.toLowerCase(), '7')],
  ['phoneNumbers[type eq "work"].value eq "7"', any('', and(eq('type', 'work'), eq('value', '7')))],
])('the filter %s is parsed', (text, filter) => {
  expect(parseFilter('User', text)).toEqual(filter);
});

test('filters of groups have the attributes of groups', () => {
  expect(parseFilter('Group', 'displayName eq "x" and members[value eq "x"]')).toEqual(
    and(eq('displayName'), any('members', eq('members.value'))),
  );
});

describe('a filter is refused:', () => {
  test.each([
    [''],
    ['userName'],
    ['userName eq'],
    ['userName is "x"'],
    ['userName eq "x'],
    ["userName eq 'x"],
    ['userName eq "\\q"'],
    ['userName eq "\\u0000"'],
    ['userName eq "\\ud800"'],
    ['userName eq "x" userName pr'],
    ['userName eq "x" and'],
    ['and userName pr'],
    ['(userName pr'],
    ['userName pr)'],
    ['not userName pr'],
    ['not (userName pr'],
    ['usrName eq "x"'],
    ['name.middle eq "x"'],
    ['name.givenName.first eq "x"'],
    ['name eq "x"'],
    ['name[givenName eq "x"]'],
    ['emails[type eq "work"'],
    ['emails[]'],
    ['emails[userName eq "x"]'],
    ['emails[type eq "work"].nothing eq "x"'],
    ['emails[emails[type eq "work"]]'],
    ['emails.value[type eq "work"]'],
    ['active eq "yes"'],
    ['active gt true'],
    ['active co true'],
    ['externalId gt null'],
    ['meta.created gt "yesterday"'],
    ['meta.created gt "2026-13-31T12:00:00Z"'],
    ['meta.created co "2026"'],
    ['userName eq "x"; drop table accounts'],
    ['member pr'],
  ])('%s', (text) => {
    expect(() => parseFilter('User', text)).toThrow(
      expect.objectContaining({ status: 400, extra: { fields: { scimType: 'invalidFilter' } } }),
    );
  });

  test.each([
    ['too many parentheses', `${'('.repeat(20_000)}id pr${')'.repeat(20_000)}`, /nested/],
    ['too many negations', `${'not ('.repeat(20_000)}id pr${')'.repeat(20_000)}`, /nested/],
    ['too many terms', Array(51).fill('id pr').join(' or '), /50 terms/],
  ])('%s', (_title, text, message) => {
    expect(() => parseFilter('User', text)).toThrow(message);
  });
});

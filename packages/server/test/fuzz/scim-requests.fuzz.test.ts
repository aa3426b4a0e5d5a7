import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newUser, startScim } from '../scim-fixture.ts';

const RUNS = { numRuns: Number(process.env.MOONBASE_FUZZ_RUNS ?? 1000) };

const path = fc.constantFrom(
  'userName',
  'USERNAME',
  'externalId',
  'active',
  'name',
  'name.givenName',
  'name.formatted',
  'displayName',
  'emails',
  'emails[type eq "work"].value',
  "emails[type eq 'home']",
  'emails.value',
  'members',
  'members[value eq "x"]',
  'id',
  'meta.created',
  'schemas',
  'nonsense',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName',
  '',
  'a[',
  '[]',
  '..',
);
const value = fc.oneof(
  fc.constantFrom('True', 'False', 'a@b.test', '', 'x'.repeat(300), 'ada', '\u0001', '😀'),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.string(),
  fc.array(fc.record({ value: fc.oneof(fc.string(), fc.constant(null)), type: fc.constantFrom('work', 'home') }), {
    maxLength: 3,
  }),
  fc.record(
    { 'name.givenName': fc.string(), active: fc.constantFrom('true', false, 7), userName: fc.string() },
    { requiredKeys: [] },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const operation = fc.record(
  { op: fc.oneof(fc.constantFrom('add', 'Replace', 'REMOVE', 'move'), fc.string()), path, value },
  { requiredKeys: ['op'] },
);
const filter = fc.oneof(
  fc
    .tuple(
      path,
      fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'le', 'PR', 'xx'),
      fc.oneof(fc.string(), fc.constant('"a"'), fc.constant('true')),
    )
    .map((parts) => parts.join(' ')),
  fc.string(),
);

test('no request causes a server error, and refused requests change nothing', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const { id } = (await scim('POST /Users', newUser('grace'))).body;
  const group = (await scim('POST /Groups', { displayName: 'Staff', members: [{ value: id }] })).body.id;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(`/Users/${id}`, `/Groups/${group}`),
      fc.array(operation, { maxLength: 3 }),
      async (at, Operations) => {
        const before = (await scim(`GET ${at}`)).body;
        const answer = await scim(`PATCH ${at}`, {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations,
        });
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 400) expect((await scim(`GET ${at}`)).body).toEqual(before);
      },
    ),
    RUNS,
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('Users', 'Groups'), filter, fc.string(), async (kind, text, start) => {
      const query = new URLSearchParams({ filter: text.replaceAll('\0', ''), startIndex: start.replaceAll('\0', '') });
      const { status } = await scim(`GET /${kind}?${query.toString()}`);
      expect(status).toBeLessThan(500);
    }),
    RUNS,
  );
});

import { expect, test } from 'vitest';
import { type Conversation, ERROR, type Step } from './scim-conversations/conversation.ts';
import { ENTRA } from './scim-conversations/entra.ts';
import { OKTA } from './scim-conversations/okta.ts';
import { type ScimAnswer, startScim } from './scim-fixture.ts';

const LAST_OWNER: Conversation = {
  provider: 'any provider',
  steps: [
    { says: 'who is there', send: 'GET /Users', status: 200, keep: { ada: 'Resources.0.id' } },
    {
      says: 'E16: the last owner is deactivated',
      send: 'PATCH /Users/{ada}',
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'active', value: false }],
      },
      status: 409,
      has: { schemas: [ERROR], status: '409' },
    },
    { says: 'E16: and stays', send: 'GET /Users/{ada}', status: 200, has: { active: true } },
  ],
};

/** Returns the value at a dotted path. */
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], value);

test.each([...OKTA, ...ENTRA, LAST_OWNER])('$provider', async ({ steps }) => {
  await using fixture = await startScim();
  const kept: Record<string, string> = {};
  const filled = <T>(value: T): T =>
    value === undefined
      ? value
      : (JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (all, name: string) => kept[name] ?? all)) as T);
  for (const step of steps) {
    const { says, send, body, headers, keep = {} } = filled(step);
    const answer = await fixture.scim(send, body, headers);
    hold(says, filled(step), answer);
    for (const [name, path] of Object.entries(keep)) kept[name] = String(at(answer.body, path));
  }
});

function hold(says: string, { status, has, lacks = [] }: Step, answer: ScimAnswer): void {
  expect([says, answer.status, answer.status === status ? undefined : answer.body]).toEqual([says, status, undefined]);
  const type = answer.headers.get('content-type');
  expect([says, type]).toEqual([says, status === 204 ? null : 'application/scim+json; charset=utf-8']);
  if (status === 204) expect(answer.body).toBeUndefined();
  if (status >= 400) expect(answer.body.schemas).toEqual([ERROR]);
  if (has) expect([says, answer.body]).toMatchObject([says, has]);
  for (const path of lacks) expect([says, path, at(answer.body, path)]).toEqual([says, path, undefined]);
}

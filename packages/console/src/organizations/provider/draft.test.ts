import { expect, test } from 'vitest';
import { draftOf, providerOf } from './draft.ts';

const SETTINGS = {
  ...{ issuer: 'https://login.acme.com', clientId: 'moonbase', scopes: 'openid' },
  ...{ subjectClaim: 'oid', usernameClaim: 'upn', groupsClaim: 'realm_access.roles' },
  ...{ allowedDomains: ['acme.com', 'acme.org'], allowedGroups: ['staff'], createUsers: true, defaultRole: 'write' },
  roleMapping: [{ group: 'owners', role: 'admin' }],
  resourceGroupMapping: [{ group: 'painters', role: 'write', resourceGroupId: 'a'.repeat(24) }],
};
const SHOWN = { hasSecret: true, updatedAt: '', callbackUrl: '', logoutUrl: '', signInUrl: '' };

test('saving an unedited provider sends the same settings and leaves its secret alone', () => {
  expect(providerOf(draftOf({ ...SETTINGS, ...SHOWN }))).toEqual(SETTINGS);
});

test('a typed secret is sent, and a removed one is sent as null', () => {
  const draft = { ...draftOf(null), secret: 'hush' };
  expect(providerOf(draft)).toMatchObject({ clientSecret: 'hush' });
  expect(providerOf({ ...draft, dropsSecret: true })).toMatchObject({ clientSecret: null });
});

test('blank lines, spaces around names and rows without a group are left out', () => {
  const mapping = [
    { key: 0, group: ' owners ', role: 'admin', resourceGroupId: null },
    { key: 1, group: '', role: 'read', resourceGroupId: null },
  ];
  expect(providerOf({ ...draftOf(null), domains: ' acme.com \n\nacme.org', mapping })).toMatchObject({
    allowedDomains: ['acme.com', 'acme.org'],
    roleMapping: [{ group: 'owners', role: 'admin' }],
  });
});

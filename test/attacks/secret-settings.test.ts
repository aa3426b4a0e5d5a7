import { listHubSettings } from '@moonbase/client/admin';
import { describe, expect, test } from 'vitest';
import { Settings } from '../../packages/server/src/config/groups.ts';
import { listSettings } from '../../packages/server/src/config/setting.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { ask } from '../../packages/server/test/ask.ts';
import { startHub } from '../../packages/server/test/harness.ts';

/*
 * A site administrator, or whoever has a token of one that only reads, looks for the secrets of the hub in the list of its
 * settings.
 */

const MARKER = 'hushhushhushhushhushhushhushhushhush';

/** Every secret setting, with the marker where the secret is. */
const SECRETS: Readonly<Record<string, string>> = {
  MOONBASE_ADMIN_TOKEN: `hf_${MARKER}`,
  MOONBASE_DATABASE_URL: `postgres://hub:${MARKER}@db.example.com/hub`,
  MOONBASE_SECRET_KEY: MARKER,
  MOONBASE_SECRET_KEY_OLD: `${MARKER}-old`,
  MOONBASE_S3_ACCESS_KEY: `id-${MARKER}`,
  MOONBASE_S3_SECRET_KEY: `key-${MARKER}`,
  MOONBASE_BACKUP_S3_ACCESS_KEY: `id-${MARKER}`,
  MOONBASE_BACKUP_S3_SECRET_KEY: `key-${MARKER}`,
  MOONBASE_UPSTREAM_TOKEN: `hf_${MARKER}`,
  MOONBASE_OIDC_CLIENT_SECRET: MARKER,
  MOONBASE_SMTP_URL: `smtps://hub:${MARKER}@mail.example.com`,
  MOONBASE_AUDIT_SINK: `https://logs.example.com/${MARKER}?key=${MARKER}`,
  // A kubeconfig, which belongs into a file: nothing reads it as long as another runner is chosen.
  MOONBASE_KUBERNETES: `users: [{ name: hub, user: { token: ${MARKER} } }]`,
};

/** What the secrets need beside them. */
const BESIDE = {
  MOONBASE_S3_ENDPOINT: 'https://s3.example.com',
  MOONBASE_S3_BUCKET: 'hub',
  MOONBASE_UPSTREAM_URL: 'https://hub.example.com',
  MOONBASE_OIDC_ISSUER: 'https://login.example.com',
  MOONBASE_OIDC_CLIENT_ID: 'hub',
  MOONBASE_MAIL_FROM: 'hub@example.com',
};

/** Forms in which an operator may write a credential where none belongs. */
const CREDENTIALS = [
  `https://hub:${MARKER}@example.com/`,
  `https://${MARKER}@example.com`,
  `https://example.com/?token=${MARKER}`,
  `https://example.com/#${MARKER}`,
  `postgres://hub:${MARKER}@db.example.com/hub`,
  `s3://hub:${MARKER}@s3.example.com/bucket`,
  `tcp://hub:${MARKER}@engine:2376`,
  `unix:///run/engine.sock?key=${MARKER}`,
];

const declared = listSettings(Settings);
const settingsIn = (environment: Readonly<Record<string, string>>) => readConfig(environment).settingsInForce;

test('every setting with the name of a secret is declared as one, and so is every address that may have a password', () => {
  const looksSecret = declared.filter(({ name }) => /KEY|SECRET|TOKEN|PASS|CREDENTIAL|AUTH|_URL$|SINK/.test(name));
  // Numbers, and addresses that are refused with a user or a query, or not shown with one.
  const open = ['MOONBASE_DOCKER_URL', 'MOONBASE_MAX_TOKENS', 'MOONBASE_PASSWORD_MIN'];
  const found = looksSecret.filter(({ isSecret }) => !isSecret).map(({ name }) => name);
  expect(found.sort()).toEqual([...open, 'MOONBASE_PUBLIC_URL', 'MOONBASE_UPSTREAM_URL']);
  const secret = declared.filter(({ isSecret }) => isSecret).map(({ name }) => name);
  expect(secret.sort()).toEqual(Object.keys(SECRETS).sort());
});

test('no secret is in the list, in no form, when all of them are set', () => {
  const settings = settingsIn({ ...BESIDE, ...SECRETS });
  expect(JSON.stringify(settings)).not.toContain('hush');
  for (const name of Object.keys(SECRETS))
    expect(settings.find((each) => each.name === name)).toMatchObject({
      isSecret: true,
      isSet: true,
      value: undefined,
    });
});

test('secrets of any length look alike', () => {
  const shapeOf = (secret: string) => JSON.stringify(settingsIn({ MOONBASE_OIDC_CLIENT_SECRET: secret }));
  expect(shapeOf('x')).toBe(shapeOf(MARKER.repeat(100)));
});

/** Returns the list as JSON, or undefined if the hub refuses to start. */
function listWith(environment: Readonly<Record<string, string>>): string | undefined {
  try {
    return JSON.stringify(settingsIn({ ...BESIDE, ...SECRETS, ...environment }));
  } catch (error) {
    expect(String(error)).toMatch(/^Error: The settings are wrong:/);
    return undefined;
  }
}

describe('a credential in a setting that is not for secrets', () => {
  const written = [...CREDENTIALS, ...CREDENTIALS.map((each) => `  ${each}\t`)];

  test.each(declared.map(({ name }) => name))('is refused, or not shown: %s', (name) => {
    for (const value of written) expect(listWith({ [name]: value }) ?? '').not.toContain('hush');
  });

  test('is refused where an address or a number belongs, and taken where any text does', () => {
    const accepts = (name: string) => written.filter((value) => listWith({ [name]: value }) !== undefined).length;
    expect(['MOONBASE_PORT', 'MOONBASE_PUBLIC_URL', 'MOONBASE_S3_ENDPOINT'].map(accepts)).toEqual([0, 0, 0]);
    expect(['MOONBASE_DATA_DIR', 'MOONBASE_OIDC_NAME'].map(accepts)).toEqual([written.length, written.length]);
  });

  test('is not shown where it comes from DOCKER_HOST', () => {
    expect(listWith({ DOCKER_HOST: `tcp://hub:${MARKER}@engine:2376` })).not.toContain('hush');
  });
});

test('a running hub keeps its secrets to itself, and the settings from strangers and users', async () => {
  await using hub = await startHub({
    ...{ MOONBASE_SECRET_KEY: MARKER, MOONBASE_AUDIT_SINK: `https://127.0.0.1:1/${MARKER}` },
    ...{ MOONBASE_OIDC_ISSUER: 'https://127.0.0.1:1', MOONBASE_OIDC_CLIENT_ID: 'hub' },
    ...{ MOONBASE_OIDC_CLIENT_SECRET: MARKER, MOONBASE_SMTP_URL: `smtp://hub:${MARKER}@127.0.0.1:1` },
    ...{ MOONBASE_MAIL_FROM: 'hub@example.com', MOONBASE_NO_SUCH_SETTING: MARKER },
  });
  await hub.people('ada');
  const settings = await listHubSettings(hub.admin);
  expect(JSON.stringify(settings)).not.toContain('hush');
  expect(settings.filter(({ isSecret, isSet }) => isSecret && isSet).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['MOONBASE_SECRET_KEY', 'MOONBASE_AUDIT_SINK', 'MOONBASE_SMTP_URL']),
  );
  for (const caller of [{ hubUrl: hub.url }, hub.as('ada')]) {
    const answer = await ask(caller, 'GET /api/admin/settings');
    expect([401, 403]).toContain(answer.status);
    expect(await answer.text()).not.toMatch(/MOONBASE_|value/);
  }
});

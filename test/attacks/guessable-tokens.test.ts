import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../packages/server/src/config.ts';
import { createHub } from '../../packages/server/src/hub.ts';
import { PUBLISHED_TOKENS } from '../../packages/server/src/platform/weak-tokens.ts';
import { ask } from '../../packages/server/test/ask.ts';
import { startHub } from '../../packages/server/test/harness.ts';
import { createTestDatabase } from '../../packages/server/test/test-database.ts';

/**
 * An attacker tries the tokens of the documentation, and short ones. The operator learns of each before a stranger
 * does.
 */

const [PUBLISHED] = PUBLISHED_TOKENS;
const STRONG = 'hf_Q7xWm2Zt9LkPv4RbNc8JdYhGs5TfEa3U';
const OUTSIDE = [
  { MOONBASE_HOST: '0.0.0.0' },
  { MOONBASE_PUBLIC_URL: 'https://hub.example' },
  { MOONBASE_TRUSTED_PROXIES: '10.0.0.0/8' },
];

test.each([...PUBLISHED_TOKENS, 'hf_12345678', `hf_${'a'.repeat(40)}`, `hf_${'ab12'.repeat(10)}`, STRONG.slice(0, 34)])(
  'a hub that others can reach refuses a guessable administrator token: %s',
  (MOONBASE_ADMIN_TOKEN) => {
    for (const settings of OUTSIDE) {
      const reading = () => readConfig({ MOONBASE_ADMIN_TOKEN, ...settings });
      expect(reading).toThrow(/MOONBASE_ADMIN_TOKEN: must be hf_ and at least 32 random letters and digits/);
      expect(reading).not.toThrow(MOONBASE_ADMIN_TOKEN);
    }
    // A hub on the loopback interface takes the token, for tests and first steps, with a warning.
    const { warnings } = readConfig({ MOONBASE_ADMIN_TOKEN });
    expect(warnings).toEqual([expect.stringMatching(/^MOONBASE_ADMIN_TOKEN can be guessed/)]);
    expect(warnings.join()).not.toContain(MOONBASE_ADMIN_TOKEN);
  },
);

test('a token of full length is accepted without a warning', () => {
  for (const settings of [{}, ...OUTSIDE])
    expect(readConfig({ MOONBASE_ADMIN_TOKEN: STRONG, ...settings }).warnings).toEqual([]);
});

test('a start names the users whose tokens are published in the documentation', async () => {
  await using database = await createTestDatabase();
  const settings = { MOONBASE_PORT: '0', MOONBASE_ADMIN_TOKEN: PUBLISHED, ...database.environment };
  const hub = await createHub(readConfig(settings), { background: false, logger: pino({ level: 'silent' }) });
  try {
    expect(await hub.holdersOfPublishedTokens()).toEqual([]);
    await hub.prepare();
    expect(await hub.holdersOfPublishedTokens()).toEqual(['admin']);
  } finally {
    await hub.stop();
  }
});

test('a hub document with a short token causes a warning that does not repeat the token', async () => {
  await using hub = await startHub();
  const token = (name: string, text?: string) => ({ name, role: 'read', ...(text && { token: text }) });
  const document = {
    users: [{ name: 'alice', tokens: [token('laptop', PUBLISHED), token('phone', STRONG), token('tablet')] }],
  };
  for (const time of ['made', 'given again']) {
    const answer = await ask(hub.admin, 'PUT /api/admin/hub', document);
    const { warnings, newTokens } = (await answer.json()) as { warnings: string[]; newTokens: { token: string }[] };
    expect([time, warnings]).toEqual([time, [expect.stringMatching(/^The token laptop of alice can be guessed/)]]);
    expect(warnings.join()).not.toContain(PUBLISHED);
    for (const made of newTokens) expect(made.token).toMatch(/^hf_[0-9A-Za-z]{32,}$/);
  }
});

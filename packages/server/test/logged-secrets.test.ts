import { createUserLink } from '@moonbase/client/authentication';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { startHub, tokenOf } from './harness.ts';
import { keepingLogger } from './logged-lines.ts';
import { openProgram, sendForm } from './oauth-programs.ts';
import { plainHashing } from './plain-hashing.ts';
import { PASSWORD, withPassword } from './signed-in.ts';
import { totpCode } from './totp-code.ts';

test('row 28: the log contains no password, code, token or cookie, whatever succeeds or fails', async () => {
  const { lines, logger } = keepingLogger('trace');
  await using hub = await startHub({}, { hashing: plainHashing, logger });
  await hub.people('ada');
  const secrets = new Set<string>([PASSWORD, tokenOf('ada'), hub.admin.accessToken]);
  const { url } = await createUserLink({ ...hub.admin, username: 'ada', purpose: 'invite' });
  const code = new URL(url).pathname.replace('/join/', '');
  secrets.add(code);
  const ada = await withPassword(hub, 'ada');
  for (const value of ada.cookies.values()) secrets.add(value);
  const anybody = openBrowser(hub);
  await anybody.ask(`GET /api/links/${code}`);
  await anybody.ask(`POST /api/links/${code}`, { password: 'a wrong password for a link' });
  await anybody.ask('POST /api/sign-in', { name: 'ada', password: 'a wrong password of ada' });
  await anybody.ask('POST /api/sign-in/token', { token: 'hf_nobodyHasThisTokenHere' });
  for (const text of ['a wrong password', 'hf_nobodyHasThisTokenHere']) secrets.add(text);

  const begun = await ada.ask('POST /api/settings/second-factors', {});
  const totp = totpCode(begun.body.uri, hub.clock.now());
  const { body } = await ada.ask('POST /api/settings/second-factors/confirm', { code: totp });
  for (const text of [begun.body.secret, ...body.recoveryCodes]) secrets.add(text);
  await anybody.ask('POST /api/sign-in', { name: 'ada', password: PASSWORD });
  for (const value of anybody.cookies.values()) secrets.add(value);
  await anybody.ask('POST /api/sign-in/second-factor', { code: body.recoveryCodes[0] });
  for (const value of anybody.cookies.values()) secrets.add(value);

  const program = await openProgram(hub);
  secrets.add(program.begun.device_code).add(program.userCode);
  await program.poll();
  await ada.ask('POST /api/oauth/device/decision', { userCode: program.userCode, decision: 'allow' });
  hub.clock.advance(10_000);
  const { body: tokens } = await program.poll();
  secrets.add(tokens.access_token).add(tokens.refresh_token);
  for (let time = 0; time < 3; time++) await program.refresh(tokens.refresh_token);
  await sendForm(hub, '/oauth/token', { grant_type: 'authorization_code', code: 'a code that never was', state: 'x' });
  await fetch(`${hub.url}/oauth/authorize?client_id=x&state=a%20secret%20state&code=a%20code%20in%20an%20address`);
  for (const text of ['a code that never was', 'secret%20state', 'code%20in%20an%20address']) secrets.add(text);
  await hub.drain();
  const log = lines.join('');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5);
    expect(log.includes(secret), secret).toBe(false);
  }
});

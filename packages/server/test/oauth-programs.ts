import type { TestHub } from './harness.ts';

/** The client id of `hf auth login`. */
export const COMMAND_LINE_ID = '26be6b09-91c5-47da-9861-d2d2bb7a7e36';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Sends a form as programs do; returns the status and the body. */
export async function sendForm(
  hub: Pick<TestHub, 'url'>,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await fetch(hub.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every form.
  return { status: answer.status, body: (await answer.json()) as any, headers: answer.headers };
}

/** Opens a program that logs in with a code, requests tokens, and renews them. */
export async function openProgram(hub: TestHub, clientId = COMMAND_LINE_ID) {
  const { body: begun } = await sendForm(hub, '/oauth/device', { client_id: clientId });
  const token = (fields: Readonly<Record<string, string>>) =>
    sendForm(hub, '/oauth/token', { client_id: clientId, ...fields });
  return {
    begun,
    userCode: begun.user_code as string,
    poll: () => token({ grant_type: DEVICE_GRANT, device_code: begun.device_code }),
    refresh: (refreshToken: string) => token({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}

/** Returns the hub's description of the holder of a token. */
export async function whoIs(hub: Pick<TestHub, 'url'>, token: string) {
  const answer = await fetch(`${hub.url}/api/whoami-v2`, { headers: { authorization: `Bearer ${token}` } });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every form.
  return { status: answer.status, body: (await answer.json()) as any };
}

import { endGrant, listGrants } from '@moonbase/client/applications';
import { disableUser } from '@moonbase/client/users';
import { openWebhookStream } from '@moonbase/client/webhook-streams';
import { expect, test } from 'vitest';
import { startHub, type TestHub } from './harness.ts';
import { openProgram, whoIs } from './oauth-programs.ts';
import { plainHashing } from './plain-hashing.ts';
import { withPassword } from './signed-in.ts';

/** Without a signal, streams check their caller only after 15 seconds. */
const SOON_MS = 12_000;

test.each<[string, string, (hub: TestHub) => Promise<unknown>]>([
  ['is disabled', 'access_denied', (hub) => disableUser({ ...hub.admin, username: 'ada' })],
  [
    'ends what programs may do',
    'invalid_grant',
    async (hub) => {
      for (const { id: grantId } of await listGrants(hub.as('ada'))) await endGrant({ ...hub.as('ada'), grantId });
    },
  ],
])(
  'row 29: when the user %s, the stream of a program ends at once, polls and refreshes are refused',
  async (_, polled, end) => {
    await using hub = await startHub({}, { hashing: plainHashing });
    await hub.people('ada');
    const browser = await withPassword(hub, 'ada');
    const program = await openProgram(hub);
    const other = await openProgram(hub);
    for (const { userCode } of [program, other])
      expect((await browser.ask('POST /api/oauth/device/decision', { userCode, decision: 'allow' })).status).toBe(200);
    const { body: tokens } = await program.poll();
    const own = hub.with(tokens.access_token);
    const { stream } = await openWebhookStream({ ...own, stream: {} });
    const answer = await fetch(`${hub.url}/api/settings/webhook-streams/${stream.id}`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(answer.status).toBe(200);
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const startedAt = performance.now();
    await end(hub);
    while (!(await reader.read()).done);
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    expect((await whoIs(hub, tokens.access_token)).status).toBe(401);
    expect((await other.poll()).body.error).toBe(polled);
    expect((await program.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  },
);

import { applyHub } from '@moonbase/client/admin';
import { createWebhook } from '@moonbase/client/webhooks';
import { createHub } from '@moonbase/server';
import { readConfig } from '@moonbase/server/config';
import { changes } from './changes.ts';
import { type Arrival, startReceiver } from './receiver.ts';

// The demo's hub keeps everything in memory, so its tokens and secret end with this process.
const TOKENS = { admin: 'hf_demoAdministrator', alice: 'hf_demoAlice000', bob: 'hf_demoBob00000' };
const SECRET = 'a secret between the hub and the receiver';
const PATIENCE_MS = 10_000;

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
const bold = (text: string) => paint(1, text);
const green = (text: string) => paint(32, text);
const red = (text: string) => paint(31, text);
const dim = (text: string) => paint(2, text);

const kindOf = ({ payload }: Arrival) => `${payload.event.scope}/${payload.event.action}`;

/** Describes a payload in one line. */
function gist({ payload }: Arrival): string {
  const parts = [
    payload.movedTo && `${payload.repo.name} is now ${payload.movedTo.name}`,
    ...(payload.updatedRefs ?? []).map(
      ({ ref, oldSha, newSha }) => `${ref} ${oldSha?.slice(0, 7) ?? 'nothing'} to ${newSha?.slice(0, 7) ?? 'nothing'}`,
    ),
    payload.updatedConfig && `settings ${JSON.stringify(payload.updatedConfig)}`,
    payload.discussion && `#${payload.discussion.num} "${payload.discussion.title}" (${payload.discussion.status})`,
    payload.comment && (payload.comment.hidden ? 'a hidden comment' : `"${payload.comment.content}"`),
  ];
  return parts.filter(Boolean).join(', ') || `${payload.repo.type} ${payload.repo.name}`;
}

async function waitFor(enough: () => boolean): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; !enough() && Date.now() < deadline; )
    await new Promise((resolve) => setTimeout(resolve, 5));
}

async function demo(): Promise<boolean> {
  const receiver = await startReceiver(SECRET);
  const hub = await createHub(
    readConfig({
      MOONBASE_PORT: '0',
      MOONBASE_DATA_DIR: ':memory:',
      MOONBASE_ADMIN_TOKEN: TOKENS.admin,
      MOONBASE_LOG_LEVEL: 'warn',
    }),
  );
  await hub.prepare();
  const hubUrl = await hub.start();
  console.log(`${bold('A hub')} in memory at ${hubUrl}, ${bold('a receiver')} at ${receiver.url}`);

  await applyHub({
    hubUrl,
    accessToken: TOKENS.admin,
    document: {
      users: [
        { name: 'alice', tokens: [{ name: 'demo', token: TOKENS.alice }] },
        { name: 'bob', tokens: [{ name: 'demo', token: TOKENS.bob }] },
      ],
      organizations: [
        {
          name: 'acme',
          fullname: 'Acme Space',
          members: [
            { user: 'alice', role: 'admin' },
            { user: 'bob', role: 'read' },
          ],
        },
      ],
    },
  });
  const alice = { hubUrl, accessToken: TOKENS.alice };
  const bob = { hubUrl, accessToken: TOKENS.bob };
  await createWebhook({
    ...alice,
    webhook: {
      url: receiver.url,
      secret: SECRET,
      watched: [
        { type: 'org', name: 'acme' },
        { type: 'user', name: 'alice' },
      ],
      domains: ['repo', 'discussion'],
    },
  });
  console.log('alice has a webhook that watches acme and herself.\n');

  let complete = true;
  for (const change of changes(alice, bob)) {
    const before = receiver.arrivals.length;
    const started = performance.now();
    await change.run();
    await waitFor(() => receiver.arrivals.length >= before + change.events.length);
    const arrived = receiver.arrivals.slice(before);
    const took = Math.round(performance.now() - started);
    const wanted = [...change.events].sort().join() === arrived.map(kindOf).sort().join();
    const good = wanted && arrived.every((arrival) => arrival.signed);
    complete &&= good;
    console.log(`${good ? green('ok') : red('MISSING')}  ${bold(change.says)} ${dim(`${took} ms`)}`);
    for (const arrival of arrived) console.log(`      ${kindOf(arrival).padEnd(26)} ${dim(gist(arrival))}`);
    if (!wanted) console.log(red(`      expected ${change.events.join(', ')}`));
  }
  await hub.stop();
  receiver.close();
  console.log(
    complete
      ? `\n${green(`All ${receiver.arrivals.length} deliveries arrived, each with a valid signature.`)}`
      : `\n${red('Something did not arrive.')}`,
  );
  return complete;
}

process.exitCode = (await demo()) ? 0 : 1;

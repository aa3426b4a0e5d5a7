// Tells a Slack channel of discussions:
// `WEBHOOK_SECRET=… SLACK_WEBHOOK_URL=https://hooks.slack.com/… node examples/slack-notifier.mjs [port]`.
import { createReceiver } from '@moonbase/receiver';
import { serve } from '@moonbase/receiver/node';

const MAX_LENGTH = 300;
const { SLACK_WEBHOOK_URL, WEBHOOK_SECRET } = process.env;
if (!SLACK_WEBHOOK_URL || !WEBHOOK_SECRET) {
  if (!SLACK_WEBHOOK_URL)
    console.error(
      'Set SLACK_WEBHOOK_URL to the address of an incoming webhook: https://api.slack.com/messaging/webhooks',
    );
  if (!WEBHOOK_SECRET)
    console.error(
      'Set WEBHOOK_SECRET to the secret of the webhook in the hub, so that nobody else can write to the channel',
    );
  process.exit(2);
}
const [port = '4000'] = process.argv.slice(2);

/** Slack reads these three as markup. */
const plain = (text) => text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]);

/** Throws when Slack does not take it: the hub then delivers again later. */
async function notify(text) {
  const response = await fetch(SLACK_WEBHOOK_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  if (!response.ok) throw new Error(`Slack answered ${response.status}`);
}

const receiver = createReceiver();

receiver.on('discussion.create', ({ repo, discussion }) => {
  const kind = discussion.isPullRequest ? 'pull request' : 'discussion';
  return notify(`New ${kind} in ${repo.name}: <${discussion.url.web}|${plain(discussion.title)}>`);
});

receiver.on('discussion.comment.create', ({ discussion, comment }) => {
  if (comment.hidden) return undefined;
  return notify(`<${comment.url.web}|${plain(discussion.title)}>: ${plain(comment.content.slice(0, MAX_LENGTH))}`);
});

await serve(receiver, { port: Number(port) });

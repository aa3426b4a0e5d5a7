// Receives webhooks and prints them: `node examples/receiver.mjs [port] [secret]`.
import { createReceiver } from '@moonbase/receiver';
import { serve } from '@moonbase/receiver/node';

const [port = '4000', secret] = process.argv.slice(2);
const receiver = createReceiver({ secret });

receiver.on('*', ({ event, repo, discussion, comment }) => {
  const about = [discussion && `#${discussion.num} ${discussion.title}`, comment?.content].filter(Boolean).join(': ');
  console.log(`${event.scope}/${event.action}  ${repo.type} ${repo.name}  ${about}`);
});

await serve(receiver, { port: Number(port) });

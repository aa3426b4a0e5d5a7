// Trains again when the main branch of a dataset changes:
// `WEBHOOK_SECRET=… node examples/auto-retrain.mjs PORT COMMAND [ARGUMENT…]`.
// The command finds DATASET and REVISION in its environment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReceiver, isEvent } from '@moonbase/receiver';
import { serve } from '@moonbase/receiver/node';

const [port = '4000', command = 'true', ...args] = process.argv.slice(2);

/** What is to be trained on next: of several changes while a training runs, only the last one matters. */
let next;
let isTraining = false;

async function trainUntilDone() {
  isTraining = true;
  while (next) {
    const { dataset, revision } = next;
    next = undefined;
    const env = { ...process.env, DATASET: dataset, REVISION: revision };
    const [status] = await once(spawn(command, args, { env, stdio: 'inherit' }), 'exit');
    console.log(`Training on ${dataset} at ${revision} ended with status ${status}`);
  }
  isTraining = false;
}

const receiver = createReceiver();

receiver.addWebhook(function retrain(payload) {
  if (payload.repo.type !== 'dataset' || !isEvent(payload, 'repo.content.update')) return { training: false };
  const main = payload.updatedRefs.find(({ ref }) => ref === 'refs/heads/main');
  if (!main?.newSha) return { training: false };
  next = { dataset: payload.repo.name, revision: main.newSha };
  // Not waited for: the hub wants an answer within seconds.
  if (!isTraining) void trainUntilDone();
  return { training: true };
});

await serve(receiver, { port: Number(port) });

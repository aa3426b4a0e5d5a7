import { EVENTS, type WebhookPayload } from '@moonbase/contract/webhooks/payload';
import type { Caller } from '../../platform/http/authenticate.ts';
import { samplePayload } from './sample-payload.ts';

/** Stands for the id of a webhook in samples, whose webhook need not exist. */
const NO_WEBHOOK = '0'.repeat(24);

/** Returns each event that the hub sends with a sample of its payload, about a made-up model of the caller. */
export const sampleEvents = ({ hubUrl, principal }: Caller) =>
  EVENTS.map(({ scope, action }) => ({
    scope,
    action,
    payload: {
      ...samplePayload(hubUrl, { scope, action }, { type: 'model', name: `${principal.userName}/sample` }),
      webhook: { id: NO_WEBHOOK, version: 3 },
    } satisfies WebhookPayload,
  }));

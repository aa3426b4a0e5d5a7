import { createWebhook } from '@moonbase/client/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Page } from '../ui/page.tsx';
import { NEW } from './draft.ts';
import { WEBHOOKS } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';

/** The page for a new webhook; `?job=` names a job to run again. */
export function NewWebhook() {
  const hub = useHub();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [params] = useSearchParams();
  const job = params.get('job');
  return (
    <Page title="New webhook">
      <WebhookForm
        initial={job === null ? NEW : { ...NEW, target: 'source', jobSourceId: job }}
        submitLabel="Create webhook"
        back="/webhooks"
        save={async (input) => {
          const { webhook } = await createWebhook({ ...hub, webhook: input });
          await queries.invalidateQueries({ queryKey: WEBHOOKS });
          go(`/webhooks/${webhook.id}`);
        }}
      />
    </Page>
  );
}

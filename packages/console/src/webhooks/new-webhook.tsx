import { createWebhook } from '@moonbase/client/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Page } from '../ui/page.tsx';
import { NEW } from './draft.ts';
import { WEBHOOKS } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';

export function NewWebhook() {
  const hub = useHub();
  const queries = useQueryClient();
  const [, go] = useLocation();
  return (
    <Page title="New webhook">
      <WebhookForm
        initial={NEW}
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

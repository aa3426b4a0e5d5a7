import { updateWebhook } from '@moonbase/client/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { draftOf } from './draft.ts';
import { useWebhook, WEBHOOKS, webhookKey } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';

export function EditWebhook() {
  const { webhookId = '' } = useParams();
  const hub = useHub();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const query = useWebhook(webhookId);
  return (
    <Page title="Edit webhook">
      <Loaded query={query}>
        {(webhook) => (
          <WebhookForm
            initial={draftOf(webhook)}
            existing={webhook}
            submitLabel="Save"
            back={`/webhooks/${webhookId}`}
            save={async (input) => {
              const saved = await updateWebhook({ ...hub, webhookId, webhook: input });
              queries.setQueryData(webhookKey(webhookId), saved.webhook);
              await queries.invalidateQueries({ queryKey: WEBHOOKS });
              go(`/webhooks/${webhookId}`);
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}

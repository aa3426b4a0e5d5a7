import { Stack } from '@mantine/core';
import { getOwnQuotas } from '@moonbase/client/quotas';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { Settings } from '../settings/settings.tsx';
import { Loaded, Loading } from '../ui/states.tsx';
import { COUNTED_THINGS } from './counted-things.ts';
import { QuotaSection } from './quota-section.tsx';
import { StorageSection } from './storage-section.tsx';
import { UsageBar } from './usage-bar.tsx';

/** How much of each of their quotas the user uses. */
export function OwnQuotas() {
  const hub = useHub();
  const query = useQuery({
    queryKey: ['settings', 'quotas'],
    queryFn: ({ signal }) => getOwnQuotas({ ...hub, signal }),
  });
  return (
    <Settings tab="Quotas">
      <Loaded query={query} loading={<Loading rows={4} />}>
        {(quotas) => (
          <Stack>
            <StorageSection usage={quotas} />
            {COUNTED_THINGS.map(({ key, title, consequence, remedy }) => (
              <QuotaSection key={key} title={title}>
                <UsageBar
                  usage={quotas[key]}
                  consequence={consequence}
                  remedy={`You can ${remedy}, or ask a site administrator for a larger quota.`}
                />
              </QuotaSection>
            ))}
          </Stack>
        )}
      </Loaded>
    </Settings>
  );
}

import { NativeSelect, Stack } from '@mantine/core';
import { listSampleEvents } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { Json } from '../ui/json.tsx';
import { Loaded } from '../ui/states.tsx';

/** The events that the hub sends, each with a sample of its payload; fetched once it is opened. */
export function EventCatalogue() {
  const hub = useHub();
  const [opened, setOpened] = useState(false);
  const [at, setAt] = useState(0);
  const query = useQuery({
    queryKey: ['webhook-samples'],
    queryFn: ({ signal }) => listSampleEvents({ ...hub, signal }),
    enabled: opened,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <details onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>Events and sample payloads</summary>
      {opened && (
        <Loaded query={query}>
          {(samples) => (
            <Stack mt="xs" gap="xs">
              <NativeSelect
                label="Event"
                maw={320}
                value={at}
                onChange={(event) => setAt(Number(event.currentTarget.value))}
                data={samples.map(({ scope, action }, value) => ({
                  value: String(value),
                  label: `${scope} ${action}`,
                }))}
              />
              <Json value={samples[at]?.payload} label="Sample payload" />
            </Stack>
          )}
        </Loaded>
      )}
    </details>
  );
}

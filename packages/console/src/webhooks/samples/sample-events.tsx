import { NativeSelect, Stack } from '@mantine/core';
import { listSampleEvents } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { Json } from '../../ui/json.tsx';
import { Loaded } from '../../ui/states.tsx';

/** The events that the hub sends, and a sample of the payload of the chosen one. */
export function SampleEvents() {
  const hub = useHub();
  const [at, setAt] = useState(0);
  const query = useQuery({
    queryKey: ['webhook-samples'],
    queryFn: ({ signal }) => listSampleEvents({ ...hub, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
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
  );
}

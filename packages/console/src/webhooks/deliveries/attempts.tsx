import { Badge, Box, Button, CopyButton, Group, Paper, Stack, Table, Text } from '@mantine/core';
import type { DeliveryDetails } from '@moonbase/client/webhooks';
import { Time } from '../../ui/time.tsx';
import { curlOf } from './curl.ts';

type Attempt = DeliveryDetails['deliveryAttempts'][number];

/** The attempts of a delivery with their responses, and bars to compare durations. */
export function Attempts({ delivery }: { readonly delivery: DeliveryDetails }) {
  const { deliveryAttempts: attempts } = delivery;
  if (attempts.length === 0) return <Text c="dimmed">It was not sent yet.</Text>;
  const longest = Math.max(1, ...attempts.map(({ durationMs }) => durationMs));
  return (
    <Stack gap="sm">
      {attempts.map((attempt, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts have no name but their number
        <OneAttempt key={at} delivery={delivery} number={at + 1} attempt={attempt} longest={longest} />
      ))}
    </Stack>
  );
}

function OneAttempt(props: {
  readonly delivery: DeliveryDetails;
  readonly number: number;
  readonly attempt: Attempt;
  readonly longest: number;
}) {
  const { delivery, number, attempt, longest } = props;
  const { at, url, responseStatus, responseHeaders, responseBody, error, note, durationMs } = attempt;
  const good = responseStatus !== undefined && responseStatus >= 200 && responseStatus < 300;
  return (
    <Paper withBorder p="md" component="article" aria-label={`Attempt ${number}`}>
      <Group gap="sm" mb="xs">
        <Text fw={600} size="sm">
          {number}.
        </Text>
        <Badge color={good ? 'green' : 'red'}>{responseStatus ?? 'no answer'}</Badge>
        <Text size="sm" c="dimmed">
          <Time at={at} />, {durationMs} ms
        </Text>
        <Box className="timing" aria-hidden>
          <div style={{ width: `${(100 * durationMs) / longest}%` }} data-outcome={good ? 'delivered' : 'failed'} />
        </Box>
        {/^https?:/.test(url) && (
          <CopyButton value={curlOf(delivery, attempt)}>
            {({ copied, copy }) => (
              <Button
                size="compact-xs"
                variant="default"
                onClick={copy}
                title="Without secret and signature, which are shown nowhere"
              >
                {copied ? 'Copied' : 'Copy as curl'}
              </Button>
            )}
          </CopyButton>
        )}
      </Group>
      <Text size="sm" className="breaks">
        {url}
      </Text>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" className="breaks">
          {error}
        </Text>
      )}
      {note && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      {responseHeaders && Object.keys(responseHeaders).length > 0 && (
        <details>
          <summary>Response headers</summary>
          <Table layout="fixed" fz="xs">
            <Table.Tbody>
              {Object.entries(responseHeaders).map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" w={200}>
                    {name}
                  </Table.Th>
                  <Table.Td className="breaks">{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </details>
      )}
      {responseBody !== undefined && responseBody !== '' && (
        <details open={!good}>
          <summary>Body of the answer</summary>
          <pre className="code">{responseBody}</pre>
        </details>
      )}
    </Paper>
  );
}

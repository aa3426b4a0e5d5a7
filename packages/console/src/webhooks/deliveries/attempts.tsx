import { Badge, Button, CopyButton, Table, Text } from '@mantine/core';
import type { DeliveryDetails } from '@moonbase/client/webhooks';
import { Fragment } from 'react';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { curlOf } from './curl.ts';
import { HeaderTable } from './header-table.tsx';

type Attempt = DeliveryDetails['deliveryAttempts'][number];

const COLUMNS = [
  { name: 'Attempt', width: 80 },
  { name: 'Result', width: 230 },
  { name: 'Duration', width: 170 },
  { name: 'Sent', width: 120 },
  'Sent to',
  { name: 'Actions', width: 130 },
];

/** The attempts of a delivery with their requests and responses, and bars to compare durations. */
export function Attempts({ delivery }: { readonly delivery: DeliveryDetails }) {
  const { deliveryAttempts: attempts } = delivery;
  if (attempts.length === 0) return <Text c="dimmed">Not sent yet.</Text>;
  const longest = Math.max(1, ...attempts.map(({ durationMs }) => durationMs));
  return (
    <DataTable label="Attempts" columns={COLUMNS} stacks>
      {attempts.map((attempt, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attempts have no name but their number
        <Fragment key={at}>
          <Summary delivery={delivery} number={at + 1} attempt={attempt} longest={longest} />
          <Details number={at + 1} attempt={attempt} isLast={at === attempts.length - 1} />
        </Fragment>
      ))}
    </DataTable>
  );
}

const hasSucceeded = ({ responseStatus }: Attempt): boolean =>
  responseStatus !== undefined && responseStatus >= 200 && responseStatus < 300;

function Summary(props: {
  readonly delivery: DeliveryDetails;
  readonly number: number;
  readonly attempt: Attempt;
  readonly longest: number;
}) {
  const { delivery, number, attempt, longest } = props;
  const { at, url, requestHeaders, responseStatus, error, note, durationMs } = attempt;
  const good = hasSucceeded(attempt);
  return (
    <Table.Tr style={{ borderBottomWidth: 0 }}>
      <Table.Th scope="row" data-label="Attempt">
        {number}
      </Table.Th>
      <Table.Td data-label="Result">
        <Badge color={good ? 'green' : 'red'}>{responseStatus ?? 'no response'}</Badge>
        {error && (
          <Text size="sm" c="var(--mantine-color-error)" className="breaks">
            {error}
          </Text>
        )}
        {note && (
          <Text size="sm" c="dimmed" className="breaks">
            {note}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Duration" className="figures">
        {durationMs} ms
        <div className="timing" aria-hidden>
          <div style={{ width: `${(100 * durationMs) / longest}%` }} data-outcome={good ? 'delivered' : 'failed'} />
        </div>
      </Table.Td>
      <Table.Td data-label="Sent">
        <Time at={at} />
      </Table.Td>
      <Table.Td data-label="Sent to" className="breaks">
        {url}
      </Table.Td>
      <Table.Td>
        {requestHeaders && (
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
      </Table.Td>
    </Table.Tr>
  );
}

/** The headers and the response of an attempt, in a row below it. */
function Details(props: { readonly number: number; readonly attempt: Attempt; readonly isLast: boolean }) {
  const { number, attempt, isLast } = props;
  const { requestHeaders = {}, responseHeaders = {}, responseBody = '' } = attempt;
  return (
    <Table.Tr>
      <Table.Td colSpan={COLUMNS.length} pt={0}>
        <HeaderTable of={`request ${number}`} title="Request headers" headers={requestHeaders} opened={isLast}>
          A webhook with a secret sends X-Webhook-Secret and webhook-signature as well, which are shown nowhere.
        </HeaderTable>
        <HeaderTable of={`response ${number}`} title="Response headers" headers={responseHeaders} />
        {responseBody !== '' && (
          <details open={!hasSucceeded(attempt)}>
            <summary>Response body</summary>
            <pre className="code">{responseBody}</pre>
          </details>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

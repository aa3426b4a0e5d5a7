import { Alert, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ClockTime, Time } from '../../ui/time.tsx';
import { type Figures, resultText, successRate, useFiguresOf } from './figures.ts';

/** The figures of a webhook on its page. */
export function FigureLine({ webhookId }: { readonly webhookId: string }) {
  const figures = useFiguresOf(webhookId);
  if (!figures) return null;
  const { attempts, medianMs, lastAttempt } = figures;
  return (
    <Group component="dl" gap="xl" m={0} mt="sm">
      <Figure name="Last attempt">
        {lastAttempt ? (
          <>
            {resultText(lastAttempt)}, <Time at={lastAttempt.at} />
          </>
        ) : (
          'none yet'
        )}
      </Figure>
      <Figure name="Delivered in 24 hours">{successRate(figures) ?? 'nothing sent'}</Figure>
      <Figure name="Attempts">{attempts}</Figure>
      <Figure name="Median response">{medianMs === undefined ? 'none' : `about ${medianMs} ms`}</Figure>
    </Group>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} className="figures breaks">
        {children}
      </Text>
    </div>
  );
}

/** Says that a webhook fails although it is enabled, and since when. */
export function Failing({ webhookId }: { readonly webhookId: string }) {
  const figures = useFiguresOf(webhookId);
  if (!figures?.failingSince) return null;
  const { failingSince, lastAttempt } = figures;
  return (
    <Alert color="orange" title="Failing" role="alert" styles={{ title: { color: 'var(--mantine-color-text)' } }}>
      <Text size="sm" className="breaks">
        Every attempt since <ClockTime at={failingSince} /> failed.
        {lastAttempt && lastAttempt.outcome !== 'delivered' && (
          <>
            {' '}
            The last attempt, at <ClockTime at={lastAttempt.at} />, ended with {resultText(lastAttempt)}.
          </>
        )}{' '}
        The hub tries again by itself.
      </Text>
    </Alert>
  );
}

/** The cause of a suspension in words. */
export function Cause({ suspension }: { readonly suspension: NonNullable<Figures['suspension']> }) {
  const { at, cause, failures, failingSince, responseStatus, error } = suspension;
  const last = responseStatus === undefined ? (error ?? 'no response') : `status ${responseStatus}`;
  if (cause === 'gone')
    return (
      <>
        410 Gone at <ClockTime at={at} />: the receiver says that its address is gone for good.
      </>
    );
  return (
    <>
      {cause === 'in-a-row'
        ? `${failures} deliveries in a row used up their attempts`
        : 'A delivery used up its attempts after five days without a success'}
      ; the first failure was at <ClockTime at={failingSince} />. The last result, at <ClockTime at={at} />, was {last}.
    </>
  );
}

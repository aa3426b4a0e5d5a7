import { Group, Text, Title } from '@mantine/core';
import { Bars } from './bars.tsx';

const OUTCOMES = ['delivered', 'retrying', 'failed', 'throttled'] as const;
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

type Hour = { readonly from: string } & Readonly<Record<(typeof OUTCOMES)[number], number>>;

/** Attempts by hour and outcome, with their sums. */
export function DayBars({ title, hours }: { readonly title: string; readonly hours: readonly Hour[] }) {
  const sums = OUTCOMES.map((name) => [name, hours.reduce((sum, each) => sum + each[name], 0)] as const);
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        <Group gap="md">
          {sums.map(([name, sum]) => (
            <Group key={name} gap={6}>
              <span className="swatch" data-outcome={name} />
              <Text size="sm" className="figures">
                {sum} {name}
              </Text>
            </Group>
          ))}
        </Group>
      </Group>
      <Bars
        each="Hour"
        label={`Attempts of 24 hours: ${sums.map(([name, sum]) => `${sum} ${name}`).join(', ')}`}
        bars={hours.map((each) => ({
          key: each.from,
          label: hour.format(new Date(each.from)),
          parts: OUTCOMES.map((name) => ({ name, count: each[name] })),
        }))}
      />
    </>
  );
}

import { Alert, Progress, Text } from '@mantine/core';
import { type CountUsage, countText, fullness, type Usage, usageText, usedShare } from '@moonbase/client/usage-text';

const COLORS = { 'almost full': 'orange', full: 'red' } as const;

/** Formats how much of a quota is used. */
export const textOf = (usage: Usage | CountUsage): string => ('used' in usage ? countText(usage) : usageText(usage));

/** How much of a quota is used: in words, as a bar where there is a limit, and with a warning from 90 % on. */
export function UsageBar(props: {
  readonly usage: Usage | CountUsage;
  /** What is refused once the quota is used up: `uploads of large files are refused`. */
  readonly consequence: string;
  readonly remedy: string;
}) {
  const { usage, consequence, remedy } = props;
  const share = usedShare(usage);
  const full = fullness(usage);
  return (
    <>
      <Text size="sm" className="sentence">
        {textOf(usage)}
      </Text>
      {share !== undefined && (
        <Progress
          mt="xs"
          value={100 * share}
          {...(full && { color: COLORS[full] })}
          aria-label="Used part of the quota"
        />
      )}
      {full && (
        <Alert color={COLORS[full]} role="status" mt="sm" p="sm">
          {full === 'full' ? `The quota is used up: ${consequence}.` : 'The quota is almost used up.'} {remedy}
        </Alert>
      )}
    </>
  );
}

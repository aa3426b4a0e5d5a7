import { type CountUsage, countText, fullness, type Usage, usageText } from '@moonbase/client/usage-text';

const WARNINGS = { 'almost full': ', almost used up', full: ', used up' } as const;

const warning = (usage: Usage | CountUsage): string => {
  const full = fullness(usage);
  return full === undefined ? '' : WARNINGS[full];
};

/** Formats how much of a quota of storage is used, with a warning from 90 % on. */
export const usageLine = (usage: Usage): string => usageText(usage) + warning(usage);

interface Counted extends CountUsage {
  readonly isDefault?: boolean;
}

interface Counts {
  readonly webhooks?: Counted | undefined;
  readonly tokens?: Counted | undefined;
  readonly discussions?: Counted | undefined;
}

/** Formats one line for each quota of a user of things that are counted, with where it comes from. */
export function countLines(
  { webhooks, tokens, discussions }: Counts,
  originOf?: (isDefault: boolean) => string,
): string {
  const line = (name: string, usage: Counted | undefined) => {
    if (usage === undefined) return '';
    const origin = usage.isDefault === undefined || !originOf ? '' : ` (${originOf(usage.isDefault)})`;
    return `${name}: ${countText(usage)}${warning(usage)}${origin}.\n`;
  };
  return (
    line('Webhooks', webhooks) + line('Access tokens', tokens) + line('Discussions in the last 24 hours', discussions)
  );
}

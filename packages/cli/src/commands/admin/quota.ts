import { getQuota, updateQuota } from '@moonbase/client/quotas';
import { command } from '../../program/command.ts';
import { UsageError } from '../../program/failure.ts';
import { argument, quotaDecimal, quotaNumber } from '../../program/parameter.ts';
import { countLines, usageLine } from '../../terminal/usage-line.ts';

/** Returns a quota as the hub takes it. */
const limitOf = (given: number | 'unlimited' | 'default' | undefined) => (given === 'unlimited' ? null : given);

const originOf = (isDefault: boolean): string => (isDefault ? 'the quota of the settings' : 'a quota of its own');

export const quota = command({
  name: 'quota',
  summary: 'show or set the quotas of a user or an organization',
  details:
    'Without options, it shows the quotas and how much of them is used. A quota is a number, `unlimited`, or `default` for that of the settings. New quotas hold from the next request on.',
  args: { name: argument('name of the user or organization') },
  options: {
    storageGib: quotaDecimal('GiB of large files, with at most three decimals'),
    webhooks: quotaNumber('webhooks of a user; never unlimited'),
    tokens: quotaNumber('access tokens of a user'),
    discussions: quotaNumber('discussions and pull requests that a user opens in 24 hours'),
  },
  run({ hub, args, options: { storageGib, webhooks, tokens, discussions } }) {
    if (webhooks === 'unlimited') throw new UsageError('The webhooks of a user are never unlimited: choose a number.');
    const given = {
      ...{ storageGib: limitOf(storageGib), webhooks },
      ...{ tokens: limitOf(tokens), discussions: limitOf(discussions) },
    };
    const isChange = Object.values(given).some((value) => value !== undefined);
    return isChange ? updateQuota({ ...hub, ...args, ...given }) : getQuota({ ...hub, ...args });
  },
  say: (answer) =>
    `${answer.name}: ${usageLine(answer)} (${originOf(answer.isDefault)}).\n${countLines(answer, originOf)}`,
});

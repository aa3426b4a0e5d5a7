import { GROUPS } from '../packages/server/src/config/groups.ts';
import { defaultText, type ListedSetting, listSettings } from '../packages/server/src/config/setting.ts';

const BEGIN = '<!-- From here on written by `npm run generate` from packages/server/src/config. -->';
const END = '<!-- To here. -->';

/** Returns the page with newly written tables of settings; throws if the page does not mark their place. */
export function withSettings(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The page has no lines ${BEGIN} and ${END}`);
  const tables = GROUPS.map(({ title, group }) => tableOf(title, listSettings(group)));
  return `${page.slice(0, begin)}${[BEGIN, ...tables, ''].join('\n\n')}${page.slice(end)}`;
}

const tableOf = (title: string, settings: readonly ListedSetting[]): string =>
  [`## ${title}`, '', '| setting | default | what it does |', '|---|---|---|', ...settings.map(rowOf)].join('\n');

const rowOf = (setting: ListedSetting): string => `| \`${setting.name}\` | ${defaultText(setting)} | ${setting.docs} |`;

import type { HubSetting } from '@moonbase/contract/admin/settings';

/** A setting as it is declared, in Markdown, with the value in force, which a secret does not have. */
interface DeclaredSetting extends Omit<HubSetting, 'about' | 'value'> {
  readonly docs: string;
  readonly value: string | undefined;
}

export type ListSettings = () => HubSetting[];

/** Lists the settings of the hub for site administrators. */
export function createListSettings(settings: readonly DeclaredSetting[]): ListSettings {
  const presented = settings.map(present);
  return () => presented;
}

const present = ({ docs, default: byDefault, value, ...rest }: DeclaredSetting): HubSetting => ({
  ...rest,
  about: withoutLinks(firstSentence(docs)),
  default: withoutLinks(byDefault),
  value: value ?? null,
});

const firstSentence = (docs: string): string => /^.*?\.(?= |$)/.exec(docs)?.[0] ?? docs;

const withoutLinks = (markdown: string): string => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

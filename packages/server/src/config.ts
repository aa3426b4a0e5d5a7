import { Settings, type SettingValues } from './config/groups.ts';
import { brokenRules, isDevelopment } from './config/rules.ts';
import { listSettings, parseSettings, wrongSettings } from './config/setting.ts';
import { engineSettings, tracesUrlOf } from './config/shared-variables.ts';
import { warningsAbout } from './config/warnings.ts';
import type { MailAddress } from './platform/mail/transport.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Names that belong to the command line, not to the hub. */
export const COMMAND_LINE_VARIABLES: readonly string[] = ['MOONBASE_URL', 'MOONBASE_TOKEN'];

export interface Config extends Readonly<Omit<SettingValues, 'mail'>> {
  /** Undefined: no mail is sent. */
  readonly mail: MailConfig | undefined;
  /** Where traces are sent; undefined: nowhere. */
  readonly tracesUrl: string | undefined;
  /** Only this machine can reach the hub, and no proxy: loopback targets are admitted, foreign hosts refused. */
  readonly developmentMode: boolean;
  /** What the operator should know about the environment. */
  readonly warnings: readonly string[];
}

interface MailConfig {
  /** With the credentials, if any: never logged. */
  readonly smtpUrl: string;
  readonly from: MailAddress;
  /** How long a mail about a thread waits for more. */
  readonly quietMs: number;
}

/** Reads the settings, once. Throws one error that names each wrong one and what it must be. */
export function readConfig(environment: Environment = process.env): Config {
  const given = withoutUnset(environment);
  const settings = parseSettings(Settings, { ...withoutUnset(engineSettings(environment)), ...given });
  const faults = brokenRules(settings);
  if (faults.length > 0) throw wrongSettings(faults);
  return Object.freeze({
    ...settings,
    mail: mailOf(settings),
    tracesUrl: tracesUrlOf(environment),
    developmentMode: isDevelopment(settings),
    warnings: [...unknownNames(given), ...warningsAbout(settings)],
  });
}

const withoutUnset = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value));

function mailOf({ mail: { smtpUrl, from, quietSeconds } }: SettingValues): MailConfig | undefined {
  return smtpUrl && from ? { smtpUrl, from, quietMs: quietSeconds * 1000 } : undefined;
}

function unknownNames(environment: Environment): string[] {
  const known = new Set(listSettings(Settings).map(({ name }) => name));
  return Object.keys(environment)
    .filter((name) => name.startsWith('MOONBASE_') && !known.has(name) && !COMMAND_LINE_VARIABLES.includes(name))
    .map((name) => `${name} is no setting of this version and has no effect`);
}

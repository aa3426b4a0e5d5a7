import * as z from 'zod';
import { smtpUrlFault } from '../platform/mail/smtp.ts';
import type { MailAddress } from '../platform/mail/transport.ts';
import { optional, text, wholeNumber } from './forms.ts';
import { secret, setting } from './setting.ts';

const smtpUrl = text.superRefine((url, context) => {
  const fault = smtpUrlFault(url);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

/** `hub@example.com` or `Moonbase <hub@example.com>`. */
const sender = text.transform((value, context): MailAddress => {
  const [, name = '', address = ''] = /^(?:"?([^"<>,\p{Cc}]*?)"? *<)?([^\s<>,]+@[^\s<>,]+?)>?$/u.exec(value) ?? [];
  if (z.email().safeParse(address).success && value.includes('<') === value.endsWith('>')) return { name, address };
  context.addIssue({ code: 'custom', message: 'must be an address, as in Moonbase <hub@example.com>' });
  return z.NEVER;
});

const MailSettings = z.object({
  smtpUrl: secret(
    'MOONBASE_SMTP_URL',
    optional(smtpUrl),
    '`smtp://` or `smtps://`, with user name and password if the server needs them: the server that sends mail. Needs `MOONBASE_MAIL_FROM`. See [mail.md](mail.md).',
    'none: mail is off',
  ),
  from: setting('MOONBASE_MAIL_FROM', optional(sender), 'Sender of mails, such as `Moonbase <hub@example.com>`.'),
  quietSeconds: setting(
    'MOONBASE_MAIL_QUIET_SECONDS',
    wholeNumber(86_400).prefault('60'),
    'Seconds for which a mail about a thread waits for further activity to include.',
  ),
});

export const NotificationSettings = z.object({
  notificationDays: setting(
    'MOONBASE_NOTIFICATION_DAYS',
    wholeNumber(3650, 1).prefault('365'),
    'Days for which notifications of threads without new activity are kept, read or not.',
  ),
  mail: MailSettings,
});

import type { Command, Group } from './command.ts';
import { admin } from './commands/admin.ts';
import { apply } from './commands/apply.ts';
import { audit } from './commands/audit.ts';
import { backup, restore } from './commands/backup.ts';
import { completionOf } from './commands/completion.ts';
import { discussions } from './commands/discussions.ts';
import { groups } from './commands/groups.ts';
import { jobs } from './commands/jobs.ts';
import { listen } from './commands/listen.ts';
import { login, logout } from './commands/login.ts';
import { members } from './commands/members.ts';
import { notifications } from './commands/notifications.ts';
import { orgs } from './commands/orgs.ts';
import { papers } from './commands/papers.ts';
import { repos } from './commands/repos.ts';
import { secrets } from './commands/secrets.ts';
import { migrate, serve } from './commands/serve.ts';
import { tokens } from './commands/tokens.ts';
import { trigger } from './commands/trigger.ts';
import { users } from './commands/users.ts';
import { webhooks } from './commands/webhooks.ts';
import { whoami } from './commands/whoami.ts';

/** Every command, in the order of the help text. A new one is a line here and a file in `commands`. */
export const commands: readonly (Command | Group)[] = [
  // The hub itself.
  serve,
  migrate,
  backup,
  restore,
  secrets,
  apply,
  admin,
  // Who works with it.
  login,
  logout,
  whoami,
  tokens,
  users,
  // What it holds.
  orgs,
  members,
  groups,
  repos,
  discussions,
  papers,
  // What happens in it.
  notifications,
  webhooks,
  listen,
  trigger,
  jobs,
  audit,
  completionOf(() => commands),
];

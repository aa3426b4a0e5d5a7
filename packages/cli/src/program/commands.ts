import { access } from '../commands/access.ts';
import { admin } from '../commands/admin/admin.ts';
import { apply } from '../commands/admin/apply.ts';
import { audit } from '../commands/admin/audit.ts';
import { backup, restore } from '../commands/admin/backup.ts';
import { gitToBucket } from '../commands/admin/git-to-bucket.ts';
import { secrets } from '../commands/admin/secrets.ts';
import { migrate, serve } from '../commands/admin/serve.ts';
import { setupLink } from '../commands/admin/setup-link.ts';
import { users } from '../commands/admin/users.ts';
import { completionOf } from '../commands/completion.ts';
import { discussions } from '../commands/discussions.ts';
import { download } from '../commands/files/download.ts';
import { cat, diff, log, ls, rm } from '../commands/files/files.ts';
import { upload } from '../commands/files/upload.ts';
import { groups } from '../commands/groups.ts';
import { jobs } from '../commands/jobs/jobs.ts';
import { login, logout } from '../commands/login.ts';
import { members } from '../commands/members.ts';
import { mirror } from '../commands/mirror.ts';
import { notifications } from '../commands/notifications.ts';
import { orgs } from '../commands/orgs.ts';
import { papers } from '../commands/papers.ts';
import { pullRequests } from '../commands/pull-requests.ts';
import { repos } from '../commands/repos.ts';
import { search } from '../commands/search.ts';
import { sessions } from '../commands/sessions.ts';
import { spaces } from '../commands/spaces.ts';
import { storage } from '../commands/storage.ts';
import { tokens } from '../commands/tokens.ts';
import { listen } from '../commands/webhooks/listen.ts';
import { trigger } from '../commands/webhooks/trigger.ts';
import { webhooks } from '../commands/webhooks/webhooks.ts';
import { whoami } from '../commands/whoami.ts';
import type { Command, Group } from './command.ts';

/** All commands, in the order of the help text. A new command is a line here and a file in `commands`. */
export const commands: readonly (Command | Group)[] = [
  // The hub itself.
  serve,
  migrate,
  backup,
  restore,
  gitToBucket,
  secrets,
  setupLink,
  apply,
  admin,
  // Users and sign-in.
  login,
  logout,
  whoami,
  tokens,
  sessions,
  users,
  // Contents of a hub.
  orgs,
  members,
  groups,
  repos,
  access,
  search,
  storage,
  mirror,
  spaces,
  upload,
  download,
  ls,
  cat,
  log,
  diff,
  rm,
  discussions,
  pullRequests,
  papers,
  // Events and notifications.
  notifications,
  webhooks,
  listen,
  trigger,
  jobs,
  audit,
  completionOf(() => commands),
];

import { whoAmI } from '@moonbase/client/profiles';
import { command } from '../program/command.ts';
import { whoAmIText } from '../terminal/output.ts';

export const whoami = command({
  name: 'whoami',
  summary: 'show the user that you are signed in as',
  run: ({ hub }) => whoAmI(hub),
  say: (who, { hub }) => whoAmIText(who, hub.hubUrl),
});

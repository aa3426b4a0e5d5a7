import type { Command, Group } from './command.ts';
import { apply } from './commands/apply.ts';
import { audit } from './commands/audit.ts';
import { whoami } from './commands/whoami.ts';

/** Every command, in the order of the help text. A new one is a line here and a file in `commands`. */
export const commands: readonly (Command | Group)[] = [
  // The hub itself.
  apply,
  // Who works with it.
  whoami,
  audit,
];

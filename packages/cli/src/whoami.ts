import { whoAmI } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { jsonText, whoAmIText } from './output.ts';
import type { Terminal } from './terminal.ts';

/** `moonbase whoami`: whom the hub takes the caller for. */
export async function whoami(hub: Hub, options: { json: boolean }, terminal: Terminal): Promise<void> {
  const who = await whoAmI(hub);
  terminal.out(options.json ? jsonText(who) : whoAmIText(who, hub.hubUrl));
}

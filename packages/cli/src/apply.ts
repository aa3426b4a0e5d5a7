import { applyHub } from '@moonbase/client/admin';
import type { Hub } from '@moonbase/client/request';
import { readHubDocument } from './hub-document.ts';
import { jsonText, reportText } from './output.ts';
import type { Terminal } from './terminal.ts';

/** `moonbase apply`: brings the hub to what the document says. */
export async function apply(hub: Hub, options: { file: string; json: boolean }, terminal: Terminal): Promise<void> {
  const document = await readHubDocument(options.file, terminal);
  const report = await applyHub({ ...hub, document });
  terminal.out(options.json ? jsonText(report) : reportText(report));
}

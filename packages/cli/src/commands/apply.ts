import { applyHub } from '@moonbase/client/admin';
import { command } from '../command.ts';
import { readHubDocument } from '../hub-document.ts';
import { reportText } from '../output.ts';
import { needed, text } from '../parameter.ts';

export const apply = command({
  name: 'apply',
  summary: 'fill the hub from a document',
  options: { file: needed(text('path', 'YAML or JSON; - reads standard input', { short: 'f' })) },
  async run({ hub, options, terminal }) {
    const document = await readHubDocument(options.file, terminal);
    return applyHub({ ...hub, document });
  },
  say: (report) => reportText(report),
});

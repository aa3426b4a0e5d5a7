import { applyHub } from '@moonbase/client/admin';
import { readHubDocument } from '../../hub-document.ts';
import { command } from '../../program/command.ts';
import { needed, text } from '../../program/parameter.ts';
import { reportText } from '../../terminal/output.ts';
import { withProgress } from '../../terminal/progress.ts';

export const apply = command({
  name: 'apply',
  summary: 'apply a hub document (docs/filling-a-hub.md)',
  options: { file: needed(text('path', 'the document, YAML or JSON; - reads standard input', { short: 'f' })) },
  async run({ hub, options, terminal }) {
    const document = await readHubDocument(options.file, terminal);
    const entries = Object.values(document).flat().length;
    const report = await withProgress(terminal, (show) => {
      show(`Applying ${entries === 1 ? '1 entry' : `${entries} entries`}, all or none …`);
      return applyHub({ ...hub, document });
    });
    for (const warning of report.warnings) terminal.err(`Warning: ${warning}\n`);
    return report;
  },
  say: (report) => reportText(report),
});

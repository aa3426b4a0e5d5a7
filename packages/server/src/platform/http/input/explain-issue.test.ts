import { WebhookInput } from '@moonbase/contract/webhooks/webhooks';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { explainIssue } from './explain-issue.ts';

const good = { watched: [{ type: 'model', name: 'a/b' }], domains: ['repo'], url: 'https://example.com' };

function faults(change: object): string[] {
  const result = WebhookInput.safeParse({ ...good, ...change }, { error: explainIssue });
  return (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`);
}

describe('the message about an invalid value', () => {
  test.each([
    [{ watched: undefined }, 'watched is required'],
    [{ watched: 'a' }, 'watched must be a list'],
    [{ watched: [] }, 'watched must have at least 1 item'],
    [
      { watched: [{ type: 'moon', name: 'a' }] },
      'watched.0.type must be one of dataset, model, space, bucket, kernel, user, org',
    ],
    [{ watched: [{ type: 'model', name: 1 }] }, 'watched.0.name must be a string'],
    [{ job: { flavor: 'cpu-basic', attempts: 1.5 } }, 'job.attempts must be a whole number'],
    [{ job: { flavor: 'cpu-basic', attempts: 0 } }, 'job.attempts must be at least 1'],
    [{ job: { flavor: 'cpu-basic', timeoutSeconds: 0 } }, 'job.timeoutSeconds must be more than 0'],
    [{ job: { flavor: 'cpu-basic', command: [''] } }, 'job.command.0 must have at least 1 character'],
    [{ job: { flavor: 'cpu-basic', environment: { '1': 'x' } } }, 'job.environment.1 has a key that is not allowed'],
    [{ job: { flavor: 'cpu-basic', secrets: [] } }, 'job.secrets must be an object'],
    [{ secret: 'ä' }, 'secret must be printable ASCII'],
  ])('%j: %s', (change, sentence) => {
    expect(faults(change)).toEqual([sentence]);
  });

  test('gives an example of a URL', () => {
    const result = z.object({ url: z.url() }).safeParse({ url: 'nonsense' }, { error: explainIssue });
    expect(result.error?.issues.map(({ message }) => message)).toEqual(['must be a URL, such as https://example.com']);
  });
});

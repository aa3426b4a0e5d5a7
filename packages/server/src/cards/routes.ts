import { validateCard } from '@moonbase/contract/content/cards';
import { rawAnswer } from '../platform/http/answer.ts';
import { HubError } from '../platform/http/errors.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Cards } from './assembly.ts';

/** Room for the largest README that a commit can contain, as JSON. */
const CARD_BYTES = 16 * 1024 * 1024;

const messages = (texts: readonly string[]) => texts.map((message) => ({ message }));

export function cardRoutes(routes: Routes, { check }: Pick<Cards, 'check'>): void {
  routes.add(
    validateCard,
    async ({ caller, header, body }) => {
      const { errors, warnings } = await check(body.content, caller.address);
      if (errors.length === 0) return { errors: [], warnings: messages(warnings) };
      if (header('accept')?.startsWith('text/plain'))
        return rawAnswer(
          [...errors.map((text) => `- Error: ${text}`), ...warnings.map((text) => `- Warning: ${text}`)].join('\n'),
          {
            status: 400,
            headers: { 'content-type': 'text/plain; charset=utf-8' },
          },
        );
      const fields = { errors: messages(errors), warnings: messages(warnings) };
      throw new HubError(400, 'The metadata of this README is not sound', { fields });
    },
    { bodyLimit: CARD_BYTES },
  );
}

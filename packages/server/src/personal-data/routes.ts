import * as contract from '@moonbase/contract/accounts/personal-data';
import type { Answer } from '../platform/http/answer.ts';
import type { Watch } from '../platform/http/event-stream.ts';
import { jsonLines } from '../platform/http/json/lines.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Export, PersonalData } from './service.ts';

export function personalDataRoutes(routes: Routes, personalData: PersonalData): void {
  const { stallMs } = personalData;
  const given = (request: Parameters<Routes['callerOf']>[0] & { readonly method: string }) => ({
    identify: () => routes.callerOf(request),
    headOnly: request.method === 'HEAD',
  });
  routes.add(contract.exportOwnData, async (request) => {
    const exported = await personalData.own(request.caller, given(request));
    return file(exported, { watch: routes.watch(request), stallMs });
  });
  routes.add(contract.exportUserData, async (request) => {
    const { caller, params } = request;
    const exported = await personalData.of(caller, params.username, given(request));
    return file(exported, { watch: routes.watch(request), stallMs });
  });
}

const file = (
  { fileName, lines, end }: Export,
  bounds: { readonly watch: Watch; readonly stallMs: number },
): Answer<never> =>
  jsonLines(lines, {
    headers: { 'content-disposition': `attachment; filename="${fileName}"` },
    ...bounds,
    onClose: end,
  });

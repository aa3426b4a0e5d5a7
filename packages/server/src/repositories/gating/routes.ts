import * as contract from '@moonbase/contract/repositories/access-requests';
import { Answer, rawAnswer } from '../../platform/http/answer.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import type { Routes } from '../../platform/http/route.ts';
import { nameInPath } from '../present.ts';
import type { RepoName } from '../store.ts';
import type { AccessRequests } from './service.ts';

export function accessRequestRoutes(routes: Routes, requests: AccessRequests): void {
  const ask = async (caller: Caller, name: RepoName, answers: Readonly<Record<string, unknown>>) =>
    seeOther(await requests.ask(caller, name, answers));
  const report = async (caller: Caller, name: RepoName) => {
    const { repo, lines, total } = await requests.report(caller, name);
    const disposition = `attachment; filename="user-access-report-${repo.ownerName}-${repo.name}.json"`;
    return new Answer(lines, { headers: { 'content-disposition': disposition, 'x-total-count': String(total) } });
  };

  routes.add(contract.askAccess, ({ caller, params, body }) => ask(caller, modelIn(params), body));
  routes.add(contract.askAccessOfType, ({ caller, params, body }) => ask(caller, nameInPath(params), body));
  routes.add(contract.cancelAccessRequest, async ({ caller, params }) => {
    await requests.cancel(caller, nameInPath(params));
    return {};
  });
  routes.add(contract.listAccessRequests, async ({ caller, params, query }) => {
    const { items, total, next } = await requests.list(caller, nameInPath(params), { status: params.status, ...query });
    const url = new URL(caller.url);
    url.searchParams.delete('before');
    if (next !== undefined) url.searchParams.set('after', next);
    const link = next === undefined ? {} : { link: `<${url.href}>; rel="next"` };
    return new Answer(items, { headers: { 'x-total-count': String(total), ...link } });
  });
  routes.add(contract.handleAccessRequest, async ({ caller, params, body }) => {
    await requests.handle(caller, nameInPath(params), body);
    return {};
  });
  routes.add(contract.handleAccessRequests, ({ caller, params, body: { requests: askers, ...decision } }) =>
    requests.handleAll(caller, nameInPath(params), askers, decision),
  );
  routes.add(contract.grantAccess, ({ caller, params, body }) => requests.grant(caller, nameInPath(params), body));
  routes.add(contract.getUserAccessReport, ({ caller, params }) => report(caller, modelIn(params)));
  routes.add(contract.getUserAccessReportOfType, ({ caller, params }) => report(caller, nameInPath(params)));
}

const seeOther = (location: string) =>
  rawAnswer('', { status: 303, headers: { location, 'content-type': 'text/plain; charset=utf-8' } });

const modelIn = ({ namespace, repo }: { namespace: string; repo: string }): RepoName => ({
  ...{ type: 'model', namespace, name: repo },
});

import * as runtime from '@moonbase/contract/repositories/space-runtime';
import * as settings from '@moonbase/contract/repositories/space-settings';
import { rawAnswer } from '../platform/http/answer.ts';
import type { Routes } from '../platform/http/route.ts';
import { cannotRun } from './runtime.ts';
import type { Spaces } from './service.ts';

const nameOf = ({ namespace, repo }: { readonly namespace: string; readonly repo: string }) => ({
  namespace,
  name: repo,
});

export function spaceRoutes(routes: Routes, spaces: Spaces): void {
  settingsRoutes(routes, spaces);
  runtimeRoutes(routes, spaces);
  routes.add(runtime.listSpaceHardware, () => []);
  routes.add(runtime.listSpaceTemplates, () => ({ templates: [] }));
  routes.add(runtime.getZeroGpuQuota, () => {
    throw cannotRun('there is no quota');
  });
}

function settingsRoutes(routes: Routes, { environment, volumes }: Spaces): void {
  routes.add(settings.listSpaceVariables, ({ caller, params }) => environment.variables(caller, nameOf(params)));
  routes.add(settings.setSpaceVariable, ({ caller, params, body }) =>
    environment.setVariable(caller, nameOf(params), body),
  );
  routes.add(settings.deleteSpaceVariable, ({ caller, params, body }) =>
    environment.deleteVariable(caller, nameOf(params), body.key),
  );
  routes.add(settings.listSpaceSecrets, ({ caller, params }) => environment.secrets(caller, nameOf(params)));
  routes.add(settings.setSpaceSecret, ({ caller, params, body }) =>
    environment.setSecret(caller, nameOf(params), body),
  );
  routes.add(settings.deleteSpaceSecret, ({ caller, params, body }) =>
    environment.deleteSecret(caller, nameOf(params), body.key),
  );
  routes.add(settings.setSpaceVolumes, async ({ caller, params, body }) => {
    await volumes.set(caller, nameOf(params), body.volumes);
    return {};
  });
  routes.add(settings.deleteSpaceVolumes, async ({ caller, params }) => {
    await volumes.remove(caller, nameOf(params));
    return {};
  });
}

function runtimeRoutes(routes: Routes, { states }: Spaces): void {
  routes.add(runtime.getSpaceRuntime, ({ caller, params }) => states.get(caller, nameOf(params)));
  routes.add(runtime.pauseSpace, ({ caller, params }) => states.pause(caller, nameOf(params)));
  routes.add(runtime.restartSpace, ({ caller, params }) =>
    states.refuse(caller, nameOf(params), 'a Space cannot be restarted'),
  );
  routes.add(runtime.requestSpaceHardware, ({ caller, params }) =>
    states.refuse(caller, nameOf(params), 'it has no hardware to offer'),
  );
  routes.add(runtime.setSpaceSleepTime, ({ caller, params }) =>
    states.refuse(caller, nameOf(params), 'a Space cannot sleep'),
  );
  routes.add(runtime.setSpaceDevMode, ({ caller, params }) =>
    states.refuse(caller, nameOf(params), 'there is no dev mode'),
  );
  for (const route of [runtime.requestSpaceStorage, runtime.deleteSpaceStorage])
    routes.add(route, ({ caller, params }) =>
      states.refuse(caller, nameOf(params), 'it has no persistent storage to offer'),
    );
  // A stream that ends at once would be asked for again and again.
  routes.add(runtime.streamSpaceEvents, ({ caller, params }) =>
    states.refuse(caller, nameOf(params), 'the state of a Space never changes', 'repo.content.read'),
  );
  routes.add(runtime.streamSpaceMetrics, ({ caller, params }) =>
    states.refuse(caller, nameOf(params), 'there is nothing to measure', 'repo.content.read'),
  );
  routes.add(runtime.streamSpaceLogs, async ({ caller, params }) =>
    rawAnswer(`data: ${JSON.stringify(await states.logLine(caller, nameOf(params)))}\n\n`, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    }),
  );
}

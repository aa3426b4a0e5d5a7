import { fromKubeconfig, inCluster } from './connection.ts';
import { createKubernetesRunner } from './kubernetes-runner.ts';
import { readKubernetesSettings } from './settings.ts';

type Parts = Omit<Parameters<typeof createKubernetesRunner>[0], 'settings' | 'connection'>;

/**
 * Returns the runner that `MOONBASE_KUBERNETES` describes, without contacting the cluster. Throws if the setting is
 * invalid.
 */
export function openKubernetes(setting: string, parts: Parts) {
  const settings = readKubernetesSettings(setting);
  const { kubeconfig, context } = settings;
  const connection = kubeconfig === undefined ? inCluster() : fromKubeconfig(kubeconfig, context);
  return createKubernetesRunner({ ...parts, settings, connection });
}

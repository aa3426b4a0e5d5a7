import { setTimeout } from 'node:timers/promises';
import { createKubernetesRunner } from '../../src/jobs/runners/kubernetes/kubernetes-runner.ts';
import { readKubernetesSettings } from '../../src/jobs/runners/kubernetes/settings.ts';
import { createTestClock, type TestClock } from '../clock.ts';
import { startStandIn } from './stand-in.ts';

export const SETTINGS = {
  flavors: {
    'cpu-basic': {},
    't4-small': {
      requests: { cpu: '2', memory: '8Gi' },
      limits: { memory: '8Gi', 'nvidia.com/gpu': '1' },
      nodeSelector: { 'cloud.example.com/pool': 't4' },
      tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
      runtimeClass: 'nvidia',
    },
  },
};

export type Place = Awaited<ReturnType<typeof openPlace>>;

/** A stand-in of Kubernetes, and runners on it that do not wait in earnest. */
export async function openPlace(clock: TestClock = createTestClock(), settings: object = {}) {
  const standIn = await startStandIn(() => clock.now());
  /** For how long runners wanted to wait, in milliseconds. */
  const pauses: number[] = [];
  const errors: object[] = [];
  const runners: ReturnType<typeof createKubernetesRunner>[] = [];
  return {
    ...standIn,
    clock,
    pauses,
    errors,
    /** As of a hub that knows nothing yet. */
    runner(more: object = {}) {
      const runner = createKubernetesRunner({
        settings: readKubernetesSettings(JSON.stringify({ ...SETTINGS, ...settings, ...more })),
        connection: standIn.connection,
        clock,
        logger: { error: (details) => errors.push(details) },
        images: ['python', 'registry.example.com:5000/*'],
        maxTimeoutSeconds: 86_400,
        changed: () => {},
        pause: async (ms, signal) => {
          pauses.push(ms);
          await setTimeout(2, undefined, { signal });
        },
      });
      runners.push(runner);
      return runner;
    },
    async [Symbol.asyncDispose]() {
      for (const runner of runners) await runner.close?.();
      await standIn[Symbol.asyncDispose]();
    },
  };
}

/** What a question answers once it answers something; the network takes its time. */
export async function eventually<T>(question: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let tries = 0; tries < 4000; tries++) {
    const answer = await question();
    if (answer !== undefined && answer !== false) return answer;
    await setTimeout(2);
  }
  throw new Error('It never came to that');
}

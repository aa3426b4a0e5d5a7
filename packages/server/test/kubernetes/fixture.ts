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

export type KubernetesFixture = Awaited<ReturnType<typeof openKubernetesFixture>>;

/** Starts a stand-in for Kubernetes, whose runners record their waits instead of waiting. */
export async function openKubernetesFixture(clock: TestClock = createTestClock(), settings: object = {}) {
  const standIn = await startStandIn(() => clock.now());
  /** The waits of the runners, in milliseconds. */
  const pauses: number[] = [];
  const errors: object[] = [];
  const runners: ReturnType<typeof createKubernetesRunner>[] = [];
  return {
    ...standIn,
    clock,
    pauses,
    errors,
    /** Creates the runner of a hub that has just started. */
    runner(more: object = {}) {
      const runner = createKubernetesRunner({
        settings: readKubernetesSettings(JSON.stringify({ ...SETTINGS, ...settings, ...more })),
        connection: standIn.connection,
        clock,
        logger: { error: (details) => errors.push(details) },
        images: ['python', 'registry.example.com:5000/*'],
        maxTimeoutSeconds: 86_400,
        onChange: () => {},
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

const MAX_WAIT_MS = 120_000;

/** Asks until the answer is neither undefined nor false; returns the answer. */
export async function eventually<T>(question: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const deadline = performance.now() + MAX_WAIT_MS; performance.now() < deadline; await setTimeout(2)) {
    const answer = await question();
    if (answer !== undefined && answer !== false) return answer;
  }
  throw new Error('There was no answer in time');
}

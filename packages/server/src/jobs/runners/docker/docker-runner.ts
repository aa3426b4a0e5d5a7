import { setTimeout } from 'node:timers/promises';
import { imageOf } from '../image-policy.ts';
import { type AttemptState, type Launch, LaunchFailure, type Runner } from '../runner.ts';
import { ATTEMPT_LABEL, type ContainerPolicy, containerOf, platformOf } from './container.ts';
import { createContainers } from './containers.ts';
import { createEngine, type EngineAddress, EngineFault } from './engine.ts';
import { createOutputs } from './outputs.ts';
import { createPulls, oneLine } from './pulls.ts';
import { createRefusal } from './refusal.ts';

interface Dependencies {
  readonly engine: EngineAddress;
  /** Marks the containers of this hub on the engine: letters, digits and dashes. */
  readonly hub: string;
  /** Patterns of images that may be run. */
  readonly images: readonly string[];
  readonly policy: ContainerPolicy;
  /** The folder in which the hub prepares volumes, the same for the engine. */
  readonly volumesDir: string | undefined;
  /** Called when an attempt has ended. */
  readonly onChange: () => void;
}

/** How long a start that a dead hub requested may still be in progress. */
const ORPHAN_MS = 1_000;

/** Runs jobs as containers of Docker or of Podman's service. */
export function createDockerRunner({
  engine: address,
  hub,
  images,
  policy,
  volumesDir,
  onChange,
}: Dependencies): Runner {
  const engine = createEngine(address);
  const containers = createContainers(engine, hub);
  const pulls = createPulls(engine);
  const outputs = createOutputs({ containers, onChange });
  const refusal = createRefusal(images, volumesDir);

  /** Returns the error to throw: a refusal of the engine is shown to the owner; other errors lead to another try. */
  const failure = (what: string, error: unknown): unknown =>
    error instanceof EngineFault ? new LaunchFailure(`${what}: ${oneLine(error.message)}`) : error;

  async function create(launch: Launch): Promise<string> {
    const { specification, key } = launch;
    const platform = platformOf(specification);
    const image = imageOf(specification.dockerImage ?? '');
    const wasPulled = pulls.takePulled(image, platform);
    try {
      return await containers.create(key, containerOf(launch, hub, policy), platform);
    } catch (error) {
      if (!wasPulled && error instanceof EngineFault && error.status === 404) pulls.begin(image, platform);
      // Another hub process created the container and died; the next try finds it.
      if (error instanceof EngineFault && error.status === 409) throw error;
      throw failure('The container could not be made', error);
    }
  }

  /**
   * Takes over a container from a hub that died. Returns whether it has started; removes it otherwise, after waiting
   * for a start that was already in progress.
   */
  async function adopt(key: string): Promise<boolean> {
    if ((await containers.find(key))?.state === 'created') await setTimeout(ORPHAN_MS);
    const found = await containers.find(key);
    if (found?.state !== 'created') return found !== undefined;
    return !(await containers.removeUnstarted(found.id));
  }

  async function inspect(key: string): Promise<AttemptState> {
    // The end of the output is known earlier than the end of the container in the list.
    if (!outputs.hasEnded(key) && (await containers.runsProbably(key))) return { state: 'running' };
    const found = await containers.find(key);
    if (found?.state === 'running') return { state: 'running' };
    return { state: 'ended', exitCode: found?.state === 'ended' ? found.exitCode : null };
  }

  return {
    name: 'docker',
    note: null,
    refusal,

    async start(launch) {
      // The operator may have changed which images are allowed since the job was accepted.
      const refused = refusal(launch.specification);
      if (refused) throw new LaunchFailure(`${refused.path ?? 'The job'}: ${refused.message}`);
      if (await adopt(launch.key)) return;
      const id = await create(launch);
      try {
        await containers.start(id);
      } catch (error) {
        if (error instanceof EngineFault) await containers.remove(id);
        throw failure('The container could not be started', error);
      }
    },

    inspect,

    read: (key, position, maxBytes) => outputs.read(key, Number(position), maxBytes),
    measure: (key) => containers.measure(key),

    async discard(key) {
      outputs.close(key);
    },

    async stop(key) {
      const found = await containers.find(key);
      if (found?.state === 'created') await containers.remove(found.id);
      if (found?.state === 'running') await containers.kill(found.id);
      outputs.readToEnd(key);
    },

    async forget(key) {
      outputs.close(key);
      const found = await containers.find(key);
      if (found) await containers.remove(found.id);
    },

    async sweep(keys) {
      for (const { id, labels } of await containers.list())
        if (!keys.has(labels[ATTEMPT_LABEL] ?? '')) await containers.remove(id);
      outputs.closeAllBut(keys);
    },

    async close() {
      pulls.close();
      outputs.closeAllBut(new Set());
      await engine.close();
    },
  };
}

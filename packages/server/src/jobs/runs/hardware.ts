import type { Hardware } from '@moonbase/contract/jobs/jobs';
import type { JobFlavor } from '@moonbase/contract/jobs/specification';

/** Sizes in GB. */
interface Machine {
  readonly pretty: string;
  readonly cores: number;
  readonly memory: number;
  readonly disk: number;
  readonly accelerator?: { readonly model: string; readonly quantity: number; readonly vram: number };
}

const cpu = (pretty: string, cores: number, memory: number, disk: number): Machine => ({ pretty, cores, memory, disk });
const gpu = (
  [cores, memory, disk]: readonly [cores: number, memory: number, disk: number],
  model: string,
  quantity: number,
  vram: number,
  pretty = `${quantity}x Nvidia ${model}`,
): Machine => ({ pretty, cores, memory, disk, accelerator: { model, quantity, vram } });

/**
 * The machine of each flavor, which a runner requests from its engine (W§5, or a choice of this hub if W§5 has none).
 */
const MACHINES: Readonly<Record<JobFlavor, Machine>> = {
  'cpu-basic': cpu('CPU Basic', 2, 16, 50),
  'cpu-upgrade': cpu('CPU Upgrade', 8, 32, 50),
  'cpu-performance': cpu('CPU Performance', 32, 256, 1024),
  'cpu-xl': cpu('CPU XL', 16, 124, 1000),
  sprx8: cpu('Sapphire Rapids x8', 8, 16, 50),
  'zero-a10g': gpu([4, 15, 50], 'A10G', 1, 24, 'Zero A10G'),
  't4-small': gpu([4, 15, 50], 'T4', 1, 16, 'Nvidia T4 - small'),
  't4-medium': gpu([8, 30, 100], 'T4', 1, 16, 'Nvidia T4 - medium'),
  l4x1: gpu([8, 30, 400], 'L4', 1, 24),
  l4x4: gpu([48, 186, 3200], 'L4', 4, 24),
  l40sx1: gpu([8, 62, 380], 'L40S', 1, 48),
  l40sx4: gpu([48, 382, 3200], 'L40S', 4, 48),
  l40sx8: gpu([192, 1534, 6500], 'L40S', 8, 48),
  'a10g-small': gpu([4, 15, 110], 'A10G', 1, 24, 'Nvidia A10G - small'),
  'a10g-large': gpu([12, 46, 200], 'A10G', 1, 24, 'Nvidia A10G - large'),
  'a10g-largex2': gpu([24, 92, 1000], 'A10G', 2, 24, '2x Nvidia A10G - large'),
  'a10g-largex4': gpu([48, 184, 2000], 'A10G', 4, 24, '4x Nvidia A10G - large'),
  'a100-large': gpu([12, 142, 1000], 'A100', 1, 80, 'Nvidia A100 - large'),
  a100x4: gpu([48, 568, 4000], 'A100', 4, 80),
  a100x8: gpu([96, 1136, 8000], 'A100', 8, 80),
  h200: gpu([23, 256, 3000], 'H200', 1, 141, 'Nvidia H200'),
  h200x2: gpu([46, 512, 6000], 'H200', 2, 141),
  h200x4: gpu([92, 1024, 12_000], 'H200', 4, 141),
  h200x8: gpu([184, 2048, 24_000], 'H200', 8, 141),
  'rtx-pro-6000': gpu([22, 232, 1000], 'RTX PRO 6000', 1, 96, 'Nvidia RTX PRO 6000'),
  'rtx-pro-6000x2': gpu([44, 464, 2000], 'RTX PRO 6000', 2, 96),
  'rtx-pro-6000x4': gpu([88, 928, 4000], 'RTX PRO 6000', 4, 96),
  'rtx-pro-6000x8': gpu([176, 1856, 8000], 'RTX PRO 6000', 8, 96),
  inf2x6: { ...cpu('6x Inferentia2', 24, 96, 400), accelerator: { model: 'INF2', quantity: 6, vram: 32 } },
};

/** The response of `GET /api/jobs/hardware`. Every price is zero. */
export const HARDWARE: readonly Hardware[] = Object.entries(MACHINES).map(([name, machine]) => ({
  name,
  prettyName: machine.pretty,
  cpu: `${machine.cores} vCPU`,
  ram: `${machine.memory} GB`,
  ephemeralStorage: `${machine.disk} GB`,
  accelerator: machine.accelerator
    ? {
        type: machine.accelerator.model === 'INF2' ? 'neuron' : 'gpu',
        model: machine.accelerator.model,
        quantity: String(machine.accelerator.quantity),
        vram: `${machine.accelerator.vram} GB`,
        manufacturer: machine.accelerator.model === 'INF2' ? 'AWS' : 'Nvidia',
      }
    : null,
  unitCostMicroUSD: 0,
  unitCostUSD: 0,
  unitLabel: 'minute',
}));

/** Returns the resources of a flavor, in the units of engines. */
export function resourcesOf(flavor: JobFlavor) {
  const { cores, memory, accelerator } = MACHINES[flavor];
  return { cores, memoryBytes: memory * 1024 ** 3, accelerated: accelerator !== undefined };
}

/** Returns the variables that the hub sets in the environment of every job (W§5). */
export function builtInEnvironment(jobId: string, flavor: JobFlavor): Record<string, string> {
  const { cores, memory, accelerator } = MACHINES[flavor];
  return {
    JOB_ID: jobId,
    ACCELERATOR: accelerator?.model.toLowerCase().replaceAll(' ', '-') ?? 'none',
    CPU_CORES: String(cores),
    MEMORY: `${memory}Gi`,
  };
}

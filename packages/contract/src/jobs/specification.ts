import * as z from 'zod';

/** The hardware of a job (specification, Flavor values). */
export const Flavor = z.enum([
  'cpu-basic',
  'cpu-upgrade',
  'cpu-performance',
  'cpu-xl',
  'sprx8',
  'zero-a10g',
  't4-small',
  't4-medium',
  'l4x1',
  'l4x4',
  'l40sx1',
  'l40sx4',
  'l40sx8',
  'a10g-small',
  'a10g-large',
  'a10g-largex2',
  'a10g-largex4',
  'a100-large',
  'a100x4',
  'a100x8',
  'h200',
  'h200x2',
  'h200x4',
  'h200x8',
  'inf2x6',
]);

/** The flavors of the jobs API: those of the specification and others (W§5), which webhooks cannot request. */
export const JobFlavor = z.enum([
  ...Flavor.options,
  'rtx-pro-6000',
  'rtx-pro-6000x2',
  'rtx-pro-6000x4',
  'rtx-pro-6000x8',
]);
export type JobFlavor = z.infer<typeof JobFlavor>;

export const Arch = z.enum(['amd64', 'arm64']);

const EnvironmentVariableName = z.string().regex(/^[a-zA-Z][_a-zA-Z0-9]+$/);
const SecretName = z.string().regex(/^[a-zA-Z][_a-zA-Z0-9]*$/);
const LabelName = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9._-]+$/);
const LabelValue = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9._-]*$/);

export const Labels = z.record(LabelName, LabelValue).meta({
  description: 'Labels of the job. Names and values: at most 100 letters, digits, dots, dashes and underscores.',
});
export const Command = z.array(z.string().min(1)).min(1);
const TimeoutSeconds = z.int().positive().nullable().default(null).meta({
  description: 'Null: no limit of its own; the maximum of the operator applies.',
});

export const Volume = z.object({
  type: z.enum(['bucket', 'model', 'dataset', 'space']),
  source: z.string().meta({ description: 'namespace/name of the bucket or repository' }),
  mountPath: z.string().regex(/^\/.*/).meta({ description: 'Path in the container, such as /data' }),
  revision: z.string().optional().meta({ description: 'Repositories only; the main branch by default' }),
  readOnly: z.boolean().optional().meta({ description: 'Always true for repositories, false by default for buckets' }),
  path: z.string().optional().meta({ description: 'Folder inside the bucket or repository' }),
});

/** The job of a webhook in requests (specification, E8). */
export const JobInput = z
  .object({
    spaceId: z.string().optional(),
    dockerImage: z.string().optional(),
    arguments: z.array(z.string()).optional(),
    command: Command.optional(),
    environment: z.record(EnvironmentVariableName, z.string()).default({}),
    secrets: z.record(SecretName, z.string()).optional().meta({ description: 'Write-only, encrypted at rest.' }),
    flavor: Flavor,
    arch: Arch.optional(),
    timeoutSeconds: TimeoutSeconds,
    /** Optional, so that an update can tell an absent value, which keeps the old one, from 1. */
    attempts: z
      .int()
      .min(1)
      .optional()
      .meta({ default: 1, description: 'Maximum number of attempts: 3 means at most 2 retries.' }),
    labels: Labels.optional(),
    volumes: z.array(Volume).min(1).optional(),
  })
  .meta({ id: 'WebhookJobInput' });
export type JobInput = z.infer<typeof JobInput>;

const Ports = z.array(z.int().min(1).max(65_535)).max(20);

/** The ports of a job that can be reached from outside (W§5). */
export const Expose = z.object({ ports: Ports, portsPublic: Ports.optional() });

/** A job in requests (W§5). `expose`, `ssh` and `resourceGroupId` are refused because nothing serves them. */
export const JobSpecification = JobInput.extend({
  flavor: JobFlavor,
  timeoutSeconds: z.int().positive().nullable().optional().meta({
    description:
      'Time limit of each attempt. Absent: the default of the hub. Null: no limit of its own; the maximum of the operator applies.',
  }),
  expose: Expose.optional(),
  ssh: z.object({ enabled: z.boolean().default(false) }).optional(),
  resourceGroupId: z
    .string()
    .length(24)
    .regex(/^[0-9a-fA-F]{24}$/)
    .optional(),
}).meta({ id: 'JobSpecification' });
export type JobSpecification = z.infer<typeof JobSpecification>;

/** The job of a webhook in responses: secrets by name only, and no other fields (specification, Webhook job). */
export const WebhookJob = z
  .strictObject({
    dockerImage: z.string().optional(),
    spaceId: z.string().optional(),
    environment: z.record(EnvironmentVariableName, z.string()),
    arguments: z.array(z.string()).optional(),
    command: Command.optional(),
    flavor: Flavor,
    timeoutSeconds: z.int().positive().nullable(),
    labels: Labels.optional(),
    secrets: z.array(z.string()).optional().meta({ description: 'Names only.' }),
  })
  .meta({ id: 'WebhookJob' });
export type WebhookJob = z.infer<typeof WebhookJob>;

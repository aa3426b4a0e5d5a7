import * as z from 'zod';
import { Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** The boolean keys of the notification settings (specification; docs/notification-settings.md). */
export const NOTIFICATION_KEYS = [
  'announcements',
  'arxiv_paper_activity',
  'daily_papers_digest',
  'discussions_participating',
  'discussions_watched',
  'gated_user_access_request',
  'inference_endpoint_status',
  'launch_auto_training',
  'launch_spaces',
  'launch_prepaid_credits',
  'launch_training_cluster',
  'org_request',
  'org_suggestions',
  'org_verified_suggestions',
  'org_suggestions_to_create',
  'posts_participating',
  'user_follows',
  'secret_detected',
  'web_discussions_participating',
  'web_discussions_watched',
  'web_posts_participating',
  'api_inference_sunset',
  'locked_out',
] as const;
export type NotificationKey = (typeof NOTIFICATION_KEYS)[number];

const every = <T extends z.ZodType>(value: T) =>
  // Object.fromEntries loses the names of the keys.
  Object.fromEntries(NOTIFICATION_KEYS.map((key) => [key, value])) as Record<NotificationKey, T>;

/** The changes; absent keys keep their values. */
export const NotificationChange = z
  .object({ ...every(z.boolean().optional()), product_updates_after: Timestamp.optional() })
  .meta({ id: 'NotificationChange' });
export type NotificationChange = z.infer<typeof NotificationChange>;

/** The current values, including defaults. */
export const NotificationSettings = z
  .object({ ...every(z.boolean()), product_updates_after: Timestamp.optional() })
  .meta({ id: 'NotificationSettings' });
export type NotificationSettings = z.infer<typeof NotificationSettings>;

const prepaidAmount = z.string().max(24).optional();

export const updateNotificationSettings = defineRoute({
  id: 'updateNotificationSettings',
  method: 'PATCH',
  path: '/api/settings/notifications',
  summary: 'Update notification settings',
  description: 'Absent keys keep their values.',
  tags: ['notifications'],
  authority: 'user.settings.write',
  body: z.object({
    notifications: NotificationChange,
    prepaidAmount: prepaidAmount.meta({
      description: 'Stored as given, such as `25.00`; required to set `launch_prepaid_credits` to true.',
    }),
  }),
  answers: { 200: Success },
});

export const getNotificationSettings = defineRoute({
  id: 'getNotificationSettings',
  method: 'GET',
  path: '/api/settings/notifications',
  summary: 'Get notification settings',
  description: 'Returns all keys; those never set have their defaults.',
  tags: ['notifications'],
  authority: 'user.settings.read',
  answers: { 200: z.object({ notifications: NotificationSettings, prepaidAmount }) },
});

/** The tools of a user who has not chosen any (W§8). */
export const DEFAULT_TOOLS = ['hub_repo_search', 'hub_repo_details', 'hf_fs'] as const;

const TOOL_IDS_DESCRIPTION =
  'Ids of tools and flags, kept as given. Known to the MCP server: `hub_repo_search`, `hub_repo_details`, ' +
  '`create_repo`, `hf_fs`, `hf_jobs`, `dynamic_space`, `hf_sandbox`, `hf_sandbox_exec`, `hf_sandbox_fs`; the flags ' +
  `\`hf_files\`, \`NO_GRADIO_IMAGE_CONTENT\`. Default: ${DEFAULT_TOOLS.map((id) => `\`${id}\``).join(', ')}.`;

const SpaceTool = z.object({
  _id: z.string(),
  name: z.string().meta({ description: 'owner/name' }),
  emoji: z.string(),
  subdomain: z.string(),
});

/** The tools that an MCP server offers to a user (E4). */
export const McpSettings = z
  .object({
    builtInTools: z.array(z.string()).meta({ description: TOOL_IDS_DESCRIPTION }),
    spaceTools: z.array(SpaceTool).meta({ description: 'Spaces that the caller may see.' }),
  })
  .meta({ id: 'McpSettings' });
export type McpSettings = z.infer<typeof McpSettings>;

export const getMcpSettings = defineRoute({
  id: 'getMcpSettings',
  method: 'GET',
  path: '/api/settings/mcp',
  summary: 'Get MCP tools',
  tags: ['users'],
  authority: 'signed-in',
  answers: { 200: McpSettings },
});

/** Names a Space by `_id`, or else by `name`. Other fields of a response may be sent back and are ignored. */
const SpaceToolInput = z
  .object({
    _id: z.string().optional(),
    name: z.string().optional().meta({ description: 'owner/name; ignored if `_id` is given.' }),
    emoji: z.string().min(1).max(32).optional(),
  })
  .refine(({ _id, name }) => _id !== undefined || name !== undefined, 'must have `_id` or `name`');
export type SpaceToolInput = z.infer<typeof SpaceToolInput>;

export const updateMcpSettings = defineRoute({
  id: 'updateMcpSettings',
  method: 'PATCH',
  path: '/api/settings/mcp',
  summary: 'Choose MCP tools',
  description: 'Each given list replaces the old one; absent lists are kept.',
  tags: ['users'],
  authority: 'user.settings.write',
  body: z.object({
    builtInTools: z.array(z.string().min(1).max(100)).max(100).optional().meta({ description: TOOL_IDS_DESCRIPTION }),
    spaceTools: z.array(SpaceToolInput).max(100).optional(),
  }),
  answers: { 200: McpSettings },
  otherAnswers: { 404: 'A Space is not there, or not visible to the caller. Nothing has changed.' },
});

export const settingsRoutes = [
  updateNotificationSettings,
  getNotificationSettings,
  getMcpSettings,
  updateMcpSettings,
] as const;

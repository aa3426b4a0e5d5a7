import { group } from '../command.ts';
import { getLog, logs, replay } from './webhook-logs.ts';
import { create, disable, enable, list, remove, rotate, show, testing, update } from './webhook-settings.ts';

export const webhooks = group('webhooks', 'your webhooks and their deliveries', [
  ...[list, create, show, update, enable, disable, remove],
  ...[logs, getLog, replay, testing, rotate],
]);

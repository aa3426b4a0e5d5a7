import { group } from '../../program/command.ts';
import { getLog, logs, replay } from './logs.ts';
import { create, disable, enable, list, remove, rotate, show, testing, update } from './settings.ts';

export const webhooks = group('webhooks', 'your webhooks and their deliveries', [
  ...[list, create, show, update, enable, disable, remove],
  ...[logs, getLog, replay, testing, rotate],
]);

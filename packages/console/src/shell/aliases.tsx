import { Redirect, useLocation } from 'wouter';
import { useMe } from '../session/session.tsx';
import { NotFound } from './not-found.tsx';

/** The addresses of settings on the public hub that have another one here. */
const SETTINGS: Readonly<Record<string, string>> = {
  notifications: '/settings',
  account: '/settings/sign-in',
  authentication: '/settings/sign-in',
  webhooks: '/webhooks',
  organizations: '/organizations',
  jobs: '/jobs',
};

/** Leads from an address of the public hub below `/settings` to the page that shows the same here. */
export function SettingsAlias() {
  const [path] = useLocation();
  const { data: me } = useMe();
  const [, , name = '', ...rest] = path.split('/');
  const home = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (name === 'profile' && rest.length === 0) return me ? <Redirect to={`/${me.name}`} replace /> : null;
  if (home === undefined) return <NotFound />;
  const below = name === 'webhooks' ? rest : [];
  return <Redirect to={[home, ...below].join('/')} replace />;
}

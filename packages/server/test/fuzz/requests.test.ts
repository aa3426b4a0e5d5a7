import { allRoutes } from '@moonbase/contract/routes';
import { isOfOrganization, tryRoutes } from './fuzz-routes.ts';

tryRoutes(allRoutes.filter((route) => !isOfOrganization(route)));

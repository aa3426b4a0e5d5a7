import { allRoutes } from '@moonbase/contract/routes';
import { fuzzRoutes, isOfOrganization } from './fuzz-routes.ts';

fuzzRoutes(allRoutes.filter((route) => !isOfOrganization(route)));

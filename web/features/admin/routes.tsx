import type { RouteObject } from 'react-router';
import { paths } from '#web/paths.ts';

/** Screens of the admin area. The addresses are whole, so they fit below whichever frame they are put in. */
export const adminRoutes: RouteObject[] = [
  {
    lazy: () => import('#web/features/admin/AdminArea.tsx'),
    children: [
      { path: paths.admin, lazy: () => import('#web/features/admin/CreatorsPage.tsx') },
      { path: paths.adminUsers, lazy: () => import('#web/features/admin/UsersPage.tsx') },
      { path: paths.adminFlags, lazy: () => import('#web/features/admin/FlagsPage.tsx') },
      { path: paths.adminMoney, lazy: () => import('#web/features/admin/MoneyPage.tsx') },
      { path: paths.adminOperations, lazy: () => import('#web/features/admin/OperationsPage.tsx') },
      { path: paths.adminAudit, lazy: () => import('#web/features/admin/AuditPage.tsx') },
    ],
  },
];

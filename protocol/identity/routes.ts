import type { Table } from '#protocol/route.js'

export const identityRoutes = {} as const satisfies Table

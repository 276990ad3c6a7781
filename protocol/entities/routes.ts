import type { Table } from '#protocol/route.js'

export const entitiesRoutes = {} as const satisfies Table

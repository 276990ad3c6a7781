import type { Table } from '#protocol/route.js'

export const adminRoutes = {} as const satisfies Table

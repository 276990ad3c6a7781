import type { Table } from '#protocol/route.js'

export const ledgerRoutes = {} as const satisfies Table

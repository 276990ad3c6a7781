import type { Table } from '#protocol/route.js'

export const discoveryRoutes = {} as const satisfies Table

import type { Table } from '#protocol/route.js'

export const pointsRoutes = {} as const satisfies Table

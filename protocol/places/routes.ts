import type { Table } from '#protocol/route.js'

export const placesRoutes = {} as const satisfies Table

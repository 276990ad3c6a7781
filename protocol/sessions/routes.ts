import type { Table } from '#protocol/route.js'

export const sessionsRoutes = {} as const satisfies Table

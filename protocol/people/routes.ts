import type { Table } from '#protocol/route.js'

export const peopleRoutes = {} as const satisfies Table

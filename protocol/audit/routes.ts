import { DayText, DirectiveText, NameText, windowQuery } from '#protocol/query.js'
import { read, type Table } from '#protocol/route.js'
import { NotificationList } from './notification.js'

export const auditRoutes = {
  'audit.notifications': read({
    path: '/audit/notifications',
    summary: 'What sessions announce that it be delivered, and to whom; whether it arrived is not told here.',
    capability: 'log.read',
    query: { target: NameText, directive: DirectiveText, from: DayText, to: DayText, ...windowQuery },
    answers: { 200: NotificationList },
    refusals: [],
    source: 'B 4.5, FORMATS 4.6, FORMATS 8',
  }),
} as const satisfies Table

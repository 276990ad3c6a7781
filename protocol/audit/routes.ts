import {
  CursorText,
  DayText,
  DirectiveText,
  NameText,
  PageLimitText,
  PathText,
  windowQuery,
} from '#protocol/query.js'
import { ofHost, read, route, type Table } from '#protocol/route.js'
import { ChangePage } from './change.js'
import { NotificationList } from './notification.js'

export const auditRoutes = {
  'audit.notifications.list': read({
    path: '/audit/notifications',
    summary: 'Notices that sessions announce, and their recipients; not whether they were delivered.',
    capability: 'log.read',
    query: { target: NameText, directive: DirectiveText, from: DayText, to: DayText, ...windowQuery },
    answers: { 200: NotificationList },
    refusals: [],
    source: 'B 4.5, FORMATS 4.6, FORMATS 8',
    example: {
      query: {
        target: 'Wit Kłos',
        directive: 'Grupa',
        from: '2026-01-01',
        to: '2026-12-31',
        limit: '5',
        offset: '0',
      },
    },
  }),
  'audit.changes.list': route({
    ...ofHost,
    method: 'GET',
    path: '/audit/changes',
    summary: 'Changes of the lore field by field, newest commit first; at most 500, 100 unless told.',
    capability: 'log.read',
    query: {
      name: NameText,
      field: NameText,
      file: PathText,
      from: DayText,
      to: DayText,
      cursor: CursorText,
      limit: PageLimitText,
    },
    body: null,
    answers: { 200: ChangePage },
    refusals: ['NoRepository', 'ParameterInvalid', 'Overloaded'],
    source: 'B 4.5, FORMATS 8',
    example: {
      query: {
        name: 'Kupiec Bogdan',
        field: '@status',
        file: 'encje/indeks.md',
        from: '2026-01-01',
        to: '2026-12-31',
        limit: '5',
        cursor: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.0.0.0',
      },
    },
  }),
} as const satisfies Table

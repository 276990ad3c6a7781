import { NameText } from '#protocol/query.js'
import { read, type Table, write } from '#protocol/route.js'
import { PermissionPatch, PermissionRows, PermissionsAnswer } from './permissions.js'
import { OwnerAnswer, OwnerPatch, SchedulesAnswer } from './schedules.js'

/** Permissions of narrators, and owners of schedules (A 4.11). The rows come before `/governance/{ref}`. */
export const governanceRoutes = {
  'governance.permissions.list': read({
    path: '/governance/permissions',
    summary: 'The permissions of narrators; `id` is a game id, a heading or an alias, and keeps one row.',
    capability: 'governance.read',
    query: { id: NameText },
    answers: { 200: PermissionRows },
    refusals: ['StoreUnreadable'],
    source: 'A 4.11',
    example: { query: { id: '41001' } },
  }),
  'governance.permissions.update': write({
    method: 'PATCH',
    path: '/governance/permissions/{nick}',
    summary: 'Sets fields of the permissions of one Gracz, whom a heading, an alias or a game id names.',
    capability: 'governance.write',
    own: false,
    query: {},
    body: PermissionPatch,
    unknownKeys: 'written',
    reservedKey: 'ValueRefused',
    answers: { 200: PermissionsAnswer },
    refusals: ['PersonNotFound', 'IdentityNotFound', 'ValueRefused', 'StoreUnreadable'],
    source: 'A 4.11',
    example: {
      path: { nick: 'Brzoza' },
      body: { ranga: 'starszy narrator', magia: 'pełna', walki_pvp: true },
    },
  }),
  'config.schedules.get': read({
    path: '/config/schedules',
    summary: 'The recurring workloads with their owners, by the committed configuration.',
    capability: 'governance.read',
    query: {},
    answers: { 200: SchedulesAnswer },
    refusals: [],
    source: 'A 4.11',
    example: {},
  }),
  'config.schedules.update': write({
    method: 'PATCH',
    path: '/config/schedules/{workload}',
    summary: 'Sets the owner of a workload in the committed configuration.',
    capability: 'governance.write',
    own: false,
    query: {},
    body: OwnerPatch,
    answers: { 200: OwnerAnswer },
    refusals: ['WorkloadNotFound', 'OwnerNotAllowed', 'StoreUnreadable'],
    source: 'A 4.11',
    example: { path: { workload: 'map_checkup' }, body: { owner: 'ci' } },
  }),
} as const satisfies Table

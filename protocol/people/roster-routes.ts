import * as t from 'io-ts'
import { type Route, route, type Table } from '#protocol/route.js'

/** The person that a write names. Such a write is always refused, so the rest of the body is ignored. */
const PersonWrite = t.partial({ name: t.unknown, tag: t.unknown }, 'PersonWrite')

const refused = {
  capability: 'player.write',
  own: true,
  write: true,
  replica: false,
  pool: false,
  poolReason: 'mutates',
  etag: false,
  early: false,
  query: {},
  answers: {},
  unknownKeys: 'ignored',
  refusals: ['Forbidden', 'RosterStoreProperty'],
  source: 'A 4.6.1',
} as const satisfies Omit<Route, 'method' | 'path' | 'summary' | 'body'>

/**
 * Writes of people: always refused, because the roster is edited by committing the contributor store (A
 * 4.6.1, D38).
 */
export const rosterRoutes = {
  'people.create': route({
    ...refused,
    method: 'POST',
    path: '/people',
    summary: 'Would add a person: always refused, the contributor store is edited by commits.',
    body: PersonWrite,
    example: { body: { name: 'Brzoza' } },
  }),
  'people.update': route({
    ...refused,
    method: 'PATCH',
    path: '/people/{name}',
    summary: 'Would set a tag of a person: always refused, the contributor store is edited by commits.',
    body: PersonWrite,
    example: { path: { name: 'Brzoza' }, body: { tag: '@alias' } },
  }),
  'people.delete': route({
    ...refused,
    method: 'DELETE',
    path: '/people/{name}',
    summary: 'Would retire a person: always refused, the contributor store is edited by commits.',
    body: null,
    example: { path: { name: 'Brzoza' } },
  }),
  'people.chatChannel.set': route({
    ...refused,
    method: 'PUT',
    path: '/people/{name}/chat-channel',
    summary: 'Would set the chat channel of a person: always refused, the store is edited by commits.',
    body: PersonWrite,
    example: { path: { name: 'Brzoza' }, body: {} },
  }),
} as const satisfies Table

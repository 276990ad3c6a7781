import fc from 'fast-check'
import type { Dated, Rights } from './rights-model.js'

/** A change of rights; `mints` is the game id that a named token is minted for. */
export interface RightsStep {
  readonly says: string
  readonly mints: string | null
  readonly then: (rights: Rights) => Rights
}

export const gameIds = ['71100', '71200', '71300'] as const
export const chatIds = ['900100', '900200'] as const
const people = ['Anna', 'Bolko', 'Cis'] as const
const roles = ['straż', 'skryba', 'mag', 'nikt taki'] as const
const gifts = [
  'sync.run',
  'sync.read.own',
  'pu.read',
  'pu.all',
  'apikey.manage.own',
  'docs.all',
  'admin.all',
  'player.write',
  'log.read',
] as const

/** Every person but Cis has their own game id. */
export const firstRights: Rights = {
  today: 0,
  people: {
    Anna: { ids: { [gameIds[0]]: { from: null, to: null } }, roles: {} },
    Bolko: { ids: { [gameIds[1]]: { from: null, to: null } }, roles: {} },
    Cis: { ids: {}, roles: {} },
  },
  bundles: {
    gracz: ['entity.read', 'player.write.own', 'pu.read.own', 'capability.read'],
    straż: ['sync.read', 'log.read', 'moderation.read'],
    skryba: ['session.all', 'pu.read', 'sync.read.own'],
    mag: ['lore.edit', 'currency.read.own', 'docs.edit', 'token.manage'],
  },
  granted: [],
  linked: {},
}

const step = (says: string, then: RightsStep['then'], mints: string | null = null): RightsStep => ({
  says,
  then,
  mints,
})

const setEntry = <A>(
  all: Readonly<Record<string, A>>,
  key: string,
  value: A | null,
): Readonly<Record<string, A>> =>
  Object.fromEntries([
    ...Object.entries(all).filter(([name]) => name !== key),
    ...(value === null ? [] : [[key, value] as const]),
  ])

const isGrant = (id: string, gift: string) => (one: readonly [string, string]) =>
  one[0] === id && one[1] === gift

const dated: fc.Arbitrary<Dated> = fc
  .tuple(
    fc.option(fc.integer({ min: -2, max: 4 }), { nil: null }),
    fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }),
  )
  .map(([from, days]) => ({ from, to: days === null ? null : (from ?? 0) + days }))

const maybe = fc.option(dated, { nil: null })

const given = fc
  .tuple(fc.constantFrom(...gameIds), fc.constantFrom(...gifts), fc.boolean())
  .map(([id, gift, gives]) =>
    step(`${gives ? 'grant' : 'revoke'} ${gift} ${id}`, rights => {
      const others = rights.granted.filter(one => !isGrant(id, gift)(one))
      return { ...rights, granted: gives ? [...others, [id, gift] as const] : others }
    }),
  )

const had = (what: 'ids' | 'roles', among: ReadonlyArray<string>) =>
  fc.tuple(fc.constantFrom(...people), fc.constantFrom(...among), maybe).map(([who, one, range]) =>
    step(`${who} ${what} ${one} ${JSON.stringify(range)}`, rights => {
      const person = rights.people[who] ?? { ids: {}, roles: {} }
      const changed = { ...person, [what]: setEntry(person[what], one, range) }
      return { ...rights, people: { ...rights.people, [who]: changed } }
    }),
  )

const linked = fc
  .tuple(fc.constantFrom(...chatIds), fc.option(fc.constantFrom(...gameIds), { nil: null }))
  .map(([chat, id]) =>
    step(`link ${chat} ${id ?? 'nobody'}`, rights => {
      const others = Object.entries(rights.linked).filter(([, other]) => other !== id)
      return { ...rights, linked: setEntry(Object.fromEntries(others), chat, id) }
    }),
  )

const passed = fc
  .integer({ min: 1, max: 3 })
  .map(days => step(`${days} days pass`, rights => ({ ...rights, today: rights.today + days })))

const minted = fc.constantFrom(...gameIds).map(id => step(`mint for ${id}`, rights => rights, id))

export const rightsSteps = (max: number): fc.Arbitrary<ReadonlyArray<RightsStep>> =>
  fc.array(fc.oneof(given, had('ids', gameIds), had('roles', roles), linked, passed, minted), {
    minLength: 1,
    maxLength: max,
  })

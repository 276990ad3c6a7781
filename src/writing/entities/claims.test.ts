import { deepEqual } from 'node:assert/strict'
import type { Refusal } from '#protocol/refusal.js'
import { batchOf } from '#test/support/batches.js'
import { worldOf } from '#test/support/world.js'
import type { WritePlan } from '../command.js'
import { infoAppended } from '../people/info.js'
import { planForBlock } from './entity-change.js'
import { createEntity, type NewEntity, patchEntity } from './entity-writes.js'
import { renameEntity } from './rename.js'

const world = worldOf({
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': ['Ala', 'Bór', 'Cis', 'Dąb']
    .map(name => `### ${name}\n- @typ: ${name === 'Ala' ? 'Postać' : 'Lokacja'}\n`)
    .join('\n'),
})

type Plan = WritePlan<unknown, Refusal>

const make = (name: string, type: NewEntity['type'], tags: NewEntity['tags'] = {}): Plan => {
  return snapshot => createEntity(snapshot, { name, type, tags })
}
const put = (name: string, tag: string, value: string): Plan =>
  planForBlock(name, undefined, (snapshot, entity) => patchEntity(snapshot, entity, { tag, value }))
const call = (name: string, other: string): Plan =>
  planForBlock(name, undefined, (snapshot, entity) => renameEntity(snapshot, entity, other))
const tell = (name: string): Plan =>
  planForBlock(name, undefined, (snapshot, entity) =>
    infoAppended(
      snapshot,
      entity,
      { mayReadRestricted: true, sessions: true, logs: true, external: true },
      'Nowe.',
    ),
  )

/** Two writes planned on one snapshot land side by side: what one rests on must not be what the other changes. */
const pairs: ReadonlyArray<readonly [string, Plan, Plan]> = [
  ['an entry and a rename, which takes the file along', tell('Ala'), call('Ala', 'Ewa')],
  ['a rename and an entry, which makes the file', call('Ala', 'Ewa'), tell('Ala')],
  ['a spelling and a block of that name', put('Ala', 'alias', 'Ewa'), make('Ewa', 'Postać')],
  [
    'a new block with a spelling and one of that name',
    make('Iga', 'NPC', { alias: 'Ewa' }),
    make('EWA', 'NPC'),
  ],
  ['a nick and a rename to it', put('Ala', 'nick', 'Ewa'), call('Bór', 'Ewa')],
  ['a new block behind the last one and a row of that one', make('Ewa', 'NPC'), put('Dąb', 'info', 'x')],
  ['places that move, which may close a circle', put('Bór', 'lokacja', 'Cis'), put('Dąb', 'lokacja', 'Bór')],
  [
    'new places that wait for each other',
    make('Jar', 'Lokacja', { lokacja: 'Las' }),
    make('Las', 'Lokacja', { lokacja: 'Jar' }),
  ],
]

const deferredOf = (...plans: ReadonlyArray<Plan>): ReadonlyArray<number> => {
  const { ready, refused, deferred } = batchOf(world, plans)
  deepEqual([ready.map(one => one.at), refused], [plans.length > deferred.length ? [0] : [], []])
  return deferred
}

describe('claims of entity writes', () => {
  for (const [what, one, other] of pairs)
    it(`plan the later of two again: ${what}`, () => {
      deepEqual(deferredOf(one, other), [1])
    })

  it('leave writes of other things alone', () => {
    const plans = [put('Bór', 'info', 'x'), put('Cis', 'info', 'x'), make('Ewa', 'NPC'), tell('Ala')]
    deepEqual(batchOf(world, plans).deferred, [])
  })
})

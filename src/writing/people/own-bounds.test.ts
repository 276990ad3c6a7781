import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { bounds } from '#protocol/bounds.js'
import type { Refusal } from '#protocol/refusal.js'
import { type OwnScope, ownScope } from '#src/domain/identity/readable.js'
import { charactersOf } from '#src/domain/people/characters.js'
import { bytesOfCharacters } from '#src/domain/people/own-lore.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { batchOf } from '#test/support/batches.js'
import { runsOf } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'
import type { WritePlan } from '../command.js'
import { planForBlock } from '../entities/entity-change.js'
import { patchEntity } from '../entities/entity-writes.js'
import { createCharacter } from './characters.js'
import { infoAppended } from './info.js'
import { type OwnLore, withinOwnBounds } from './own-lore.js'

const scopeAt = (snapshot: Snapshot): OwnScope =>
  ownScope('Odo', {
    people: snapshot.people,
    entities: snapshot.entities,
    characters: charactersOf(snapshot.entities, snapshot.people, snapshot.day),
  })

const loreAt = (snapshot: Snapshot): OwnLore => ({
  key: 'odo',
  bytes: () => bytesOfCharacters(snapshot, scopeAt(snapshot).blocks),
  mend: 'Ask a narrator.',
})

type Plan = WritePlan<unknown, Refusal>

/** A plan as a request of Odo is planned. */
const ofOdo =
  (plan: Plan): Plan =>
  (snapshot, nowMs) => {
    const set = plan(snapshot, nowMs)
    return isLeft(set) ? set : withinOwnBounds(snapshot, loreAt(snapshot), set.right)
  }

const visible = { entities: true, sessions: true }

const make = (name: string, stan: string): Plan =>
  ofOdo(snapshot =>
    createCharacter(snapshot, scopeAt(snapshot), { name, tags: { należy_do: 'Odo', stan } }, visible),
  )
const put = (name: string, value: string): Plan =>
  ofOdo(
    planForBlock(name, 'Postać', (snapshot, entity) => patchEntity(snapshot, entity, { tag: 'info', value })),
  )
const drop = (name: string, value: string): Plan =>
  ofOdo(
    planForBlock(name, 'Postać', (snapshot, entity) =>
      patchEntity(snapshot, entity, { tag: 'info', value, remove: true }),
    ),
  )
const tell = (name: string, text: string): Plan =>
  ofOdo(
    planForBlock(name, 'Postać', (snapshot, entity) =>
      infoAppended(
        snapshot,
        entity,
        { mayReadRestricted: false, sessions: true, logs: true, external: true },
        text,
      ),
    ),
  )

const worldWith = (characters: number, rows: ReadonlyArray<string> = []): Snapshot =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': '## Gracz\n### Odo\n- @gameid: 1\n',
    'encje/indeks.md': Array.from({ length: characters }, (_, at) =>
      [`### Wilk ${at}`, '- @typ: Postać', '- @należy_do: Odo', ...rows, ''].join('\n'),
    ).join('\n'),
  })

/** Takes plans as batches of the gate do until none waits; returns the world and the bounds that were met. */
const landPlans = (first: Snapshot, plans: ReadonlyArray<Plan>) => {
  let [world, waiting] = [first, plans]
  const met: Array<Refusal> = []
  while (waiting.length > 0) {
    const { ready, refused, deferred } = batchOf(world, waiting)
    ok(ready.length <= 1, 'two writes of one player on one snapshot')
    met.push(...refused.map(({ refusal }) => refusal))
    for (const { set } of ready) world = worldOf(applyEdits(world, set.edits))
    const later = new Set(deferred)
    waiting = waiting.filter((_, at) => later.has(at))
  }
  return { world, met }
}

const boundsOf = (refusals: ReadonlyArray<Refusal>): ReadonlyArray<unknown> =>
  refusals.map(one => (one._tag === 'BoundExceeded' ? one.bound : one._tag))

describe('the bounds of what one player has', () => {
  it('two new Postacie in one batch do not exceed them together', () => {
    const plans = [make('Ewa', 'x'), make('Iga', 'x')]
    const { world, met } = landPlans(worldWith(bounds.ownCharacters.limit - 1), plans)
    deepEqual(boundsOf(met), ['ownCharacters'])
    equal(scopeAt(world).blocks.length, bounds.ownCharacters.limit)
  })

  it('two values of two Postacie in one batch do not exceed them together', () => {
    const rows = Array.from({ length: 15 }, (_, at) => `- @info: ${at}${'x'.repeat(8100)}`)
    const plans = [
      put('Wilk 0', 'a'.repeat(8000)),
      tell('Wilk 1', 'b'.repeat(8000)),
      put('Wilk 1', 'c'.repeat(8000)),
    ]
    const { world, met } = landPlans(worldWith(2, rows), plans)
    deepEqual(boundsOf(met), ['ownBytes'])
    ok(bytesOfCharacters(world, scopeAt(world).blocks) <= bounds.ownBytes.limit)
  })

  it('what lies above them takes a write that makes nothing longer', () => {
    const rows = Array.from({ length: 40 }, (_, at) => `- @info: ${at}${'x'.repeat(8100)}`)
    const world = worldWith(1, rows)
    ok(bytesOfCharacters(world, scopeAt(world).blocks) > bounds.ownBytes.limit)
    ok(isLeft(put('Wilk 0', 'y')(world, 0)))
    ok(isRight(drop('Wilk 0', `3${'x'.repeat(8100)}`)(world, 0)))
  })

  it('hold after any row of writes, in whatever batches they come', () => {
    const name = fc.integer({ min: 0, max: 3 }).map(at => `Wilk ${at}`)
    const text = fc.tuple(fc.constantFrom('a', 'ż', '字'), fc.integer({ min: 1, max: 2700 }))
    const value = text.map(([letter, count]) => letter.repeat(count))
    const plan = fc.oneof(
      fc.tuple(name, value).map(([one, said]) => put(one, said)),
      fc.tuple(name, value).map(([one, said]) => drop(one, said)),
      fc.tuple(name, value).map(([one, said]) => tell(one, said)),
      fc.tuple(fc.stringMatching(/^[a-z]{3,8}$/u), value).map(([one, said]) => make(one, said)),
    )
    const rows = Array.from({ length: 7 }, (_, at) => `- @info: ${at}${'x'.repeat(8100)}`)
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 5 }), fc.array(plan, { maxLength: 12 }), (count, plans) => {
        const { world } = landPlans(worldWith(count === 4 ? 4 : 19, count === 4 ? rows : []), plans)
        const { blocks } = scopeAt(world)
        ok(bytesOfCharacters(world, blocks) <= bounds.ownBytes.limit)
        ok(blocks.length <= bounds.ownCharacters.limit)
      }),
      { numRuns: runsOf(30) },
    )
  })
})

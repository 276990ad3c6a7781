import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { capabilities } from '#protocol/atoms.js'
import { identitiesOf } from '#src/domain/identity/callers.js'
import { resolveCapabilities } from '#src/domain/identity/grade.js'
import { grantsPath } from '#src/domain/identity/grants.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { runsOf } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'
import { grantPlan, revokePlan } from './grants.js'

const nowMs = Date.parse('2026-06-15T12:00:00Z')
const store = `## Gracz
### Brzoza
- @gameid: 100
- @rola: Narrator
### Cis
- @gameid: 200
### Dąb
- @gameid: 300
### Grab
- @gameid: 300
### Jodła
- @gameid: 400 (:2025-12)
`
const grant = (gameId: string, capability: string) => ({
  gameId,
  capability,
  since: '2026-01-01T00:00:00Z',
  by: 'Brzoza',
})
const worldWith = (grants: string | null = null): Snapshot =>
  worldOf(
    { 'kontrybutorzy.md': store, ...(grants === null ? {} : { [grantsPath]: grants }) },
    { day: '2026-06-15' },
  )
const admin = { by: 'Brzoza', holds: new Set(['admin.all']) }
const grantsText = (...grants: ReadonlyArray<object>) => JSON.stringify({ grants })

const after = (snapshot: Snapshot, { edits }: ChangeSet<unknown>): Snapshot =>
  worldOf(applyEdits(snapshot, edits), { day: '2026-06-15' })
const capabilitiesOf = (snapshot: Snapshot, gameId: string) =>
  resolveCapabilities(identitiesOf(snapshot).byGameId(gameId)?.holds ?? new Set())

describe('grants', () => {
  it('are one a line, with who gave them and when; the next request holds them', () => {
    const first = grantPlan({ gameId: '200', capability: 'sync.run' }, admin)(worldWith(), nowMs)
    ok(isRight(first))
    const world = after(worldWith(), first.right)
    const second = grantPlan({ gameId: '100', capability: 'pu.all' }, admin)(world, nowMs)
    ok(isRight(second))
    equal(
      after(world, second.right).files.get(grantsPath)?.text,
      '{"grants": [\n' +
        '{"gameId":"200","capability":"sync.run","since":"2026-06-15T12:00:00.000Z","by":"Brzoza"},\n' +
        '{"gameId":"100","capability":"pu.all","since":"2026-06-15T12:00:00.000Z","by":"Brzoza"}\n]}\n',
    )
    ok(capabilitiesOf(after(world, second.right), '100').includes('pu.award'))
    deepEqual(second.right.touches, [{ kind: 'identity', name: 'Brzoza' }])
    equal(second.right.subject, 'grants: give pu.all to Brzoza (100)')
  })

  it('are not given where the file would be too long to be read, and are taken back from it', () => {
    const text = grantsText(grant('100', 'pu.all'), grant('9'.repeat(1_048_350), 'pu.all'))
    const world = worldWith(text)
    ok(world.grants.stored !== null && text.length < 1_048_576)
    const refused = grantPlan({ gameId: '200', capability: 'sync.run' }, admin)(world, nowMs)
    equal(isLeft(refused) && refused.left._tag, 'StoreUnreadable')
    const taken = revokePlan({ gameId: '100', capability: 'pu.all' })(world)
    ok(isRight(taken))
    equal(after(world, taken.right).grants.stored?.length, 1)
  })

  it('change nothing where they stand already, and say so', () => {
    const planned = grantPlan({ gameId: '200', capability: 'sync.run' }, admin)(
      worldWith(grantsText(grant('200', 'sync.run'))),
      nowMs,
    )
    ok(isRight(planned))
    deepEqual([planned.right.edits, planned.right.answer.changed], [[], false])
  })

  const refusals: ReadonlyArray<readonly [what: string, gameId: string, capability: string, tag: string]> = [
    ['docs.edit', '200', 'docs.edit', 'ValueRefused'],
    ['all of what nobody is given', '200', 'docs.all', 'ValueRefused'],
    ['an unknown id', '200', 'sync.fly', 'ValueRefused'],
    ['an own-only sync', '200', 'sync.run.own', 'ValueRefused'],
    ['an id in other letters', '200', 'Sync.run', 'ValueRefused'],
    ['nobody', '999', 'sync.run', 'IdentityNotFound'],
    ['an id of two people', '300', 'sync.run', 'IdentityNotFound'],
    ['a retired id', '400', 'sync.run', 'IdentityNotFound'],
    ['a name in place of an id', 'Cis', 'sync.run', 'IdentityNotFound'],
  ]
  for (const [what, gameId, capability, tag] of refusals)
    it(`are refused for ${what}`, () => {
      const planned = grantPlan({ gameId, capability }, admin)(worldWith(), nowMs)
      ok(isLeft(planned))
      equal(planned.left._tag, tag)
    })

  it('never replace a file that cannot be read', () => {
    const world = worldWith('{"grants": [')
    const wish = { gameId: '200', capability: 'sync.run' }
    for (const planned of [grantPlan(wish, admin)(world, nowMs), revokePlan(wish)(world)]) {
      ok(isLeft(planned))
      equal(planned.left._tag, 'StoreUnreadable')
    }
  })

  it('give nobody more than the giver holds and the taker held', () => {
    const ids = [...capabilities, 'pu.all', 'sync.all', 'player.all', 'admin.all']
    const holds = fc.subarray(ids.filter(one => one !== 'admin.all'))
    fc.assert(
      fc.property(holds, fc.constantFrom(...ids), (giver, capability) => {
        const world = worldWith()
        const planned = grantPlan({ gameId: '200', capability }, { by: 'Brzoza', holds: new Set(giver) })(
          world,
          nowMs,
        )
        if (isLeft(planned)) return
        const bound = new Set([...resolveCapabilities(new Set(giver)), ...capabilitiesOf(world, '200')])
        deepEqual(
          capabilitiesOf(after(world, planned.right), '200').filter(one => !bound.has(one)),
          [],
        )
      }),
      { numRuns: runsOf(300) },
    )
  })

  it('are not given by who holds a part of them, or their own-only form', () => {
    const pairs = [
      ['capability.admin', 'admin.all'],
      ['pu.read.own', 'pu.read'],
      ['pu.award', 'pu.all'],
      ['lore.edit', 'player.restricted.read'],
    ] as const
    for (const [has, capability] of pairs) {
      const giver = { by: 'Cis', holds: new Set([has, 'capability.admin']) }
      const planned = grantPlan({ gameId: '200', capability }, giver)(worldWith(), nowMs)
      ok(isLeft(planned), capability)
      equal(planned.left._tag, 'Forbidden')
    }
  })
})

describe('the taking back of a grant', () => {
  it('leaves every other one, and tells what a role still gives', () => {
    const world = worldWith(
      grantsText(grant('100', 'session.write'), grant('200', 'sync.run'), grant('100', 'sync.run')),
    )
    const planned = revokePlan({ gameId: '100', capability: 'session.write' })(world)
    ok(isRight(planned))
    deepEqual(planned.right.answer, {
      revoked: 'session.write',
      gameId: '100',
      name: 'Brzoza',
      changed: true,
      held: 'full',
    })
    deepEqual(
      after(world, planned.right).grants.stored?.map(one => one.gameId),
      ['200', '100'],
    )
  })

  it('takes effect with the next request, however often it was given', () => {
    const world = worldWith(grantsText(grant('200', 'sync.run'), grant('200', 'sync.run')))
    const planned = revokePlan({ gameId: '200', capability: 'sync.run' })(world)
    ok(isRight(planned))
    ok(!capabilitiesOf(after(world, planned.right), '200').includes('sync.run'))
    equal(after(world, planned.right).files.get(grantsPath)?.text, '{"grants": []}\n')
  })

  it('works for an id that is nobody’s any more and for a capability that there is not', () => {
    const world = worldWith(grantsText(grant('400', 'sync.run'), grant('200', 'sync.fly')))
    for (const [gameId, capability] of [
      ['400', 'sync.run'],
      ['200', 'sync.fly'],
    ] as const) {
      const planned = revokePlan({ gameId, capability })(world)
      ok(isRight(planned))
      deepEqual([planned.right.answer.changed, planned.right.answer.held], [true, 'none'])
    }
  })

  it('changes nothing where no such grant stands, and refuses a slip', () => {
    const world = worldWith()
    const none = revokePlan({ gameId: '200', capability: 'sync.run' })(world)
    ok(isRight(none))
    deepEqual([none.right.edits, none.right.answer.changed], [[], false])
    const tags = [
      ['999', 'sync.run', 'IdentityNotFound'],
      ['200', 'sync.fly', 'ValueRefused'],
    ] as const
    for (const [gameId, capability, tag] of tags) {
      const planned = revokePlan({ gameId, capability })(world)
      ok(isLeft(planned))
      equal(planned.left._tag, tag)
    }
  })
})

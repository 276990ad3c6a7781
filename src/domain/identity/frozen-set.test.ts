import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft, isRight, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { capabilities } from '#protocol/atoms.js'
import { hasEveryRightOf } from './callers.js'
import { freezeSet } from './credentials/private-keys.js'
import { gradeOf } from './grade.js'
import { isGrant } from './grants.js'

const describeFrozen = (holds: ReadonlyArray<string>, wanted: ReadonlyArray<string>): string => {
  const frozen = freezeSet(new Set(holds), wanted)
  return isLeft(frozen) ? `${frozen.left._tag}: ${frozen.left.detail}` : frozen.right.join(' ')
}

const resources = [...new Set(capabilities.map(id => id.slice(0, id.indexOf('.'))))]
const anyGrant = fc.constantFrom(
  ...capabilities.filter(isGrant),
  ...resources.map(resource => `${resource}.all`).filter(isGrant),
)

describe('a set that is frozen', () => {
  it('holds what was wanted, each id once, for whoever holds it', () => {
    deepEqual(
      freezeSet(new Set(['session.all']), ['session.read', 'session.all', 'session.read']),
      right(['session.read', 'session.all']),
    )
    deepEqual(freezeSet(new Set(['admin.all']), ['admin.all', 'sync.all']), right(['admin.all', 'sync.all']))
    equal(describeFrozen(['pu.read'], ['pu.read.own']), 'pu.read.own')
    equal(describeFrozen(['lore.edit'], ['player.restricted.read']), 'player.restricted.read')
  })

  it('is refused for an id that is not listed, and for docs.edit', () => {
    for (const id of ['docs.edit', 'session.reed', 'all', '', 'Session.read', 'session.read '])
      ok(describeFrozen(['admin.all'], [id]).startsWith('ValueRefused'), id)
    const frozen = freezeSet(new Set(['admin.all']), ['sync.reed'])
    deepEqual(isLeft(frozen) && 'candidates' in frozen.left && frozen.left.candidates, [
      'sync.read',
      'sync.run',
    ])
  })

  it('is refused beyond what the minter holds in full, and names the id', () => {
    equal(describeFrozen(['pu.read.own'], ['pu.read']).slice(0, 9), 'Forbidden')
    equal(describeFrozen(['token.manage'], ['admin.all']).slice(0, 9), 'Forbidden')
    const frozen = freezeSet(new Set(['token.manage']), ['token.manage', 'sync.run'])
    deepEqual(isLeft(frozen) && 'required' in frozen.left && frozen.left.required, 'sync.run')
  })

  it('reaches no id of a later build: every id of a resource is not the resource', () => {
    equal(describeFrozen(['sync.read', 'sync.run'], ['sync.all']).slice(0, 9), 'Forbidden')
  })

  it('never satisfies a capability that the minter does not satisfy as far', () => {
    const rank = { none: 0, own: 1, full: 2 } as const
    let frozenSets = 0
    fc.assert(
      fc.property(
        fc.array(anyGrant, { maxLength: 12 }),
        fc.array(anyGrant, { minLength: 1, maxLength: 3 }),
        (holds, wanted) => {
          const held = new Set<string>(holds)
          const frozen = freezeSet(held, wanted)
          if (isRight(frozen)) {
            frozenSets += 1
            const set = new Set(frozen.right)
            ok(hasEveryRightOf(held, set))
            for (const id of capabilities) {
              if (id === 'player.restricted.read') continue
              ok(rank[gradeOf(set, id)] <= rank[gradeOf(held, id)], id)
            }
          } else if ('required' in frozen.left) {
            const { required } = frozen.left
            ok(wanted.some(one => one === required))
            ok(!holds.some(one => one === required))
          }
        },
      ),
      { numRuns: 3_000 },
    )
    ok(frozenSets > 100, `${frozenSets} sets were frozen`)
  })
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { Caller } from '#src/domain/callers/caller.js'
import { callerOf, identitiesOf } from '#src/domain/identity/callers.js'
import { callerByApiKey } from '#src/domain/identity/credentials/api-keys.js'
import { machine, tokenHash } from '#src/domain/identity/credentials/tokens.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'
import { issuePlan } from './links.js'

const path = 'kontrybutorzy.md'
const store = `## Gracz
### Brzoza
- @gameid: 100
- @rola: Radny

### Cis
- @gameid: 200
- @klucz_api: sha256:${'a'.repeat(64)} (:2025-12)
- @klucz_api: sha256:${'b'.repeat(64)}
- @alias: Cisek
### Robot
- @gameid: 300
- @rola: Bot
### Sowa
- @gameid: 500
- @rola: IT
### Dąb
- @gameid: 400
### Grab
- @gameid: 400
`
const worldWith = (text: string): Snapshot => worldOf({ [path]: text }, { day: '2026-06-15' })
const world = worldWith(store)

const callerWith = (gameId: string): Caller => {
  const known = identitiesOf(world).byGameId(gameId)
  if (known === null) throw new Error(gameId)
  return callerOf('session', known)
}
const manager = (gameId: string): Caller => {
  const caller = callerWith(gameId)
  return { ...caller, holds: new Set([...caller.holds, 'apikey.manage']) }
}
const robot: Caller = { ...callerWith('300'), grade: 'own' }
const hash = 'c'.repeat(64)
const planIssue = (gameId: string, caller: Caller, at = world) =>
  issuePlan(gameId, hash, caller, issued => issued)(at)
const textAfter = (gameId: string, caller: Caller, at = world): string => {
  const plan = planIssue(gameId, caller, at)
  ok(isRight(plan))
  return applyEdits(at, plan.right.edits)[path] ?? ''
}

describe('the making of an api key', () => {
  const line = `- @klucz_api: sha256:${hash}`

  it('adds one line to the person’s block, behind their other keys', () => {
    equal(textAfter('100', machine), store.replace('- @rola: Radny\n', `- @rola: Radny\n${line}\n`))
    equal(textAfter('200', machine), store.replace(`${'b'.repeat(64)}\n`, `${'b'.repeat(64)}\n${line}\n`))
  })

  it('keeps the line ends of the store', () => {
    const crlf = store.replaceAll('\n', '\r\n')
    equal(
      textAfter('100', machine, worldWith(crlf)),
      crlf.replace('- @rola: Radny\r\n', `- @rola: Radny\r\n${line}\r\n`),
    )
  })

  it('counts the keys of the person that are good, the new one among them', () => {
    const plan = planIssue('200', machine)
    ok(isRight(plan))
    deepEqual(plan.right.answer, { name: 'Cis', openKeys: 2 })
    deepEqual(plan.right.touches, [{ kind: 'identity', name: 'Cis' }])
  })

  it('makes a key that the next snapshot knows', () => {
    const key = `apik_${'k'.repeat(43)}`
    const plan = issuePlan('300', tokenHash(key).toString('hex'), robot, () => null)(world)
    ok(isRight(plan))
    const after = worldOf(applyEdits(world, plan.right.edits), { day: '2026-06-15' })
    equal(callerByApiKey(key, after)?.gracz, 'Robot')
  })

  const refusals: ReadonlyArray<readonly [what: string, gameId: string, caller: Caller, tag: string]> = [
    ['a person who may do more', '100', manager('200'), 'Forbidden'],
    ['a person who may do something else', '500', manager('200'), 'Forbidden'],
    ['another, by the narrow form', '200', robot, 'Forbidden'],
    ['another who is nobody, by the narrow form', '999', robot, 'Forbidden'],
    ['oneself by name, by the narrow form', 'Robot', robot, 'Forbidden'],
    ['anybody, by the narrow form without an id', '300', { ...robot, gameId: null }, 'Forbidden'],
    ['nobody', '999', machine, 'IdentityNotFound'],
    ['an id of two people', '400', machine, 'IdentityNotFound'],
    ['a name', 'Cis', machine, 'IdentityNotFound'],
  ]
  for (const [what, gameId, caller, tag] of refusals)
    it(`is refused for ${what}`, () => {
      const plan = planIssue(gameId, caller)
      ok(isLeft(plan))
      equal(plan.left._tag, tag)
    })

  it('is open for an equal, for a weaker person, and for oneself', () => {
    for (const [gameId, caller] of [
      ['100', manager('100')],
      ['200', manager('100')],
      ['200', manager('200')],
      ['300', robot],
    ] as const)
      ok(isRight(planIssue(gameId, caller)), gameId)
  })

  it('names what the person may do and the caller may not', () => {
    const plan = planIssue('500', manager('200'))
    ok(isLeft(plan))
    equal('required' in plan.left ? plan.left.required : null, 'session.read')
  })
})

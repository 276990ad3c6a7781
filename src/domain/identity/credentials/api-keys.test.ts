import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import { callerByApiKey } from './api-keys.js'
import { tokenHash } from './tokens.js'

const key = (letter: string): string => `apik_${letter.repeat(43)}`
const hex = (token: string): string => tokenHash(token).toString('hex')
const row = (token: string, range = ''): string => `- @klucz_api: sha256:${hex(token)}${range}\n`

const person = (name: string, gameId: string, rows: string): string =>
  `### ${name}\n- @gameid: ${gameId}\n${rows}`
const store = (...people: ReadonlyArray<string>): string => `## Gracz\n${people.join('')}`

const worldWith = (contributors: string, moderators?: string) =>
  worldOf(
    { 'kontrybutorzy.md': contributors },
    { day: '2026-06-15', ...(moderators === undefined ? {} : { moderators }) },
  )
const behind = (token: string, contributors: string, moderators?: string): string | null =>
  callerByApiKey(token, worldWith(contributors, moderators))?.gracz ?? null

describe('an api key', () => {
  it('stands for the person whose block has its hash, with the rights of the snapshot', () => {
    const rows = `- @rola: Narrator (2024-01:)\n- @rola: Radny (:2025-12)\n${row(key('a'))}${row(key('b'))}`
    const world = worldWith(store(person('Brzoza', '100', rows), person('Cis', '200', '')))
    for (const token of [key('a'), key('b')]) {
      const caller = callerByApiKey(token, world)
      ok(caller !== null)
      deepEqual([caller.kind, caller.gracz, caller.gameId], ['api', 'Brzoza', '100'])
      ok(caller.holds.has('session.write') && !caller.holds.has('pu.award'))
    }
    equal(callerByApiKey(key('c'), world), null)
  })

  const mine = (rows: string) => store(person('Brzoza', '100', rows))
  const token = key('a')
  const nobodys: ReadonlyArray<readonly [what: string, contributors: string, moderators?: string]> = [
    ['a retired owner', store(`### Brzoza\n- @gameid: 100 (:2025-12)\n${row(token)}`)],
    ['an owner whose heading is the machine', store(person('Machine', '100', row(token)))],
    ['an owner without an id', store(`### Brzoza\n${row(token)}`)],
    ['an owner who shares the id', store(person('Brzoza', '100', row(token)), person('Cis', '100', ''))],
    ['a hash of two people', store(person('Brzoza', '100', row(token)), person('Cis', '200', row(token)))],
    [
      'a hash of two people one after the other',
      store(
        person('Brzoza', '100', row(token, ' (:2025-12)')),
        person('Cis', '200', row(token, ' (2026-01:)')),
      ),
    ],
    ['a hash that stands twice', mine(row(token) + row(token))],
    [
      'a hash of two people in other letters',
      store(
        person('Brzoza', '100', row(token)),
        person('Cis', '200', `- @klucz_api: sha256:${hex(token).toUpperCase()}\n`),
      ),
    ],
    [
      'a hash in a second block of one heading',
      store(person('Brzoza', '100', row(token)), person('brzoza', '101', row(token))),
    ],
    ['a raw value', mine(`- @klucz_api: ${token}\n`)],
    ['a hash without its kind', mine(`- @klucz_api: ${hex(token)}\n`)],
    ['a hash that is cut', mine(`- @klucz_api: sha256:${hex(token).slice(0, 63)}\n`)],
    ['a key that has ended', mine(row(token, ' (:2026-06-14)'))],
    ['a key that has not begun', mine(row(token, ' (2026-06-16:)'))],
    ['a block that is no Gracz', `## Role\n### Radny\n${row(token)}`],
    ['a moderator whom the store does not know', store(person('Cis', '200', '')), mine(row(token))],
    ['a hash of the store and the roster', mine(row(token)), mine(row(token))],
  ]
  for (const [what, contributors, moderators] of nobodys)
    it(`is nobody's for ${what}`, () => equal(behind(token, contributors, moderators), null))

  it('is another key in other letters, and its hash is none', () => {
    const contributors = mine(row(token))
    equal(behind(token, contributors), 'Brzoza')
    for (const other of [
      token.toUpperCase(),
      `APIK_${token.slice(5)}`,
      `apik_${token.slice(5).toUpperCase()}`,
    ])
      equal(behind(other, contributors), null)
    equal(behind(hex(token), contributors), null)
    equal(behind(`sha256:${hex(token)}`, contributors), null)
  })

  it('is known by a hash in large letters too: it is the same number', () => {
    equal(behind(token, mine(`- @klucz_api: sha256:${hex(token).toUpperCase()}\n`)), 'Brzoza')
  })

  it('of a moderator gives the rights of the store, and none of the roster', () => {
    const moderators = store(person('Ktoś', '200', `- @rola: smc\n${row(token)}`))
    const caller = callerByApiKey(token, worldWith(store(person('Cis', '200', '- @rola: mc\n')), moderators))
    ok(caller !== null)
    deepEqual([caller.gracz, caller.holds.has('moderation.write')], ['Cis', true])
    ok(!caller.holds.has('moderation.admin'))
  })
})

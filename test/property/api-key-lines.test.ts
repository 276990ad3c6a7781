import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { demoWorld } from '#src/demo/world.js'
import { identitiesOf } from '#src/domain/identity/callers.js'
import { callerByApiKey } from '#src/domain/identity/credentials/api-keys.js'
import { machine, tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { contributorsPath } from '#src/domain/people/roster.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { issuePlan } from '#src/writing/identity/links.js'
import { exactLines, findEditedFiles, indexBlocksOf, onlyTagChanged } from '#test/support/edit-law.js'
import { runsOf } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'

const today = { day: '2026-06-15' }
const key = `apik_${'nowyKlucz'.repeat(5)}`
const hash = tokenHash(key).toString('hex')

/** One key more for a person: one line more in their block, every other byte as it was, and the key is theirs. */
const holds = (snapshot: Snapshot, gameId: string): void => {
  const planned = issuePlan(gameId, hash, machine, () => null)(snapshot)
  if (isLeft(planned)) throw new Error(planned.left.detail)
  const [edited, ...others] = findEditedFiles(snapshot, planned.right.edits)
  deepEqual([others.length, edited?.path], [0, contributorsPath])
  if (edited === undefined) return
  const { before, after } = edited
  const name = identitiesOf(snapshot).byGameId(gameId)?.identity.name
  const at = indexBlocksOf(before).findIndex(block => block.heading === name)
  onlyTagChanged(before, after, at, 'klucz_api')
  equal(exactLines(after).length, exactLines(before).length + 1)
  equal(after.split(hash).length, 2)
  const next = worldOf({ [contributorsPath]: after }, today)
  equal(callerByApiKey(key, next)?.gameId, gameId)
}

const rows = fc.constantFrom(
  '- @rola: Narrator (2024-01:)',
  '- @klucz_api: sha256:' + 'a'.repeat(64) + ' (:2025)',
  '- @klucz_api: jawny',
  '- @klucz_api:\n    - sha256:' + 'b'.repeat(64),
  '- @alias:\n    - Jeden\n    - Dwa',
  '- @tematy: gore,\n  tortury',
  '  - @chat: BRAK',
  'Uwaga bez znacznika.',
  '',
  '```\n### Nie nagłówek\n```',
  '1. @alias: Trzeci',
  '#### Notatka',
)
const person = fc.array(rows, { maxLength: 6 })

const store = fc
  .tuple(fc.array(person, { minLength: 1, maxLength: 4 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([people, newline, ended]) => {
    const blocks = people.map((lines, at) => [`### Osoba ${at}`, `- @gameid: ${at + 1}`, ...lines].join('\n'))
    const text = ['## Gracz', ...blocks, '## Role', '### Radny', '- @chat_rola: Rada'].join('\n')
    const shown = ended ? `${text}\n` : text
    return { text: shown.replaceAll('\n', newline), people: people.length }
  })

describe('the line of a new api key', () => {
  it('is the only one that is new, in any store', () => {
    fc.assert(
      fc.property(store, fc.nat(), ({ text, people }, nth) => {
        const world = worldOf({ [contributorsPath]: text }, today)
        const id = String((nth % people) + 1)
        // What hangs below the line of the id is a part of the id.
        fc.pre(identitiesOf(world).byGameId(id) !== null)
        holds(world, id)
      }),
      { numRuns: runsOf(1000) },
    )
  })

  it('is the only one that is new for everybody of the demo', () => {
    const text = demoWorld({ seed: 'klucze' })
      .commits.flatMap(({ changes }) => changes)
      .findLast(change => change.path === contributorsPath)?.text
    ok(text !== undefined)
    const snapshot = worldOf({ [contributorsPath]: text }, today)
    const ids = snapshot.people.all.flatMap(({ rows: all }) =>
      all.filter(row => row.tag === 'gameid').map(row => row.value),
    )
    const known = ids.filter(id => identitiesOf(snapshot).byGameId(id) !== null)
    ok(known.length > 10)
    for (const id of known) holds(snapshot, id)
  })
})

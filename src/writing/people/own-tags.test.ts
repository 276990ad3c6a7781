import { deepEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { TagPatch } from '#protocol/lore/entity-writes.js'
import { ownTags } from '#protocol/lore/people.js'
import { ownScope } from '#src/domain/identity/readable.js'
import { isHistory } from '#src/domain/lore/changes.js'
import { activeOn } from '#src/domain/lore/rows/days.js'
import { tagKeys, tagRule } from '#src/domain/lore/tag-schema.js'
import { charactersOf } from '#src/domain/people/characters.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { day, worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'
import { targetNamed } from '../entities/entity-change.js'
import { patchEntity } from '../entities/entity-writes.js'
import { fromToday, patchRefused } from './own-lore.js'

const range = fc.constantFrom(
  '',
  ' (2024:)',
  ' (2024-03:2026-06)',
  ' (:2025)',
  ' (2026-06:)',
  ' (2026-06-15:)',
  ' (2026-09:)',
)
const history = ['stan', 'reputacja_pozytywna', 'reputacja_negatywna'] as const
const row = fc
  .tuple(fc.constantFrom(...history), fc.constantFrom('Raz', 'Dwa'), range)
  .map(([tag, value, days]) => `- @${tag}: ${value}${days}`)
const bound = fc.constantFrom('2020', '2026-05', '2026-06', '2026-06-14', '2026-06-15', '2026-07', '2027')
const patch = fc.record<TagPatch>(
  {
    tag: fc.constantFrom(...history, ...tagKeys),
    value: fc.constantFrom('Raz', 'Dwa', 'Trzy'),
    from: fc.option(bound),
    to: fc.option(bound),
    remove: fc.boolean(),
  },
  { requiredKeys: ['tag'] },
)

const worldWith = (rows: ReadonlyArray<string>): Snapshot =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'kontrybutorzy.md': '## Gracz\n### Odo\n- @gameid: 1\n',
    'encje/indeks.md': `### Wilk\n- @typ: Postać\n- @należy_do: Odo\n${rows.map(one => `${one}\n`).join('')}`,
  })

const wilk = ({ entities }: Snapshot) => {
  const found = targetNamed(entities, 'Wilk', 'Postać')
  if (isLeft(found)) throw new Error(found.left.detail)
  return found.right
}

const pastDays = ['2019-01-01', '2024-02-01', '2025-12-31', '2026-06-01', '2026-06-14'].map(day)

/** What tags with a history say on days that are past. */
const past = (snapshot: Snapshot) =>
  pastDays.map(on =>
    wilk(snapshot)
      .rows.filter(one => {
        const rule = tagRule(one.tag, 'Postać')
        return rule !== null && isHistory(rule) && activeOn(one.range, on)
      })
      .map(one => `${one.tag}: ${one.value}`)
      .sort(),
  )

/** What an own-only caller's change leaves; null where it is refused. */
const changeTags = (before: Snapshot, wanted: TagPatch): Snapshot | null => {
  const scope = ownScope('Odo', {
    people: before.people,
    entities: before.entities,
    characters: charactersOf(before.entities, before.people, before.day),
  })
  if (patchRefused(scope, wanted, before.day) !== null) return null
  const set = patchEntity(before, wilk(before), fromToday(scope, wilk(before), wanted, before.day))
  return isLeft(set) ? null : worldOf(applyEdits(before, set.right.edits))
}

const tagsOf = (snapshot: Snapshot) =>
  wilk(snapshot)
    .rows.filter(one => !(ownTags as ReadonlyArray<string>).includes(one.tag))
    .map(one => `${one.tag}: ${one.value}`)

describe('the changes of an own-only caller', () => {
  it('leave what held before today, and every tag that is not listed', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), patch, (rows, wanted) => {
        const before = worldWith(rows)
        const after = changeTags(before, wanted)
        if (after === null) return
        taken += 1
        deepEqual(past(after), past(before))
        deepEqual(tagsOf(after), tagsOf(before))
      }),
      { numRuns: 1500 },
    )
    ok(taken > 50, `only ${taken} changes were taken`)
  })
})

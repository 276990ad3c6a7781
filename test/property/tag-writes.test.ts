import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { nameKey } from '#protocol/atoms.js'
import type { TagPatch } from '#protocol/lore/entity-writes.js'
import { demoWorld } from '#src/demo/world.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { isHistory } from '#src/domain/lore/changes.js'
import { scalarOn, sortByPrecedence, valuesOn } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { patchEntity } from '#src/writing/entities/entity-writes.js'
import { findEditedFiles, indexBlocksOf, onlyTagChanged } from '#test/support/edit-law.js'
import { adoptTexts } from '#test/support/legacy/adoption.js'
import { legacyWorld } from '#test/support/legacy/legacy-world.js'
import { checkOneGiven, checkOneTaken } from '#test/support/row-law.js'
import { runsOf } from '#test/support/runs.js'
import { sharedLegacy, textsIn } from '#test/support/texts-in.js'
import { day, worldOf } from '#test/support/world.js'

type Texts = Readonly<Record<string, string>>

const today = day('2026-06-15')
const monthStart = '2026-06-01'
const past = ['1990-01-01', '2022-07-01', '2023-06-30', '2024-01-31', '2025-12-31', '2026-05-31'].map(day)

const crlf = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')]))

const readSharedTexts = (): Texts | null => {
  const texts = textsIn(`${sharedLegacy}/world`)
  return texts === null ? null : adoptTexts(texts)
}

const demoTexts = (): Texts =>
  Object.fromEntries(
    demoWorld({ seed: 'zapisy' }).commits.flatMap(({ changes }) =>
      changes.map(({ path, text }) => [path, text] as const),
    ),
  )

/** Values that every tag of the list takes, whatever stands in the world. */
const values: ReadonlyArray<readonly [tag: string, values: ReadonlyArray<string>]> = [
  ['lokacja', ['Nowe Miejsce', 'Za Rzeką', 'Góra (Dolina)']],
  ['grupa', ['Nowa Grupa', 'Straż: nocna']],
  ['info', ['Nowa wiadomość.', 'Uwaga: (ważne)', '- z kreską', '# z krzyżykiem', '1. z liczbą', '```']],
  ['alias', ['Nowe Imię', 'Inne Imię']],
  ['status', ['Aktywny', 'Nieaktywny', 'Usunięty', 'Niepewny']],
  ['ilość', ['0', '-3', '12']],
  ['stan', ['Zdrowy.', 'Ranny: noga']],
  ['plik', ['Opisy/Nowy.md']],
  ['region', ['Nowy Region']],
  ['drzwi', ['Nowe Drzwi']],
]

const days = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('2022', '2023-06', '2024-02-29', '2026-06', '2027').map(from => ({ from })),
  },
  { weight: 1, arbitrary: fc.constant({ from: null }) },
  { weight: 1, arbitrary: fc.constantFrom('2026-12', '2030').map(to => ({ to })) },
  { weight: 1, arbitrary: fc.constant({ from: '2023-02', to: '2023-04-10' }) },
)

const patch: fc.Arbitrary<TagPatch> = fc
  .tuple(fc.constantFrom(...values), fc.nat(), days, fc.boolean())
  .map(([[tag, taken], nth, when, remove]) => {
    const dated = tagRule(tag, 'NPC')?.dated ?? tag !== 'plik'
    const value = taken[nth % taken.length] ?? ''
    return { tag, value, ...(dated ? when : {}), ...(remove ? { remove } : {}) }
  })

/** What a patch is drawn from: a value of the list, or the end of one of the rows that stand in the block. */
interface Wish {
  readonly patch: TagPatch
  readonly row: number | null
}

const wish: fc.Arbitrary<Wish> = fc.record({
  patch,
  row: fc.option(fc.nat(), { freq: 3 }),
})

const tags = new Set(values.map(([tag]) => tag))

/** The patch that a wish comes to on a block. */
const wishedOf = ({ patch: given, row: nth }: Wish, { rows }: Entity): TagPatch => {
  const own = rows.filter(one => one.source._tag === 'File' && tags.has(one.tag) && one.value !== '')
  const meant = nth === null ? undefined : own[nth % Math.max(1, own.length)]
  return meant === undefined ? given : { tag: meant.tag, value: meant.value, remove: true }
}

const writable = (snapshot: Snapshot): ReadonlyArray<Entity> =>
  snapshot.entities.all.filter(entity => entity.type !== 'Gracz')

/** What a patch comes to on one block of a world: its file before and after; null where the plan refuses or rests. */
const outcome = (snapshot: Snapshot, entity: Entity, wanted: TagPatch) => {
  const planned = patchEntity(snapshot, entity, wanted)
  if (isLeft(planned)) return null
  const [edited] = findEditedFiles(snapshot, planned.right.edits)
  equal('changed' in planned.right.answer && planned.right.answer.changed, edited !== undefined)
  return edited ?? null
}

/** The laws of one patch of one block: the bytes, what is read on the day, and what was read before. */
const holds = (snapshot: Snapshot, entity: Entity, wanted: TagPatch): boolean => {
  const edited = outcome(snapshot, entity, wanted)
  if (edited === null) return false
  const at = indexBlocksOf(edited.before).findIndex(block => block.line === entity.line)
  const before = sortByPrecedence(indexBlocksOf(edited.before)[at]?.rows ?? [])
  const block = onlyTagChanged(edited.before, edited.after, at, wanted.tag)
  const rows = sortByPrecedence(block.rows)
  const rule = tagRule(wanted.tag, entity.type)
  if (rule === null) throw new Error('no rule')
  const ofTag = (all: ReadonlyArray<Row>) => all.filter(one => one.tag === rule.tag)
  const [old, fresh] = [ofTag(before), ofTag(rows)]
  if (wanted.remove !== true) checkOneGiven(old, fresh, wanted.value ?? '', rule.dated && !rule.multi)
  else checkOneTaken(old, fresh, one => !rule.multi || nameKey(one.value) === nameKey(wanted.value ?? ''))
  const now = valuesOn(rows, wanted.tag, today)
  const isNow = wanted.from === undefined && (wanted.to ?? '9') >= '2026-07'
  if (wanted.remove === true && isNow && rule.multi && wanted.to === undefined)
    ok(!now.includes(wanted.value ?? ''), 'the value is gone')
  if (wanted.remove !== true && isNow)
    ok(rule.multi ? now.includes(wanted.value ?? '') : scalarOn(rows, rule.tag, today) === wanted.value)
  if (isNow && isHistory(rule))
    for (const one of past.filter(earlier => earlier < monthStart))
      deepEqual(valuesOn(rows, rule.tag, one), valuesOn(before, rule.tag, one), one)
  return true
}

const row = fc.oneof(
  fc.constantFrom(
    '- @lokacja: A (2023-01:2023-06)',
    '- @lokacja: B (2023-07:)',
    '- @lokacja: C',
    '- @lokacja: Dawne (2021:)\n    miejsce\n\n    za wodą',
    '- @status: Aktywny (2024-01:) (auto)',
    '- @grupa: Nowa Grupa (2022:)  ',
  ),
  fc.constantFrom(
    '* @lokacja: Nowe Miejsce (2026-06-10:)',
    '  - @grupa: Straż: nocna (:2025)',
    '1. @info: Nowa wiadomość.',
    '- @INFO:   Pierwsza.\n    Druga.\n\n    Trzecia.  ',
    '- @alias:\n    - Jeden (2022:)\n    - Dwa\n',
    '- @alias: Nowe Imię\n    - Trzy (2023:)\n      dalszy',
  ),
  fc.constantFrom(
    '- @nieznany: x (2020:2021)',
    '- @ilość: 4 (2026-13:)',
    '- nie znacznik',
    'proza  ',
    '\t- @drzwi: Nowe Drzwi (2020:)',
    '```\n- @info: w płocie\n```',
    '#### podtytuł',
    '',
  ),
)

const generated = fc
  .tuple(
    fc.array(fc.tuple(fc.array(row, { maxLength: 7 }), fc.constantFrom('', '', '  ', '\t')), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n', '\n\n', '  '),
  )
  .map(([blocks, newline, end]) => {
    const types = ['NPC', 'Lokacja', 'Postać', 'Przedmiot']
    const texts = blocks.map(([rows, indent], at) => {
      const lines = [`- @typ: ${types[at % types.length] ?? ''} `, ...rows].join('\n').split('\n')
      return [`###  Blok ${at}`, ...lines.map(one => (one === '' ? one : indent + one))].join('\n')
    })
    return `# Indeks\n\n${texts.join('\n\n')}${end}`.replaceAll('\n', newline)
  })

/** What is left of a row behind a change that ends keeps all its lines. */
const remainderOfLines: [string, number, Wish] = [
  '### Blok 0\n- @typ: NPC\n- @lokacja: Dawne (2021:)\n    miejsce\n\n    za wodą',
  0,
  { patch: { tag: 'lokacja', value: 'Nowe Miejsce', to: '2026-12' }, row: null },
]

/** A value that stands is given a last day: nothing was added, so taking it away does not bring its row back. */
const valueThatStands: [string, number, Wish] = [
  '### Blok 0\n- @typ: NPC\n- @alias: Nowe Imię\n    - Trzy (2023:)',
  0,
  { patch: { tag: 'alias', value: 'Nowe Imię', to: '2026-12' }, row: null },
]

describe('writes of a tag', () => {
  it('touch only the rows that they must, whatever the block looks like', () => {
    let seen = 0
    fc.assert(
      fc.property(generated, fc.nat(), wish, (text, nth, wished) => {
        const snapshot = worldOf({ 'encje/indeks.md': text })
        const all = writable(snapshot)
        const entity = all[nth % Math.max(1, all.length)]
        if (entity !== undefined && holds(snapshot, entity, wishedOf(wished, entity))) seen += 1
      }),
      { numRuns: runsOf(1500), examples: [remainderOfLines] },
    )
    ok(seen > runsOf(1500) / 10, `${seen} writes`)
  })

  it('change nothing the second time, and a value added and taken away leaves every byte', () => {
    fc.assert(
      fc.property(generated, fc.nat(), wish, (text, nth, wished) => {
        const snapshot = worldOf({ 'encje/indeks.md': text })
        const all = writable(snapshot)
        const entity = all[nth % Math.max(1, all.length)]
        if (entity === undefined) return
        const wanted = wishedOf(wished, entity)
        const once = outcome(snapshot, entity, wanted)
        if (once === null) return
        const after = worldOf({ 'encje/indeks.md': once.after })
        const same = after.entities.all.find(one => one.name === entity.name)
        if (same === undefined) throw new Error('the block is gone')
        equal(outcome(after, same, wanted), null, 'a second time')
        const rule = tagRule(wanted.tag, entity.type)
        if (wanted.remove === true || rule === null || !rule.multi || isHistory(rule)) return
        const stood = entity.rows.some(
          one => one.tag === rule.tag && nameKey(one.value) === nameKey(wanted.value ?? ''),
        )
        if (stood) return
        const undone = outcome(after, same, { tag: wanted.tag, value: wanted.value ?? '', remove: true })
        const back = undone?.after ?? ''
        equal(back === text ? back : back.replace(/\r?\n$/u, ''), text)
      }),
      { numRuns: runsOf(800), examples: [valueThatStands] },
    )
  })

  const worlds: ReadonlyArray<readonly [string, () => Texts | null]> = [
    ['the demo world', demoTexts],
    ['a small legacy world, adopted', () => adoptTexts(legacyWorld)],
    ['the legacy world beside the project, adopted', readSharedTexts],
  ]
  for (const [what, textsOfWorld] of worlds)
    for (const [name, mapped] of [
      ['LF', (texts: Texts) => texts],
      ['CRLF', crlf],
    ] as const)
      it(`touch only the rows that they must in ${what}, ${name}`, function () {
        const texts = textsOfWorld()
        if (texts === null) return this.skip()
        const snapshot = worldOf(mapped(texts))
        const all = writable(snapshot)
        let seen = 0
        fc.assert(
          fc.property(fc.nat(), wish, (nth, wished) => {
            const entity = all[nth % all.length]
            if (entity !== undefined && holds(snapshot, entity, wishedOf(wished, entity))) seen += 1
          }),
          { numRuns: runsOf(150) },
        )
        ok(seen > runsOf(150) / 10, `${seen} writes`)
      })
})

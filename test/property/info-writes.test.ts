import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Entity } from '#src/domain/entities/entity.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { infoAppended, infoEdited } from '#src/writing/people/info.js'
import { findEditedFiles } from '#test/support/edit-law.js'
import { adoptTexts } from '#test/support/legacy/adoption.js'
import { legacyWorld } from '#test/support/legacy/legacy-world.js'
import { runsOf } from '#test/support/runs.js'
import { sharedLegacy, textsIn } from '#test/support/texts-in.js'
import { worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'

type Texts = Readonly<Record<string, string>>

const path = 'Postaci/Gracze/Xeron.md'
const index = '### Xeron\n- @typ: Postać\n- @należy_do: Solmyr\n'

const piece = fc.constantFrom(
  ...['**Stan:**', 'Zdrowy.  ', '**Dodatkowe informacje:**', '**Dodatkowe notatki** Brak.', '- Brak.', ''],
  ...[
    '- Jeden.',
    '* Dwa.\n  dalej\n\n    - głębiej',
    '  - Trzy.',
    'Cztery bez kreski.',
    '1. Pięć.',
    '\t- Sześć.',
  ],
  ...['**Inne:** x', '```\n- w płocie\n```', '# Tytuł', '**Opisane sesje:**'],
)
const sheet = fc
  .tuple(
    fc.array(piece, { maxLength: 9 }),
    fc.boolean(),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n'),
  )
  .map(([pieces, sessions, newline, end]) => {
    const told = sessions ? ['', '**Opisane sesje:**', '', '### 2025-01-15, Sesja, Solmyr', '- Jeden.'] : []
    return ([...pieces, ...told].join('\n') + end).replaceAll('\n', newline)
  })

const text = fc.constantFrom(
  'Nowe.',
  'Jeden.',
  '**Stan:** zły',
  '- z kreską',
  '@rola: x',
  '# tytuł',
  '### 2025-01-01, X',
)

const itemsOf = (snapshot: Snapshot, entity: Entity) =>
  snapshot.characterFiles.get(entity.key)?.additionalInfo ?? []

/** The lines of a file; a last one without a newline is as good as one with it. */
const linesOf = (source: string): ReadonlyArray<string> =>
  source === '' ? [] : source.replace(/\r?\n$/u, '').split(/\r?\n/u)

/** Whether one list is the other with lines left out. */
const isWithin = (some: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean => {
  let at = 0
  for (const line of all) if (at < some.length && some[at] === line) at += 1
  return at === some.length
}

const others = (file: Snapshot, entity: Entity) => {
  const read = file.characterFiles.get(entity.key)
  if (read === undefined) return null
  const { additionalInfo: _items, findings: _findings, ...rest } = read
  return rest
}

const view = { mayReadRestricted: true, sessions: true, logs: true, external: true }

/** Adds an entry, reads it, takes it away: what else the file says stands, and so does every line. */
const holds = (texts: Texts, entity: Entity, snapshot: Snapshot, written: string): boolean => {
  const planned = infoAppended(snapshot, entity, view, written)
  if (isLeft(planned) || planned.right.edits.length === 0) return false
  const [edited] = findEditedFiles(snapshot, planned.right.edits)
  const after = worldOf(applyEdits(snapshot, planned.right.edits))
  const items = itemsOf(snapshot, entity)
  deepEqual(itemsOf(after, entity), [...items, written])
  if (snapshot.characterFiles.has(entity.key)) {
    deepEqual(others(after, entity), others(snapshot, entity))
    const none = /^\s*(?:[-*+]|\d+\.)?\s*brak\.?\s*$|^\*\*Dodatkowe (?:informacje|notatki).*brak\.?\s*$/iu
    const kept = linesOf(edited?.before ?? '').filter(line => items.length > 0 || !none.test(line))
    ok(isWithin(kept, linesOf(edited?.after ?? '')), 'every line stands')
  }
  const undone = infoEdited(after, entity, view, { match: written, text: null })
  if (isLeft(undone)) throw new Error(undone.left.detail)
  const [back] = findEditedFiles(after, undone.right.edits)
  deepEqual(itemsOf(worldOf(applyEdits(after, undone.right.edits)), entity), items)
  if (items.length > 0) deepEqual(linesOf(back?.after ?? ''), linesOf(texts[back?.path ?? ''] ?? ''))
  return true
}

const characterOf = (snapshot: Snapshot, nth: number): Entity | undefined => {
  const all = snapshot.entities.byType.get('Postać') ?? []
  return all[nth % Math.max(1, all.length)]
}

const crlf = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([file, source]) => [file, source.replaceAll('\n', '\r\n')]))

describe('writes of the entries of a character file', () => {
  it('touch nothing else, whatever the file looks like', () => {
    let seen = 0
    fc.assert(
      fc.property(sheet, text, (source, written) => {
        const texts = { 'encje/indeks.md': index, [path]: source }
        const snapshot = worldOf(texts)
        const entity = characterOf(snapshot, 0)
        if (entity !== undefined && holds(texts, entity, snapshot, written)) seen += 1
      }),
      { numRuns: runsOf(800) },
    )
    ok(seen > runsOf(800) / 2, `${seen} writes`)
  })

  const shared = (): Texts | null => textsIn(`${sharedLegacy}/world`)
  for (const [what, legacy] of [
    ['a small legacy world', () => legacyWorld],
    ['the legacy world beside the project', shared],
  ] as const)
    it(`touch nothing else in ${what}, adopted, LF and CRLF`, function () {
      const before = legacy()
      if (before === null) return this.skip()
      const adopted = adoptTexts(before)
      for (const texts of [adopted, crlf(adopted)]) {
        const snapshot = worldOf(texts)
        const all = snapshot.entities.byType.get('Postać') ?? []
        const seen = all.filter(entity => holds(texts, entity, snapshot, 'Zupełnie nowe.'))
        equal(seen.length, all.length)
      }
    })
})

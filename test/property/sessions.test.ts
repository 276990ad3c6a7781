import assert from 'node:assert/strict'
import fc from 'fast-check'
import { nameKey } from '#protocol/atoms.js'
import { pursesOf, supplyOn } from '#src/domain/currency/purses.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { readHeader, sessionKey } from '#src/domain/lore/session-header.js'
import { mergeSessions } from '#src/domain/sessions/merge.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import { closeAndOverlay, sessionsOfTexts } from '#test/support/session-cases.js'
import { day, sourceFile, worldOf } from '#test/support/world.js'

const line = fc.oneof(
  fc.constantFrom(
    '### 2024-05-03, Tytuł, Anna',
    '### 2024-13-03, T, A',
    '### Pogłoski',
    '## Część',
    '#### Podtytuł',
    '```',
    '  ```',
    '*Lokalizacja: A, B*',
    'Logi: https://a.pl/1',
  ),
  fc.constantFrom(
    '- PU:',
    '- @PU:',
    '    - Anna: 0,3',
    '  - Anna',
    '- Zmiany w mieście',
    '- @Zmiany:',
    '        - @lokacja: B (2024:)',
    '- @Transfer: 5 koron, A -> B',
    '- Efekty:',
    '\t- x',
    '',
    '  dalej',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n\n')), { maxLength: 40 })
  .map(parts => parts.map(([one, end]) => one + end).join(''))

describe('laws of sessions', () => {
  it('any text is read, and each session lies within it, one after the other', () => {
    fc.assert(
      fc.property(text, source => {
        const { copies, findings } = parseSessionFile(sourceFile('a.md', source))
        const lines = rawLines(source)
        let before = 0
        for (const copy of copies) {
          assert.ok(copy.line > before && copy.endLine >= copy.line && copy.endLine <= lines.length)
          assert.ok(lines[copy.line - 1]?.startsWith('###'))
          before = copy.endLine
        }
        for (const finding of findings) assert.ok(finding.line !== null && finding.line <= lines.length)
      }),
    )
  })

  it('reading a session alone, by its own lines, gives the same session', () => {
    fc.assert(
      fc.property(text, source => {
        const lines = rawLines(source)
        for (const copy of parseSessionFile(sourceFile('a.md', source)).copies) {
          const own = `${lines.slice(copy.line - 1, copy.endLine).join('\n')}\n`
          const [alone] = parseSessionFile(sourceFile('a.md', own)).copies
          assert.equal(alone?.endLine, copy.endLine - copy.line + 1)
          assert.deepEqual(
            [alone.key, alone.body, alone.points.map(one => one.value), alone.logs],
            [copy.key, copy.body, copy.points.map(one => one.value), copy.logs],
          )
        }
      }),
    )
  })

  it('the key of a key is the key, and reads as the header does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), title => {
        const key = sessionKey(`### 2024-05-03, ${title}`)
        assert.equal(sessionKey(key), key)
        assert.notEqual(readHeader(key)._tag, 'BadDate')
      }),
    )
  })

  it('a copied file changes no effect, whatever the order of the files', () => {
    fc.assert(
      fc.property(text, source => {
        const parsed = ['a.md', 'b.md', 'c.md'].map(path => parseSessionFile(sourceFile(path, source)))
        const [once, thrice] = [mergeSessions(parsed.slice(0, 1)), mergeSessions(parsed)]
        assert.deepEqual(
          thrice.all.map(one => [one.key, one.body, one.points, one.changes, one.transfers]),
          once.all.map(one => [one.key, one.body, one.points, one.changes, one.transfers]),
        )
      }),
    )
  })
})

const on = day('2026-06-15')
const people = ['Anna', 'Borys', 'Cyryl']
const { entities } = worldOf({
  'encje/indeks.md': people
    .map(
      name =>
        `### ${name}\n- @typ: NPC\n\n### Korony ${name}\n- @typ: Przedmiot\n- @generyczne_nazwy: Korony Elanckie\n- @należy_do: ${name}\n- @ilość: 50\n`,
    )
    .join('\n'),
})

/** All money as of the end of time: the last quantity of each purse. */
const supply = (of: Entities): number =>
  people
    .map(name => of.byHeading.get(nameKey(`Korony ${name}`))?.[0])
    .reduce((sum, purse) => sum + Number(purse?.rows.findLast(row => row.tag === 'ilość')?.value), 0)

const transfer = fc.record({
  day: fc.integer({ min: 1, max: 28 }),
  amount: fc.integer({ min: 1, max: 200 }),
  from: fc.constantFrom(...people, 'Nikt'),
  to: fc.constantFrom(...people, 'Nikt'),
})

const sessionOf = (
  { day, amount, from, to }: { day: number; amount: number; from: string; to: string },
  at: number,
) =>
  `### 2024-05-${String(day).padStart(2, '0')}, Sesja ${at}, S\n\n- @Transfer: ${amount} koron, ${from} -> ${to}\n`

describe('laws of transfers', () => {
  it('money neither appears nor vanishes', () => {
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 12 }), all => {
        const after = closeAndOverlay(entities, sessionsOfTexts({ 'a.md': all.map(sessionOf).join('\n') }))
        assert.equal(supply(after.entities), 150)
        const refused = all.filter(one => one.from === one.to || one.from === 'Nikt' || one.to === 'Nikt')
        assert.equal(after.findings.length, refused.length)
      }),
    )
  })

  it('the supply of each denomination is constant, also over items that name several', () => {
    const names = [
      'Korony',
      'Talary, Korony',
      'Korony, Talary, Kogi',
      'moneta, Kogi',
      'Kogi, Korony',
      'Miecz',
    ]
    const generic = fc.constantFrom(...names)
    const paying = fc.record({
      transfer,
      money: fc.constantFrom('koron', 'talarów', 'kog'),
      named: fc.option(generic),
    })
    fc.assert(
      fc.property(
        fc.array(fc.record({ owner: fc.constantFrom(...people), generic }), { minLength: 1, maxLength: 8 }),
        fc.array(paying, { maxLength: 10 }),
        (items, all) => {
          const { entities: before } = worldOf({
            'encje/indeks.md': [
              ...people.map(name => `### ${name}\n- @typ: NPC\n`),
              ...items.map(
                (one, at) =>
                  `### Sakwa ${at}\n- @typ: Przedmiot\n- @generyczne_nazwy: ${one.generic}\n- @należy_do: ${one.owner}\n- @ilość: 50\n`,
              ),
            ].join('\n'),
          })
          // A name that a session gives to a purse is another denomination, and is refused.
          const texts = all.map(({ transfer: paid, money, named }, at) => {
            const purse = pursesOf(before)[0]?.item.name
            const change = `- @Zmiany:\n    - ${purse}\n        - @generyczne_nazwy: ${named} (2020:)\n`
            const text = sessionOf(paid, at).replace('koron', money)
            return named === null || purse === undefined ? text : text + change
          })
          const { entities: after } = closeAndOverlay(before, sessionsOfTexts({ 'a.md': texts.join('\n') }))
          assert.deepEqual(supplyOn(after, on), supplyOn(before, on))
        },
      ),
    )
  })

  it('the order of sessions in a file is nothing, their days are all', () => {
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 8 }), all => {
        const texts = all.map(sessionOf)
        const read = (parts: ReadonlyArray<string>) =>
          closeAndOverlay(entities, sessionsOfTexts({ 'a.md': parts.join('\n') })).entities.all.map(entity =>
            entity.rows.map(row => [row.value, row.range.from]),
          )
        assert.deepEqual(read(texts.toReversed()), read(texts))
      }),
    )
  })

  it('nothing to add gives the very same entities', () => {
    assert.equal(closeAndOverlay(entities, sessionsOfTexts({})).entities, entities)
  })
})

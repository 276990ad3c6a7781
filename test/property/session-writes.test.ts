import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import type { Day } from '#protocol/atoms.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import { createSession } from '#src/writing/sessions/create.js'
import { headerOf } from '#src/writing/sessions/render.js'
import { draftOf } from '#src/writing/sessions/report.js'
import { findMisread } from '#src/writing/sessions/section-lines.js'
import { runsOf } from '#test/support/runs.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'

const path = 'sesje/2026.md'
const characters = ['Wit Kłos', 'Iskra', 'Żaneta Zła']
const index = characters.map(name => `### ${name}\n- @typ: Postać\n`).join('\n')

const word = fc.constantFrom(
  'Most',
  'brama',
  'żółw',
  'noc',
  'Zamorze',
  '-',
  '2024-05-01',
  '@PU',
  '###',
  'a:b',
)
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map(words => words.join(' '))
const line = fc.oneof(
  phrase,
  phrase.map(text => `- ${text}`),
  phrase.map(text => `  - ${text}`),
  fc.constantFrom('', '```', '#### dalej', '### dalej', '- @PU:', '    - Iskra: 5', '*Lokalizacje: a*'),
)
const content = fc.array(line, { maxLength: 8 }).map(lines => lines.join('\n'))
const dayText = fc
  .record({ month: fc.integer({ min: 1, max: 12 }), date: fc.integer({ min: 1, max: 28 }) })
  .map(({ month, date }) => `2026-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`)

const asked = fc.record({
  date: dayText,
  title: phrase,
  narrators: fc.uniqueArray(fc.constantFrom('Brzoza', 'Żaneta', 'Rada'), { maxLength: 2 }),
  content,
  metadata: fc.record({
    locations: fc.uniqueArray(phrase, { maxLength: 3 }),
    logs: fc.uniqueArray(fc.constantFrom('https://a.example/1', 'https://a.example/2,3'), { maxLength: 2 }),
    pu: fc
      .uniqueArray(fc.constantFrom(...characters), { maxLength: 3 })
      .map(all => all.map((character, at) => ({ character, value: at === 2 ? null : at + 0.25 }))),
    intel: fc.array(fc.record({ target: phrase, message: phrase }), { maxLength: 2 }),
    transfers: fc.array(
      fc.record({
        amount: fc.integer({ min: 1, max: 99 }),
        denomination: fc.constantFrom('koron', 'talarów'),
        source: phrase,
        destination: phrase,
      }),
      { maxLength: 2 },
    ),
  }),
})

const oldSession = (date: string, at: number): string =>
  `### ${date}, Dawna ${at}, Brzoza\n\nProza  \n- @PU:\n\t- Iskra: 0,5\n`

const fileText = fc
  .record({
    dates: fc.array(dayText, { maxLength: 5 }),
    order: fc.constantFrom('oldest', 'newest', 'none'),
    gap: fc.constantFrom('', '\n', '\n\n'),
    head: fc.constantFrom(
      '',
      '# Kronika\n',
      '# Kronika\n\n## 2026\n\n',
      '```\n### 2026-01-01, Nie, N\n```\n',
    ),
    crlf: fc.boolean(),
    cut: fc.boolean(),
  })
  .map(({ dates, order, gap, head, crlf, cut }) => {
    const sorted = order === 'none' ? dates : [...dates].sort()
    const placed = order === 'newest' ? sorted.reverse() : sorted
    const text = `${head}${placed.map(oldSession).join(gap)}`
    const ended = cut ? text.trimEnd() : text
    return crlf ? ended.replaceAll('\n', '\r\n') : ended
  })

const accepted = { by: 'Brzoza', nowMs: Date.parse('2026-06-15T12:00:00Z') }

/** What stays of a text when one run of it is cut out. */
const isWithout = (after: string, before: string): boolean => {
  let start = 0
  while (start < before.length && after[start] === before[start]) start += 1
  const rest = before.length - start
  return after.endsWith(before.slice(start)) && after.length >= before.length && rest >= 0
}

const isOldestFirst = (dates: ReadonlyArray<Day>): boolean =>
  dates.every((date, at) => at === 0 || (dates[at - 1] ?? date) <= date)

describe('writes of random sessions', () => {
  it('are read back as they were sent, in their place, with every other byte as it was', () => {
    let written = 0
    fc.assert(
      fc.property(asked, fileText, (request, before) => {
        const draft = draftOf(request)
        if (isLeft(draft)) {
          equal(draft.left._tag, 'ValueRefused')
          return
        }
        const world = worldOf({ 'encje/indeks.md': index, [path]: before })
        const made = createSession(world, draft.right, path, accepted)
        if (isLeft(made)) {
          equal(made.left._tag, 'NameTaken', JSON.stringify(made.left))
          return
        }
        written += 1
        const after = applyEdits(world, made.right.edits)[path] ?? ''
        const [old, now] = [before, after].map(text => parseSessionFile(sourceFile(path, text)).copies)
        ok(old !== undefined && now !== undefined)
        const header = headerOf(draft.right)
        const copy = now.find(one => one.header === header)
        ok(copy !== undefined)
        equal(copy.body, draft.right.content)
        equal(findMisread(copy, draft.right.blocks), null)
        ok(isWithout(after, before) || isWithout(after, `${before}\n`) || isWithout(after, `${before}\r\n`))
        deepEqual(
          now.filter(one => one !== copy).map(one => [one.header, one.body, one.points.length]),
          old.map(one => [one.header, one.body, one.points.length]),
        )
        const dates = old.map(one => one.date)
        if (isOldestFirst(dates)) ok(isOldestFirst(now.map(one => one.date)))
        const reversed = [...dates].reverse()
        if (dates.length > 1 && dates[0] !== dates.at(-1) && isOldestFirst(reversed))
          ok(isOldestFirst(now.map(one => one.date).reverse()))
        equal(after.includes('\r\n'), before.includes('\r\n'))
      }),
      { numRuns: runsOf(300) },
    )
    ok(written > runsOf(300) / 10, `only ${written} of ${runsOf(300)} were legal`)
  })
})

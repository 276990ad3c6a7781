import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { rawLines } from '#src/domain/lore/lines.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import { patchPlan } from '#src/writing/sessions/patch.js'
import { runsOf } from '#test/support/runs.js'
import { sourceFile, worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'

const path = 'sesje/2026.md'
const index = '### Wit Kłos\n- @typ: Postać\n\n### Iskra\n- @typ: Postać\n'
const header = '2026-05-10, Most, Brzoza'

const part = fc.constantFrom(
  'Proza  ',
  '',
  '- lista\n\t- pod nią',
  '- PU:\n  - Iskra: 0,5\n  - Wit Kłos: trzy',
  '- @PU:\n    - Iskra: 1',
  '- Lokalizacje: Zamorze, Port',
  '*Lokalizacje: Zamorze*',
  'Logi: https://a.example/1',
  '- @Logi:\n    - https://a.example/2',
  '- Transfer: 5 koron, A -> B',
  '- Intel:\n    - Iskra: wieść',
  '- Efekty:\n    - deszcz',
  '- @Nieznany: x',
  '```\n- PU:\n    - Nikt: 5\n```',
  '#### Dalej',
)
const section = fc.array(part, { maxLength: 7 }).map(parts => parts.join('\n'))
const around = fc.constantFrom('', '\n', '\n\n')
const fileText = fc
  .record({
    before: section,
    own: section,
    after: section,
    gap: around,
    crlf: fc.boolean(),
    cut: fc.boolean(),
  })
  .map(({ before, own, after, gap, crlf, cut }) => {
    const text = `# Kronika\n### 2026-01-01, Przed, N\n${before}\n${gap}### ${header}\n${own}\n${gap}### 2026-06-01, Po, N\n${after}`
    const ended = cut ? text : `${text}\n`
    return crlf ? ended.replaceAll('\n', '\r\n') : ended
  })

const maybe = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: null })
const patch = fc.record({
  content: maybe(fc.constantFrom('', 'Nowa', 'Nowa\n\n- lista\n  - a', '#### Nowa\n\nproza')),
  metadata: fc.record({
    locations: maybe(fc.uniqueArray(fc.constantFrom('Zamorze', 'A -> B', 'Port/Molo'))),
    logs: maybe(fc.uniqueArray(fc.constantFrom('https://a.example/3', 'https://a.example/4,5'))),
    pu: maybe(
      fc.constantFrom([], [{ character: 'Iskra', value: 0.25 }], [{ character: 'Wit Kłos', value: null }]),
    ),
    intel: maybe(fc.constantFrom([], [{ target: 'Iskra', message: 'nowa: wieść' }])),
    participants: maybe(fc.constantFrom([], ['Iskra', 'Wit Kłos'])),
    preserved: maybe(fc.constantFrom([], [{ name: 'Nagrody', items: ['10 koron'] }])),
  }),
})

/** The lines of a text outside the section of the session. */
const outside = (text: string) => {
  const lines = rawLines(text)
  const at = lines.indexOf(`### ${header}`)
  const next = lines.findIndex((line, nth) => nth > at && line.startsWith('### '))
  return [lines.slice(0, at + 1), lines.slice(next)]
}

const view = { mayReadRestricted: true, sessions: true, logs: true, external: true }

describe('random changes of sessions', () => {
  it('are read back, and touch no line of another session', () => {
    let written = 0
    fc.assert(
      fc.property(fileText, patch, (before, body) => {
        const world = worldOf({ 'encje/indeks.md': index, [path]: before })
        const made = patchPlan(header, body, { by: 'Brzoza', view })(world, 0)
        if (isLeft(made)) {
          equal(made.left._tag, 'ValueRefused')
          return
        }
        written += 1
        const after = applyEdits(world, made.right.edits)[path] ?? ''
        deepEqual(outside(after), outside(before))
        equal(after.endsWith('\n'), before.endsWith('\n'))
        equal(
          after.replaceAll('\r\n', '').includes('\n'),
          before.includes('\r\n') ? false : after.includes('\n'),
        )
        const [old, now] = [before, after].map(text => parseSessionFile(sourceFile(path, text)).copies)
        const [was, is] = [old?.[1], now?.[1]]
        ok(was !== undefined && is !== undefined && now?.length === 3)
        const { content, metadata } = body
        equal(is.body, content ?? was.body)
        deepEqual(is.locations, metadata.locations ?? was.locations)
        deepEqual(is.logs, metadata.logs ?? was.logs)
        deepEqual(is.participants, metadata.participants ?? was.participants)
        const points = (copy: typeof is) => copy.points.map(one => [one.character, one.value])
        const asked: ReadonlyArray<{ readonly character: string; readonly value: number | null }> | null =
          metadata.pu
        const wanted = asked?.map(one => [one.character, one.value === null ? null : String(one.value)])
        deepEqual(points(is), wanted ?? points(was))
        equal(is.transfers.length, was.transfers.length)
        const again = patchPlan(header, body, { by: 'Brzoza', view })(
          worldOf({ 'encje/indeks.md': index, [path]: after }),
          0,
        )
        deepEqual(isLeft(again) ? again : again.right.edits, [])
      }),
      { numRuns: runsOf(200) },
    )
    ok(written > runsOf(200) / 2, `only ${written} of ${runsOf(200)} were legal`)
  })
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { planAward } from '#src/writing/points.js'
import { worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'

const month = '2026-05'
const batches = 2
const charactersOfWorld = 100
const worlds = 100

/** A character of the reference: its figures, and for each batch the PU of its sessions, all as people write them. */
interface Written {
  readonly startowe: string | null
  readonly suma: string | null
  readonly zdobyte: string | null
  readonly nadmiar: string | null
  readonly batches: ReadonlyArray<ReadonlyArray<string>>
}

/** A number as people write it: with a dot or a comma, in groups with a no-break space, with U+2212 for a minus. */
const numberText = (thousandthsMin: number, thousandthsMax: number): fc.Arbitrary<string> =>
  fc
    .record({
      thousandths: fc.integer({ min: thousandthsMin, max: thousandthsMax }),
      places: fc.integer({ min: 0, max: 3 }),
      mark: fc.constantFrom('.', ','),
      blank: fc.constantFrom('', ' ', '\u00a0', '\u202f'),
      minus: fc.constantFrom('-', '\u2212'),
    })
    .map(({ thousandths, places, mark, blank, minus }) => {
      const [whole = '', fraction = ''] = (Math.abs(thousandths) / 1_000).toFixed(places).split('.')
      const grouped = whole.replace(/\B(?=(?:\d{3})+$)/gu, blank)
      return `${thousandths < 0 ? minus : ''}${grouped}${fraction === '' ? '' : `${mark}${fraction}`}`
    })

const orNull = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: null, freq: 4 })

const session = numberText(0, 3_000)
const character: fc.Arbitrary<Written> = fc.record({
  startowe: orNull(numberText(0, 40_000)),
  suma: orNull(numberText(-2_000, 2_000_000)),
  zdobyte: orNull(numberText(0, 900_000)),
  nadmiar: orNull(numberText(0, 8_000)),
  batches: fc.array(fc.array(session, { maxLength: 3 }), { minLength: batches, maxLength: batches }),
})

const blockOf = ({ startowe, suma, zdobyte, nadmiar }: Written, at: number): string =>
  [
    `### Postać ${at}`,
    '- @typ: Postać',
    ...Object.entries({
      pu_startowe: startowe,
      pu_suma: suma,
      pu_zdobyte: zdobyte,
      pu_nadmiar: nadmiar,
    }).flatMap(([tag, text]) => (text === null ? [] : [`- @${tag}: ${text}`])),
    '',
  ].join('\n')

/** The sessions that the batches up to one settle; session `n` of a batch has the `n`th PU of every character. */
const sessionsUpTo = (written: ReadonlyArray<Written>, last: number): string =>
  Array.from({ length: last + 1 }, (_, batch) =>
    [0, 1, 2].flatMap(nth => {
      const lines = written.flatMap((one, at) => {
        const text = one.batches[batch]?.[nth]
        return text === undefined ? [] : [`    - Postać ${at}: ${text}`]
      })
      const day = String(batch * 3 + nth + 1).padStart(2, '0')
      return lines.length === 0
        ? []
        : [[`### ${month}-${day}, Sesja, Solmyr`, '', '- @PU:', ...lines, ''].join('\n')]
    }),
  )
    .flat()
    .join('\n')

/** The figures after the batches, as the product writes them. */
const settle = (written: ReadonlyArray<Written>): ReadonlyArray<ReadonlyArray<string>> => {
  let files: Readonly<Record<string, string>> = {
    '.svc/format.json': '{"format": 2}\n',
    'encje/indeks.md': written.map(blockOf).join('\n'),
  }
  for (let batch = 0; batch < batches; batch += 1) {
    const snapshot = worldOf({ ...files, 'sesje/maj.md': sessionsUpTo(written, batch) })
    const planned = planAward(snapshot, { month, jobId: null, dryRun: false, nowMs: 0 })
    ok(isRight(planned), JSON.stringify(planned))
    files = applyEdits(snapshot, planned.right.edits)
  }
  const blocks = (files['encje/indeks.md'] ?? '').split('### ').slice(1)
  return blocks.map(block =>
    ['pu_suma', 'pu_zdobyte', 'pu_nadmiar'].map(
      tag => new RegExp(`^- @${tag}: (.+)$`, 'mu').exec(block)?.[1] ?? '',
    ),
  )
}

const reference = fileURLToPath(new URL('award_reference.py', import.meta.url))

describe('the batch of a month beside the decimals of Python', () => {
  it(`gives ${worlds * charactersOfWorld} random months the same figures`, function () {
    if (spawnSync('python3', ['--version']).status !== 0) {
      console.warn('python3 is absent, so the reference of the points does not run')
      this.skip()
    }
    const drawn = fc
      .sample(character, worlds * charactersOfWorld)
      .filter(one => one.batches.flat().length > 0)
    const answer = spawnSync('python3', [reference], {
      input: JSON.stringify(drawn),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    equal(answer.status, 0, answer.stderr)
    const due = JSON.parse(answer.stdout) as ReadonlyArray<ReadonlyArray<string>>
    for (let from = 0; from < drawn.length; from += charactersOfWorld) {
      const written = drawn.slice(from, from + charactersOfWorld)
      for (const [at, is] of settle(written).entries())
        deepEqual(is, due[from + at], JSON.stringify(written[at]))
    }
  })
})

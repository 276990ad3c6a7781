import { deepEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { planAward } from '#src/writing/points.js'
import { runsOf } from '#test/support/runs.js'
import { worldOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'

const month = '2026-05'
const cap = 5
const characters = ['Wit', 'Nina'] as const
type Points = { readonly [K in (typeof characters)[number]]: number | null }

interface Played {
  readonly points: Points
  /** The batch before which the session is written down. */
  readonly piece: number
}

/** PU in thousandths, so that figures are rounded; null: the session does not name the character. */
const thousandths = fc.option(fc.integer({ min: 0, max: 3_000 }), { nil: null })
const played: fc.Arbitrary<Played> = fc.record({
  points: fc.record({ Wit: thousandths, Nina: thousandths }),
  piece: fc.integer({ min: 0, max: 3 }),
})
const figures = fc.record({
  Wit: fc.integer({ min: 0, max: 800 }),
  Nina: fc.integer({ min: 0, max: 800 }),
})

/** A figure as people write it: with a dot or a comma. */
const written = (value: number, at: number): string => {
  const text = (value / 1_000).toFixed(3)
  return at % 2 === 0 ? text : text.replace('.', ',')
}

const sessionOf = ({ points }: Played, at: number): string => {
  const lines = characters.flatMap(name => {
    const value = points[name]
    return value === null ? [] : [`    - ${name}: ${written(value, at)}`]
  })
  const list = lines.length === 0 ? [] : ['- @PU:', ...lines]
  return [
    `### ${month}-${String(at + 1).padStart(2, '0')}, Sesja, Solmyr`,
    '',
    'Opis.',
    '',
    ...list,
    '',
  ].join('\n')
}

type Files = Readonly<Record<string, string>>

const firstFiles = (pools: { readonly Wit: number; readonly Nina: number }): Files => ({
  '.svc/format.json': '{"format": 2}\n',
  'encje/indeks.md': characters
    .map(
      name =>
        `### ${name}\n- @typ: Postać\n- @pu_suma: 30.25\n- @pu_zdobyte: 10.25\n- @pu_nadmiar: ${(pools[name] / 100).toFixed(2)}\n`,
    )
    .join('\n'),
})

/** The files after the batch of the month, as the ledger and the blocks have it. */
const award = (files: Files): Files => {
  const snapshot = worldOf(files)
  const planned = planAward(snapshot, { month, jobId: null, dryRun: false, nowMs: 0 })
  ok(isRight(planned), JSON.stringify(planned))
  return applyEdits(snapshot, planned.right.edits)
}

const granted = (files: Files): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {}
  for (const line of (files['.svc/pu/batches.jsonl'] ?? '').split('\n').filter(text => text !== '')) {
    const { awards } = JSON.parse(line) as {
      readonly awards: ReadonlyArray<{ character: string; granted: number }>
    }
    for (const one of awards) sums[one.character] = (sums[one.character] ?? 0) + one.granted
  }
  return sums
}

describe('a month that is settled in pieces', () => {
  it('gives the figures that one batch gives, and never more than the cap', () => {
    fc.assert(
      fc.property(fc.array(played, { minLength: 1, maxLength: 8 }), figures, (sessions, pools) => {
        const texts = sessions.map(sessionOf)
        const textOf = (isThere: (one: Played) => boolean): string =>
          texts
            .filter((_, at) => isThere(sessions[at] ?? { points: { Wit: null, Nina: null }, piece: 0 }))
            .join('\n')
        const whole = award({ ...firstFiles(pools), 'sesje/maj.md': textOf(() => true) })
        let pieces = firstFiles(pools)
        for (let piece = 0; piece <= 3; piece += 1)
          pieces = award({ ...pieces, 'sesje/maj.md': textOf(one => one.piece <= piece) })
        deepEqual(pieces['encje/indeks.md'], whole['encje/indeks.md'])
        for (const [name, sum] of Object.entries(granted(pieces)))
          ok(Math.round(sum * 100) <= cap * 100, `${name} has ${sum}`)
      }),
      { numRuns: runsOf(500) },
    )
  })
})

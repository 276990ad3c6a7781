import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { type Build, buildSnapshot } from '#src/snapshot/build.js'
import { planClose } from '#src/writing/sessions/close.js'
import { listedLedger } from '#test/support/listed-ledger.js'
import { inputsOf } from '#test/support/world.js'
import { applyEdits } from '#test/support/writing-world.js'

const purse = (name: string, owner: string): string =>
  `### ${name}\n- @typ: Przedmiot\n- @należy_do: ${owner}\n- @generyczne_nazwy: Korony Elanckie\n- @ilość: 100\n`

const index = [
  ...['Anna', 'Borys', 'Cecylia', 'Dorota'].flatMap(name => [
    `### ${name}\n- @typ: NPC\n`,
    purse(`Korony: ${name}`, name),
  ]),
  '### Miecz\n- @typ: Przedmiot\n- @należy_do: Anna\n',
].join('\n')

const move = {
  ...{ id: 'm1', at: '2026-05-12T10:00:00Z', day: '2026-05-12', by: 'x', reason: 'Żołd' },
  transfers: [{ amount: 1, denomination: 'korony', source: 'Cecylia', destination: 'Dorota' }],
}

const closer = {
  ...{ by: 'x', gracz: null, isAdmin: true },
  view: { mayReadRestricted: true, sessions: true, logs: true, external: true },
}

const seen = ({ snapshot, stages }: Build) => ({
  entities: snapshot.entities.all.map(({ name, rows }) => [name, rows]),
  payments: snapshot.payments,
  findings: stages.overlay.value.findings,
  ledger: listedLedger(snapshot.closeLedger),
  steps: stages.overlay.value.steps,
})

const people = fc.constantFrom('Anna', 'Borys', 'Cecylia', 'Dorota')
const effect = fc.oneof(
  fc
    .record({ source: people, destination: people, amount: fc.integer({ min: 1, max: 9 }) })
    .filter(({ source, destination }) => source !== destination)
    .map(({ source, destination, amount }) => `- @Transfer: ${amount} koron, ${source} -> ${destination}`),
  people.map(name => `- @Zmiany:\n    - ${name}\n        - @stan: Ranny`),
  people.map(name => `- @Zmiany:\n    - Korony: ${name}\n        - @ilość: +5`),
  people.map(name => `- @Zmiany:\n    - Miecz\n        - @należy_do: ${name}`),
  people.map(name => `- @Zmiany:\n    - ${name}\n        - @alias: Wódz`),
)
const days = fc.integer({ min: 10, max: 14 })
const stories = fc.array(fc.record({ day: days, effects: fc.array(effect, { maxLength: 2 }) }), {
  minLength: 2,
  maxLength: 8,
})

const headerOf = (day: number, at: number): string => `2026-05-${day}, Sesja ${at}, Solmyr`

describe('a close that adds its session to the overlay', () => {
  it('gives what a build from nothing gives, whatever order sessions are closed in', () => {
    let [inserted, closes] = [0, 0]
    fc.assert(
      fc.property(stories, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), (told, order) => {
        const text = told.map(
          ({ day, effects }, at) => `### ${headerOf(day, at)}\n\nOpis.\n\n${effects.join('\n')}\n`,
        )
        let inputs = inputsOf({
          '.svc/format.json': '{"format": 2}',
          '.svc/money/moves.jsonl': `${JSON.stringify(move)}\n`,
          'encje/indeks.md': index,
          'Sesje.md': text.join('\n'),
        })
        let build = buildSnapshot(inputs, null)
        const left = told.map(({ day }, at) => headerOf(day, at))
        for (const pick of order) {
          const [header] = left.splice(pick % Math.max(left.length, 1), 1)
          if (header === undefined) break
          const planned = planClose(build.snapshot, { header, closer, note: null, dryRun: false, nowMs: 0 })
          if (isLeft(planned)) continue
          const before = build
          const texts = applyEdits(build.snapshot, planned.right.edits)
          inputs = inputsOf(texts, {}, inputs)
          build = buildSnapshot(inputs, before)
          deepEqual(seen(build), seen(buildSnapshot(inputsOf(texts), null)))
          closes += 1
          const [known, now] = [before.stages.overlay.value.steps, build.stages.overlay.value.steps]
          if (now.length === known.length + 1 && known.every(step => now.includes(step))) inserted += 1
        }
      }),
      { numRuns: 150, seed: 7 },
    )
    ok(inserted > 50, `${inserted} of ${closes} closes were inserted`)
    equal(closes > inserted, true)
  })
})

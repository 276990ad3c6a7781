import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { runsOf } from '#test/support/runs.js'
import { parseRun, splitSidecar } from './lemma-sidecar.js'

const lemmasIn = (json: string) => {
  const parts = atOnce(splitSidecar(json))
  if (parts === null) return null
  const lemmas = parts.runs.map(run => parseRun(json, run))
  return { sha256: parts.sha256, length: parts.length, lemmas: lemmas.includes(null) ? null : lemmas.flat() }
}

const lemma = fc.tuple(fc.nat(), fc.nat(), fc.oneof(fc.string(), fc.constantFrom('"', '\\', '],[', '\\"')))

describe('the JSON of a sidecar in runs', () => {
  it('has the lemmas that the whole has', () => {
    const sidecars = fc.record({
      sha256: fc.stringMatching(/^[0-9a-f]{8}$/),
      lemmas: fc.array(lemma, { maxLength: 600, size: 'max' }),
      space: fc.constantFrom(0, 2),
    })
    fc.assert(
      fc.property(sidecars, ({ sha256, lemmas, space }) => {
        const expected = { sha256, length: lemmas.length, lemmas }
        deepEqual(lemmasIn(JSON.stringify({ sha256, lemmas }, null, space)), expected)
        deepEqual(lemmasIn(JSON.stringify({ note: [[1], 'lemmas'], lemmas, sha256 }, null, space)), expected)
      }),
      { numRuns: runsOf(50) },
    )
  })

  it('is refused where it is no such object, too long in one element or too deep', () => {
    const of = (list: string): string => `{"sha256": "x", "lemmas": [${list}]}`
    const many = Array.from({ length: 256 }, () => '[1,2,"a"]').join()
    for (const bad of [
      '',
      '[]',
      'null',
      '{"lemmas": []}',
      '{"sha256": "x", "lemmas": []',
      '{"sha256": "x", "lemmas": [[1,2,"a"]',
      '{"sha256": "x", "lemmas": {"a": []}}',
      '{"sha256": "x", "a": {"lemmas": [[1,2,"a"]]}}',
      of(`${many},`),
      of('[1,2,["a"]]'),
      of(`[1,2,"${'a'.repeat(5000)}"]`),
      of(`[${'1,'.repeat(5000)}1]`),
      `${of('')}${' '.repeat(70_000)}`,
      `{"sha256": "x", "lemmas": ${'['.repeat(100_000)}`,
    ])
      equal(atOnce(splitSidecar(bad)), null, bad.slice(0, 60))
    equal(lemmasIn(of(many))?.length, 256)
    for (const bad of ['[1,2]', '[1,2,"a"],', '[1,2,"a"] [1,2,"a"]', '1'])
      equal(lemmasIn(of(bad))?.lemmas, null, bad)
  })
})

import { deepEqual, equal, ok } from 'node:assert/strict'
import { nameKey } from '#protocol/atoms.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { growsAsALine } from '#test/support/processor-time.js'
import { correctionsInSlices, type FormCorrection, type LanguageData } from './word-table.js'

const languageOf = (
  headings: number,
  correction: FormCorrection = { form: 'Wspólna', isForbidden: false, type: null },
): LanguageData => ({
  forms: new Map(Array.from({ length: headings }, (_, at) => [nameKey(`Nagłówek ${at}`), [correction]])),
  titles: [],
  lemmas: new Map(),
})

describe('the corrections of forms by form', () => {
  it('list the headings of an added form, and the types that lose a forbidden one', () => {
    const { added } = atOnce(correctionsInSlices(languageOf(2)))
    deepEqual(
      added.get('wspólna')?.map(({ heading }) => heading),
      ['nagłówek 0', 'nagłówek 1'],
    )
    const forbidden = languageOf(1, { form: 'Wspólna', isForbidden: true, type: 'NPC' })
    const { typesWithout } = atOnce(correctionsInSlices(forbidden))
    deepEqual(typesWithout(['wspólna'], false, nameKey('Nagłówek 0')), new Set(['NPC']))
    equal(typesWithout(['wspólna'], false, nameKey('Nagłówek 1')), undefined)
    equal(typesWithout(['inna'], false, nameKey('Nagłówek 0')), undefined)
  })

  it('pause while many headings share a form, and take time in proportion to them', () => {
    const work = correctionsInSlices(languageOf(10_000))
    let pauses = 0
    while (work.next().done !== true) pauses += 1
    ok(pauses >= 100, `${pauses} pauses`)
    ok(growsAsALine(10_000, headings => atOnce(correctionsInSlices(languageOf(headings)))))
  })
})

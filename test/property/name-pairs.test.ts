import { deepEqual, ok } from 'node:assert/strict'
import { resolveName, resolveUpToForms } from '#src/domain/names/resolve.js'
import { readPairWorlds } from '#test/evaluate/name-pairs.js'
import { worldOf } from '#test/support/world.js'

describe('the pairs of forms and headings of the evaluation', () => {
  const worlds = readPairWorlds()

  it('are many, in several worlds', () => {
    ok(worlds.length > 6)
    ok(worlds.flatMap(({ pairs }) => pairs).length > 2000)
  })

  for (const { title, files, pairs } of worlds)
    it(`resolve to the heading, and have effects on no other block: ${title}`, () => {
      const { names } = worldOf(files)
      const wrong = pairs.flatMap(({ form, name, hasEffect }) => {
        const asked = resolveName(names, form, { upTo: 'lemma', anyGender: true })
        const effect = resolveUpToForms(names, form).found
        // A name behind a title has no effect.
        const changed = hasEffect && asked.stage !== 'title' ? name : null
        return (asked.entity?.name ?? null) === name &&
          !asked.ambiguous &&
          (effect.entity?.name ?? null) === changed
          ? []
          : [`${form}: ${asked.entity?.name ?? asked.stage}, effect ${effect.entity?.name ?? effect.stage}`]
      })
      deepEqual(wrong, [])
    })
})

import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { anyDocument } from '#src/domain/search/ranking.js'
import { searchInMemory } from '#test/support/search/search-in-memory.js'
import { inputsOf } from '#test/support/world.js'
import { type IndexPart, tierIndex } from './build-index.js'
import { winkPart } from './open-index.js'
import { startWink } from './wink-engine.js'
import { packDocument } from './wink-file.js'

const withoutHits = (part: IndexPart): IndexPart => ({
  ...part,
  rank: () => ({ hits: [], total: 0, totalIsLowerBound: false }),
})

describe('the adapter that ranks prose', () => {
  it('is what finds it: with the adapter emptied, prose finds nothing', async () => {
    const { documents } = await searchInMemory(
      inputsOf({
        'Opisy/a.md': '# A\n\nMost kamienny.\n',
        'Opisy/b.md': '# B\n\nWieża kamienna.\n',
        'Opisy/c.md': '# C\n\nRzeka i most.\n',
      }),
    )
    const packed = documents.lore.map(packDocument)
    const wink = startWink()
    for (const { words } of packed) wink.add(words)
    const saved = wink.finish()
    ok(saved !== null)
    const part = winkPart(
      saved,
      packed.map(({ words: _, ...head }) => head),
    )
    const question = { terms: ['most'], covers: null, filter: anyDocument, offset: 0, limit: 10 }
    const sources = (index: IndexPart) =>
      tierIndex(index)
        .rank(question)
        .hits.map(({ id }) => id)
    ok(sources(part).length === 2)
    deepEqual(sources(withoutHits(part)), [])
  })
})

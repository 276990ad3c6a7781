import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { collectMentions, openMentions, surfacesIn } from './mention-index.js'

describe('the surfaces of a line', () => {
  it('are runs of capitalised words, over a preposition too', () => {
    const lines = [
      ['Widzę Annę Białą i Borysa.', ['(Widzę Annę Białą)', 'Annę Białą', 'Borysa']],
      ['Oto Anna z Zamorza, oraz Jan.', ['(Oto Anna z Zamorza)', 'Anna z Zamorza', 'Jan']],
      ['nic tu nie ma', []],
      ['Tak. Anna. Nie', ['(Anna)']],
      ["widzi O'Briena", ["O'Briena"]],
    ] as const
    for (const [text, surfaces] of lines)
      deepEqual(
        surfacesIn(text).map(one => (one.isSure ? one.text : `(${one.text})`)),
        surfaces,
        text,
      )
  })
})

describe('the index of mentions', () => {
  const index = () => {
    const collector = collectMentions()
    collector.beginLog('a')
    collector.addLine(3, 'Widzi Annę i Annę.')
    collector.addLine(40, 'Idzie Annę Białą.')
    collector.beginLog('b')
    collector.addLine(0, 'słyszy Annę')
    return collector.finish()
  }

  it('finds surfaces by a word without marks, and their lines once each', () => {
    const mentions = openMentions(index())
    deepEqual(mentions?.surfacesWith(['anne']), ['Annę', 'Annę Białą', 'Idzie Annę Białą', 'Widzi Annę'])
    deepEqual(mentions.linesOf(['Annę', 'Idzie Annę Białą', 'brak']), [
      ['a', [3, 40]],
      ['b', [0]],
    ])
    deepEqual(mentions.common(2), [{ name: 'Annę', logs: 2, lines: 2 }])
  })

  it('is opened from bytes of its version alone', () => {
    for (const text of ['', '{', '[]', '{"version":2,"logs":[],"surfaces":[]}'])
      equal(openMentions(Buffer.from(text)), null)
  })
})

import { deepEqual, equal } from 'node:assert/strict'
import { reduceWord } from './reduce-word.js'
import { makeSnippetKeys, snippetOf } from './search-page.js'

const keysOf = (...words: ReadonlyArray<string>) => makeSnippetKeys(new Set(words.map(reduceWord)))

describe('a snippet', () => {
  it('marks the words of the query in any form', () => {
    const { snippet, spans } = snippetOf(
      'Nad rzeką stał młyn, a w młynie spali Ludzie.',
      keysOf('młyn', 'człowiek'),
    )
    deepEqual(
      spans.map(({ start, end }) => snippet.slice(start, end)),
      ['młyn', 'młynie', 'Ludzie'],
    )
  })

  it('is made of a word with more marks than any writing has', () => {
    const { spans } = snippetOf(`młyn${'\u0315\u0323'.repeat(3_900)}`, keysOf('młyn'))
    equal(spans.length, 0)
  })
})

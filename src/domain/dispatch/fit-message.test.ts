import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { messageCharsMax } from '../chat/attempts.js'
import { countNoun, fitMessage } from './descriptions.js'

describe('a message of the chat', () => {
  it('is cut behind a line, with the number of lines that are left out', () => {
    equal(fitMessage(['a', 'b']), 'a\nb')
    const lines = Array.from({ length: 60 }, (_, at) => `${at} `.padEnd(50, 'x'))
    const text = fitMessage(lines)
    ok(text.length <= messageCharsMax, String(text.length))
    const kept = text.split('\n').length - 1
    equal(
      text,
      `${lines.slice(0, kept).join('\n')}\n… i jeszcze ${60 - kept} ${kept === 38 ? 'wiersze' : 'wierszy'}.`,
    )
    ok([kept * 51 + 50].every(length => length > messageCharsMax - 30))
  })

  it('has 2,000 characters where they fit', () => {
    equal(fitMessage(['x'.repeat(1_998), 'y']).length, 2_000)
    match(fitMessage(['x'.repeat(1_999), 'y']), /^x+…\n… i jeszcze 1 wiersz\.$/)
  })

  it('shortens a first line that does not fit, and splits no character', () => {
    for (const line of ['ż'.repeat(3_000), '🙂'.repeat(1_500), `x${'🙂'.repeat(1_500)}`]) {
      const text = fitMessage([line])
      ok(text.length <= messageCharsMax && text.length > messageCharsMax - 3)
      equal(encodeURIComponent(text).length > 0, true)
    }
  })

  it('declines its nouns', () => {
    const said = [1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 112, 122].map(count =>
      countNoun(count, 'wiersz', 'wiersze', 'wierszy'),
    )
    deepEqual(said, [
      '1 wiersz',
      '2 wiersze',
      '4 wiersze',
      '5 wierszy',
      '11 wierszy',
      '12 wierszy',
      '14 wierszy',
      '21 wierszy',
      '22 wiersze',
      '25 wierszy',
      '112 wierszy',
      '122 wiersze',
    ])
  })
})

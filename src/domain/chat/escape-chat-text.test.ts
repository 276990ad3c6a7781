import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { escapeChatText } from './attempts.js'

describe('a text of the lore in a message of the chat', () => {
  it('is shown as it is written, on one line', () => {
    const rows: ReadonlyArray<readonly [text: string, shown: string]> = [
      ['Wit Kłos', 'Wit Kłos'],
      ['2026-06-01, Most – część 2, Brzoza', '2026-06-01, Most – część 2, Brzoza'],
      [
        '<@111> <@&5> <#7> <https://evil.example>',
        '\\<@111\\> \\<@&5\\> \\<\\#7\\> \\<https\\://evil.example\\>',
      ],
      ['[Odbierz PU](https://evil.example)', '\\[Odbierz PU\\]\\(https\\://evil.example\\)'],
      ['o 20:30, https://evil.example/x', 'o 20:30, https\\://evil.example/x'],
      ['\\[x](y)', '\\\\\\[x\\]\\(y\\)'],
      ['**a** __b__ ~~c~~ `d` ||e||', '\\*\\*a\\*\\* \\_\\_b\\_\\_ \\~\\~c\\~\\~ \\`d\\` \\|\\|e\\|\\|'],
      ['a\n# b\u2028> c\u0085d\u202ee\u200b ', 'a \\# b \\> c d e'],
    ]
    for (const [text, shown] of rows) equal(escapeChatText(text), shown)
  })

  it('has at most 200 characters, of which none is split', () => {
    for (const unit of ['ą', '🐉']) {
      equal(escapeChatText(unit.repeat(200)), unit.repeat(200))
      equal(escapeChatText(unit.repeat(201)), `${unit.repeat(199)}…`)
    }
    ok(escapeChatText('*'.repeat(10_000)).length <= 400)
  })
})

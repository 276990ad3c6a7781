import { equal } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'mocha'
import { quoteWord } from './ask-decoded.js'

describe('a word of a command for a shell', () => {
  it('stays as it is where no character is special', () => {
    for (const word of ['/var/lore-1/a_b.md', '--repo']) equal(quoteWord(word), word)
  })

  it('is quoted where a character could be special, or where it is empty', () => {
    equal(quoteWord('a b'), "'a b'")
    equal(quoteWord("it's"), "'it'\\''s'")
    equal(quoteWord(''), "''")
  })

  it('is read back by sh as it was', () => {
    const ascii = Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1))
    const words = [
      ...ascii,
      ...ascii.map(char => `a${char}b`),
      '',
      '$HOME',
      '`id`',
      "''",
      'ż 🐉',
      '~/a',
      '-n',
    ]
    const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(quoteWord).join(' ')}`])
    equal(printed.toString('utf8'), words.map(word => `${word}\0`).join(''))
  })
})

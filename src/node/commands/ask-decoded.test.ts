import { deepEqual, equal } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { describe, it } from 'mocha'
import { quoteWord } from '#src/cli/output.js'
import { askDecoded } from './ask-decoded.js'

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

describe('the answer of the daemon to a command', () => {
  const Answer = t.type({ lastAction: t.string })
  const asked = (status: number, body: object) =>
    askDecoded(() => Promise.resolve(right({ status, body })), Answer, 'POST', '/sync')

  it('is a refusal by its status, also where it has all fields of the answer', async () => {
    const refused = { error: 'ConvergeFailed', detail: 'work_tree_dirty', lastAction: 'work_tree_dirty' }
    deepEqual(await asked(503, refused), left(refused))
    deepEqual(await asked(200, { lastAction: 'pulled' }), right({ lastAction: 'pulled' }))
  })

  it('of another version is told as such', async () => {
    const read = await asked(200, { strange: 1 })
    equal(read._tag === 'Left' && read.left.error, 'HTTP 200')
  })
})

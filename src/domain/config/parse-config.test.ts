import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { configBounds } from '#protocol/bounds.js'
import { parseConfig } from './read-config.js'

describe('the text of a configuration', () => {
  for (const [text, line, column, why] of [
    ['', 1, 1, /a value is expected/],
    ['{\n  "server": {\n    "port": 80,\n  }\n}\n', 4, 3, /a key in quotes is expected, at server/],
    ['[]', 1, 1, /the file must be one JSON object/],
    ['{"server": "x"}', 1, 12, /server must be an object/],
    ['{"integrations":\n {"chat": []}}', 2, 11, /integrations\.chat must be an object/],
    ['{"a": 1,\n "a": 2}', 2, 5, /a key is there twice/],
    ['{} x', 1, 4, /there is text after the value/],
  ] as const)
    it(`is refused at ${line}:${column} for ${JSON.stringify(text)}`, () => {
      const parsed = parseConfig(text)
      if (!isLeft(parsed)) throw new Error('it parses')
      deepEqual([parsed.left.line, parsed.left.column], [line, column])
      match(parsed.left.reason, why)
    })

  it('is refused above its bounds of bytes and of values, and taken at them', () => {
    const spaces = (bytes: number): string => `{}${' '.repeat(bytes - 2)}`
    const items = (values: number): string =>
      `{"x":[${Array.from({ length: values - 2 }, () => '0').join()}]}`
    const taken = (text: string): boolean => !isLeft(parseConfig(text))
    const { bytes, values } = configBounds
    deepEqual([taken(spaces(bytes)), taken(spaces(bytes + 1))], [true, false])
    deepEqual([taken(items(values)), taken(items(values + 1))], [true, false])
  })

  it('parses with a single key of a wrong type, which has its default', () => {
    equal(isLeft(parseConfig('{"server": {"port": "x"}, "other": 5}')), false)
  })

  it('is told without a value of it', () => {
    const parsed = parseConfig('{"integrations": {"chat": "hunter2"}}')
    equal(isLeft(parsed) && parsed.left.reason.includes('hunter2'), false)
  })
})

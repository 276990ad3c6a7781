import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { configKeys } from '#protocol/host/config.js'
import { sourceFile } from '#test/support/world.js'
import { unknownKeys } from './unknown-keys.js'

const findUnknown = (text: string) =>
  unknownKeys(sourceFile('.svc/config.json', text)).map(({ subject, suggestion }) => [subject, suggestion])

/** `{"a": {"b": value}}` for `a.b`. */
const textAtPath = (name: string, value: unknown): string =>
  JSON.stringify(name.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value))

describe('keys of the configuration that nothing reads', () => {
  for (const [text, ...wanted] of [
    ['{"server": {"prot": 8123}}', ['server.prot', 'Did you mean server.port?']],
    ['{"server": {"readOnly": true}}', ['server.readOnly', 'Did you mean server.read_only?']],
    ['{"sever": {"port": 8123}}', ['sever', 'Did you mean server?']],
    ['{"port": 8123}', ['port', 'Did you mean server.port?']],
    [
      '{"integrations": {"chat": {"colour": 1}}}',
      ['integrations.chat.colour', 'Remove integrations.chat.colour.'],
    ],
    ['{"server.port": 8123}', ['server.port', 'Write it as {"server": {"port": …}}.']],
    ['{"schedules": {"setlement": "ci"}}', ['schedules.setlement', 'Did you mean schedules.settlement?']],
    ['{"schedules": {"tidy": "ci"}}', ['schedules.tidy', 'Remove schedules.tidy.']],
    ['{"x": 1, "server": {"y": 2}}', ['x', 'Remove x.'], ['server.y', 'Remove server.y.']],
  ] as const)
    it(`are told with the nearest known one: ${text}`, () => deepEqual(findUnknown(text), wanted))

  it('are told one by one up to 20, the others by their number', () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`x${at}`, 0])))
    const told = unknownKeys(sourceFile('.svc/config.json', text))
    deepEqual(
      [told.length, told.at(-1)?.subject, told.at(-1)?.reason],
      [21, null, '3980 more keys are not known, so they have no effect.'],
    )
  })

  it('are none where the table has the key, also one of a later milestone', () => {
    for (const [name, row] of Object.entries(configKeys))
      deepEqual(findUnknown(textAtPath(name, row.fallback)), [], name)
  })

  for (const text of [
    '{"corpora": {"atlas": "../a"}}',
    '{"schedules": {"settlement": "off"}}',
    '{bad',
    '[]',
    '{}',
    'null',
  ])
    it(`are none in ${text}`, () => deepEqual(findUnknown(text), []))
})

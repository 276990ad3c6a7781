import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { setMember } from './set-member.js'

const set = (text: string): string => setMember(text, 'schedules', 'settlement', 'off')

describe('setting a member of a JSON text', () => {
  const cases: ReadonlyArray<readonly [what: string, before: string, after: string]> = [
    [
      'replaces the value alone',
      '{ "schedules" : {"settlement":"ci"}}',
      '{ "schedules" : {"settlement":"off"}}',
    ],
    [
      'replaces a value of another type',
      '{"schedules":{"settlement":[{"]":"}"}]}}',
      '{"schedules":{"settlement":"off"}}',
    ],
    [
      'finds an escaped key',
      '{"schedul\\u0065s": {"settlement": 7 }}',
      '{"schedul\\u0065s": {"settlement": "off" }}',
    ],
    [
      'takes no key of the root with a dot for it',
      '{"schedules.settlement": "ci"}',
      '{"schedules.settlement": "ci", "schedules": {"settlement": "off"}}',
    ],
    [
      'adds to the section as its members are written',
      '{\r\n\t"schedules": {\r\n\t\t"tidy": "ci"\r\n\t}\r\n}\r\n',
      '{\r\n\t"schedules": {\r\n\t\t"tidy": "ci",\r\n\t\t"settlement": "off"\r\n\t}\r\n}\r\n',
    ],
    ['fills an empty section', '{"schedules": { }}', '{"schedules": {"settlement": "off"}}'],
    [
      'adds a section as the root is written',
      '{\n    "server": {"port": 0}\n}\n',
      '{\n    "server": {"port": 0},\n    "schedules": {\n        "settlement": "off"\n    }\n}\n',
    ],
    ['fills an empty root', ' {}\n', ' {\n  "schedules": {\n    "settlement": "off"\n  }\n}\n'],
  ]
  for (const [what, before, after] of cases) it(what, () => equal(set(before), after))
})

import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const rows = [
  '- @typ: NPC',
  '- @grupa: Straż (2024-01:) (auto)',
  '- @lokacja: Las (2024-01:) (auto)',
  '- @pochodzenie: Zamorze (auto)',
  '- @alias: Wicia (auto)',
  '- @status: Aktywny (2024-01:2026-12) (auto)',
]
const textOf = (lines: ReadonlyArray<string>): string => `### Wita\n${lines.join('\n')}\n`
const world = () => worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': textOf(rows) })

/** Today is in June 2026. */
describe('the mark (auto) of a row', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: world() })
  })
  afterEach(() => front.close())

  const unmarked = (row: string, to = row.replace(' (auto)', '')): string =>
    textOf(rows.map(one => (one === row ? to : one)))
  const [, group = '', place = '', origin = '', alias = '', status = ''] = rows

  for (const [what, body, text] of [
    ['the same value of a tag of several', { tag: 'grupa', value: 'Straż' }, unmarked(group)],
    ['the same value from its first day', { tag: 'grupa', value: 'Straż', from: '2024-01' }, unmarked(group)],
    ['the same value of a dated tag', { tag: 'lokacja', value: 'Las' }, unmarked(place)],
    ['the same value and first day', { tag: 'lokacja', value: 'Las', from: '2024-01' }, unmarked(place)],
    ['the same value of a tag without days', { tag: 'pochodzenie', value: 'Zamorze' }, unmarked(origin)],
    ['the same spelling, cases aside', { tag: 'alias', value: 'WICIA' }, unmarked(alias)],
    [
      'a last day',
      { tag: 'grupa', value: 'Straż', to: '2026-12' },
      unmarked(group, '- @grupa: Straż (2024-01:2026-12)'),
    ],
    [
      'an end',
      { tag: 'grupa', value: 'Straż', remove: true },
      unmarked(group, '- @grupa: Straż (2024-01:2026-05)'),
    ],
    ['the last day that it has', { tag: 'status', value: 'Aktywny', to: '2026-12' }, unmarked(status)],
    [
      'another value behind it',
      { tag: 'lokacja', value: 'Port' },
      unmarked(place, '- @lokacja: Las (2024-01:2026-05)\n- @lokacja: Port (2026-06:)'),
    ],
    [
      'another value in its place',
      { tag: 'pochodzenie', value: 'Port' },
      unmarked(origin, '- @pochodzenie: Port'),
    ],
  ] as const)
    it(`goes with an edit of a person: ${what}`, async () => {
      const edit = () => front.client.ask('/entities/Wita', { method: 'PATCH', body: JSON.stringify(body) })
      const reply = await edit()
      deepEqual([reply.status, jsonField(reply.json, 'changed')], [200, true], reply.text)
      equal(textsOf(front.world() ?? world())['encje/indeks.md'], text)
      if (!('remove' in body)) equal(jsonField((await edit()).json, 'changed'), false, 'once')
    })
})

import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField, jsonFields } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const index = [
  '### Straż\n- @typ: Grupa\n- @alias: Warta\n',
  '### Cech\n- @typ: Grupa\n- @alias: Bracia\n',
  '### Bractwo\n- @typ: Grupa\n- @alias: Bracia\n',
  '### Wit Kłos\n- @typ: NPC\n',
  '### Port\n- @typ: Lokacja\n',
].join('\n')

const intel = [
  { target: 'Grupa/Warta', message: 'a' },
  { target: 'Grupa/Strarz', message: 'b' },
  { target: 'Grupa/Bracia', message: 'c' },
  { target: 'Lokacja/Straż', message: 'd' },
  { target: 'Wit Kłos, Wid Kłos', message: 'e' },
]

const world = () =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': index,
    'kontrybutorzy.md': '## Gracz\n### Cis\n- @gameid: 1\n',
    'sesje/2026.md': '### 2026-05-01, Targ, Cis\n\nTarg.\n',
  })

const session = {
  file: 'sesje/2026.md',
  date: '2026-06-01',
  title: 'Brama',
  narrators: ['Cis'],
  content: 'x',
}

describe('Intel targets that nobody or several answer to', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: world() })
  })
  afterEach(() => front.close())

  it('are in unresolved of the answer and among the findings, each name by itself', async () => {
    const body = JSON.stringify({ ...session, metadata: { intel } })
    const reply = await front.client.ask('/sessions', { method: 'POST', body })
    equal(reply.status, 201, reply.text)
    const at = (nth: number) => ({ field: `metadata.intel[${nth}].target` })
    deepEqual(jsonField(reply.json, 'unresolved'), [
      { ...at(1), name: 'Strarz', why: 'unknown', suggestions: ['Straż'] },
      { ...at(2), name: 'Bracia', why: 'ambiguous', suggestions: ['Cech', 'Bractwo'] },
      { ...at(3), name: 'Straż', why: 'unknown', suggestions: [] },
      { ...at(4), name: 'Wid Kłos', why: 'unknown', suggestions: ['Wit Kłos'] },
    ])
    const found = jsonField((await front.client.ask('/sessions/integrity')).json, 'items')
    const kinds = jsonFields(found, 'Kind')
    deepEqual(
      jsonFields(found, 'Detail').flatMap((detail, at) =>
        kinds[at] === 'UnresolvedIntel' ? [String(detail).split(';')[0]] : [],
      ),
      [
        'Żadna Grupa nie nosi nazwy „Strarz”',
        'Nazwa „Bracia” należy do kilku bloków (Grupa Cech, Grupa Bractwo)',
        'Żadna Lokacja nie nosi nazwy „Straż”',
        'Żaden blok nie nosi nazwy „Wid Kłos”',
      ],
    )
  })

  it('are told of a changed session too', async () => {
    const path = `/sessions/${encodeURIComponent('2026-05-01, Targ, Cis')}`
    const body = JSON.stringify({ metadata: { intel: [{ target: 'Nikt', message: 'a' }] } })
    const reply = await front.client.ask(path, { method: 'PATCH', body })
    deepEqual(jsonField(reply.json, 'unresolved'), [
      { field: 'metadata.intel[0].target', name: 'Nikt', why: 'unknown', suggestions: [] },
    ])
  })
})

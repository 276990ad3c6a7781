import { deepEqual } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField, jsonFields } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const index = [
  '### Atlantys\n- @typ: Lokacja\n',
  '### Cech\n- @typ: Grupa\n- @alias: Bracia\n',
  '### Bractwo\n- @typ: Grupa\n- @alias: Bracia\n',
  '### Wita\n- @typ: NPC\n',
  '### Miecz\n- @typ: Przedmiot\n',
].join('\n')
const world = () => worldOf({ '.svc/format.json': '{"format": 2}', 'encje/indeks.md': index })

describe('places, owners and groups that a write names', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: world() })
  })
  afterEach(() => front.close())

  const ask = async (path: string, method: string, body: object) => {
    const { json } = await front.client.ask(path, { method, body: JSON.stringify(body) })
    return { changed: jsonField(json, 'changed'), unresolved: jsonField(json, 'unresolved') }
  }
  const unknown = (name: string, suggestions: ReadonlyArray<string>) => [
    { field: 'value', name, why: 'unknown', suggestions },
  ]

  for (const [name, tag, value, unresolved] of [
    ['Wita', 'lokacja', 'Atlantyda', unknown('Atlantyda', ['Atlantys'])],
    ['Wita', '@grupa', 'Cechy', unknown('Cechy', ['Cech'])],
    ['Miecz', 'należy_do', 'Wit', unknown('Wit', ['Wita'])],
    [
      'Wita',
      'grupa',
      'Bracia',
      [{ field: 'value', name: 'Bracia', why: 'ambiguous', suggestions: ['Cech', 'Bractwo'] }],
    ],
    ['Wita', 'lokacja', 'atlantys', undefined],
    ['Miecz', 'należy_do', 'Wita', undefined],
    ['Wita', 'info', 'Atlantyda', undefined],
  ] as const)
    it(`are in unresolved of the answer where nobody or several answer: ${tag} ${value}`, async () => {
      const path = `/entities/${encodeURIComponent(name)}`
      const dry = await ask(`${path}?dryRun=true`, 'PATCH', { tag, value })
      deepEqual([dry.changed, dry.unresolved], [true, unresolved])
      const reply = await ask(path, 'PATCH', { tag, value })
      deepEqual([reply.changed, reply.unresolved], [true, unresolved])
      const found = (await front.client.ask('/entities/integrity')).json
      const kinds = jsonFields(jsonField(found, 'items'), 'Kind')
      const why = unresolved?.[0]?.why
      const kind = why === 'unknown' ? 'DanglingReference' : 'AmbiguousReference'
      deepEqual(kinds, why === undefined ? [] : [kind])
    })

  it('are told of a new block too, and not of a value that ends', async () => {
    const made = await ask('/locations', 'POST', {
      name: 'Port',
      tags: { lokacja: 'Atlantyda', drzwi: 'Atlantys' },
    })
    deepEqual(made.unresolved, [
      { field: 'tags.lokacja', name: 'Atlantyda', why: 'unknown', suggestions: ['Atlantys'] },
    ])
    const ended = await ask('/entities/Port', 'PATCH', { tag: 'lokacja', value: 'Atlantyda', remove: true })
    deepEqual([ended.changed, ended.unresolved], [true, undefined])
  })
})

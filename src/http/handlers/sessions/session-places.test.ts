import { deepEqual, equal } from 'node:assert/strict'
import { type TestFront, testFront } from '#test/support/front.js'
import { jsonField, jsonFields } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'

const place = (name: string, ...rows: ReadonlyArray<string>): string =>
  `### ${name}\n- @typ: Lokacja\n${rows.map(row => `- @${row}\n`).join('')}\n`

const index = [
  place('Erathia'),
  place('Rynek', 'lokacja: Erathia'),
  place('Port', 'lokacja: Erathia'),
  place('Nighon'),
  place('Las – Bór'),
  place('Las'),
  place('Bór'),
  place('Studnia (Erathia)', 'lokacja: Erathia'),
  place('Studnia (Nighon)', 'lokacja: Nighon'),
].join('')

const header = '2026-05-10, Wyprawa, Solmyr'
const worldWith = (...lines: ReadonlyArray<string>) =>
  worldOf({
    '.svc/format.json': '{"format": 2}',
    'encje/indeks.md': index,
    'sesje/2026.md': `### ${header}\n\nOpis.\n\n- @Lokacje:\n${lines.map(line => `    - ${line}\n`).join('')}`,
  })

/** A line of places, the places that it sets a session in, and the moves that it tells. */
const lines: ReadonlyArray<
  readonly [line: string, places: ReadonlyArray<string>, moves: ReadonlyArray<string>]
> = [
  ['Rynek', ['Rynek'], []],
  ['Rynek -> Port', ['Port', 'Rynek'], ['Rynek>Port']],
  ['Rynek → Port', ['Port', 'Rynek'], ['Rynek>Port']],
  ['Rynek – Port', ['Port', 'Rynek'], ['Rynek>Port']],
  ['Rynek - Port — Nighon', ['Nighon', 'Port', 'Rynek'], ['Port>Nighon', 'Rynek>Port']],
  ['Rynek\u00a0–\u00a0Port', ['Port', 'Rynek'], ['Rynek>Port']],
  ['Las – Bór', ['Las – Bór'], []],
  ['Las – Bór -> Port', ['Las – Bór', 'Port'], ['Las – Bór>Port']],
  ['Bór – Las', ['Bór', 'Las'], ['Bór>Las']],
  ['Erathia/Rynek', ['Erathia', 'Rynek'], []],
  ['Nighon/Rynek', ['Nighon', 'Rynek'], []],
  ['Nighon/Studnia', ['Nighon', 'Studnia (Nighon)'], []],
  [
    'Nighon/Studnia – Erathia/Rynek',
    ['Erathia', 'Nighon', 'Rynek', 'Studnia (Nighon)'],
    ['Studnia (Nighon)>Rynek'],
  ],
  ['Nighon / Las – Bór', ['Las – Bór', 'Nighon'], []],
  ['Rynek* – Port *', ['Port', 'Rynek'], ['Rynek>Port']],
  ['Brak', [], []],
]

describe('the places of a session', () => {
  let front: TestFront | null = null
  afterEach(async () => {
    await front?.close()
    front = null
  })
  const get = async (path: string): Promise<unknown> => (await front?.client.ask(encodeURI(path)))?.json

  for (const [line, places, moves] of lines)
    it(`are those of "${line}" in every answer`, async () => {
      const snapshot = worldWith(line)
      front = await testFront({ snapshot })
      const names = snapshot.entities.all.map(one => one.name)
      const set: Array<string> = []
      for (const name of names)
        if (jsonField(await get(`/entities/${name}/sessions`), 'count') === 1) set.push(name)
      deepEqual(set.sort(), places)
      const narrowed: Array<string> = []
      for (const name of names)
        if (jsonFields(jsonField(await get(`/sessions?entity=${name}`), 'items'), 'Header').length === 1)
          narrowed.push(name)
      deepEqual(narrowed.sort(), places)
      const edges: unknown = jsonField(await get('/maps/traversal'), 'Edges')
      const [sources, targets] = [jsonFields(edges, 'Source'), jsonFields(edges, 'Target')]
      const steps = sources.map((source, at) => `${String(source)}>${String(targets[at])}`)
      deepEqual(steps.sort(), moves)
      const plan = await front.client.ask('/session-registry/regenerate?dryRun=true', {
        method: 'POST',
        body: '{}',
      })
      equal(jsonField(plan.json, 'error'), undefined, plan.text)
    })
})

import { deepEqual } from 'node:assert/strict'
import { bounds } from '#protocol/bounds.js'
import { contractWorld } from '#test/support/contract-world.js'
import { type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { textsOf } from '#test/support/written.js'

const told = { date: '2026-05-15', title: 'Brama', narrators: ['Brzoza'], content: 'Było.' }
const opened = { file: 'sesje/2026.md', title: 'Dziś', narrators: ['Brzoza'] }

describe('the bounds of what is told of a session', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront({ snapshot: contractWorld() })
  })
  afterEach(() => front.close())

  const texts = () => textsOf(front.world() ?? contractWorld())
  const exceeds = async (path: string, body: object, bound: keyof typeof bounds, field: string) => {
    const before = texts()
    const { limit } = bounds[bound]
    for (const query of ['', '?dryRun=true']) {
      const reply = await front.client.ask(path + query, { method: 'POST', body: JSON.stringify(body) })
      const { status, json, text } = reply
      const said = isFields(json) ? [json['error'], json['bound'], json['limit'], json['field']] : []
      deepEqual([status, ...said], [422, 'BoundExceeded', bound, limit, field], text)
    }
    deepEqual(texts(), before)
  }

  const rows: ReadonlyArray<readonly [row: string, path: string, body: object]> = [
    ['a report', '/sessions/report', told],
    ['an opened session', '/workflows/open-session', opened],
  ]
  for (const [row, path, body] of rows)
    it(`${row} above a bound is refused, and nothing is written`, async () => {
      const long = 'ż'.repeat(bounds.valueBytes.limit / 2 + 1)
      const participants = Array.from({ length: bounds.sessionItems.limit + 1 }, (_, at) => `Nikt ${at}`)
      const title = 'a'.repeat(bounds.nameChars.limit + 1)
      await exceeds(path, { ...body, title }, 'nameChars', 'title')
      const locations = { metadata: { locations: [long] } }
      await exceeds(path, { ...body, ...locations }, 'valueBytes', 'metadata.locations[0]')
      await exceeds(path, { ...body, metadata: { participants } }, 'sessionItems', 'metadata')
    })
})

import { deepEqual, equal, match } from 'node:assert/strict'
import { right } from 'fp-ts/lib/Either.js'
import { bounds } from '#protocol/bounds.js'
import { routes } from '#protocol/routes.js'
import type { WritePlan } from '#src/writing/command.js'
import { planCommandBy, planners } from '#src/writing/plan-command.js'
import { batchOf } from '#test/support/batches.js'
import { testCommand } from '#test/support/commands.js'
import { contractWorld } from '#test/support/contract-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const told = { date: '2026-05-15', title: 'Brama', narrators: ['Brzoza'], content: 'Było.' }
const opened = { file: 'sesje/2026.md', title: 'Dziś', narrators: ['Brzoza'] }

describe('the bounds of what is told of a session', () => {
  let front: TestFront
  beforeEach(async () => {
    const callers = {
      gracz: callerWith(['session.report', 'player.write.own'], 'Brzoza'),
      inny: callerWith(['session.report'], 'Żaneta'),
      narrator: callerWith(['session.report', 'session.write'], 'Olcha'),
    }
    front = await testFront({ snapshot: contractWorld(), callers })
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

  const reports = async (token: string, day: number, content: string) => {
    const date = `2026-05-${String(day).padStart(2, '0')}`
    const body = JSON.stringify({ ...told, narrators: [], date, content })
    return front.client.ask('/sessions/report', { method: 'POST', token, body })
  }
  const long = 'a'.repeat(120_000)

  it('the reports of one player together take no more bytes than the bound, and a narrator’s do', async () => {
    equal((await reports('gracz', 1, long)).status, 201)
    equal((await reports('gracz', 2, long)).status, 201)
    const before = texts()
    const { status, json, text } = await reports('gracz', 3, long)
    deepEqual([status, isFields(json) && json['bound']], [422, 'ownBytes'], text)
    match(text, /Ask a narrator to accept the reports/)
    deepEqual(texts(), before)
    equal((await reports('gracz', 3, 'Krótko.')).status, 201, 'there is room for a short one')
    equal((await reports('inny', 3, long)).status, 201, 'another player has a bound of their own')
    for (const day of [1, 2, 3, 4]) equal((await reports('narrator', day, long)).status, 201)
  })

  it('a report that a narrator took over counts no more', async () => {
    for (const day of [1, 2]) equal((await reports('gracz', day, long)).status, 201)
    const kept = Object.entries(texts()).filter(([path]) => !path.startsWith('zgłoszenia/2026-05-01'))
    front.serve(worldOf(Object.fromEntries(kept)))
    equal((await reports('gracz', 3, long)).status, 201)
  })

  it('reports and Postacie of one player count together', async () => {
    for (const day of [1, 2]) equal((await reports('gracz', day, long)).status, 201)
    const patch = (letter: string) => {
      const body = JSON.stringify({ tag: 'info', value: letter.repeat(8_000) })
      return front.client.ask('/characters/Wit%20K%C5%82os', { method: 'PATCH', token: 'gracz', body })
    }
    deepEqual([(await patch('b')).status, (await patch('c')).status], [200, 200])
    const { status, json, text } = await patch('d')
    deepEqual([status, isFields(json) && json['bound']], [422, 'ownBytes'], text)
  })

  it('two reports of one player are never planned on one snapshot', () => {
    const caller = { ...callerWith(['session.report'], 'Żaneta'), grade: 'full' } as const
    const plan = planCommandBy({ table: routes, planners, admit: () => right(caller) })
    const reportOf =
      (title: string): WritePlan<unknown> =>
      (snapshot, atMs) => {
        const body = { ...told, title, content: 'a'.repeat(180_000) }
        const actor = { name: 'Żaneta', gracz: 'Żaneta', kind: 'session' }
        return plan(testCommand({ row: 'sessions.report', actor, body }), snapshot, atMs)
      }
    const batch = batchOf(contractWorld(), [reportOf('Brama'), reportOf('Most')])
    deepEqual([batch.ready.length, batch.deferred.length, batch.refused.length], [1, 1, 0])
  })
})

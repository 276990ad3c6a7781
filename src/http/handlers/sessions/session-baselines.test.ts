import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { contractWorld, tower } from '#test/support/contract-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const store = '.svc/sessions/hashes.jsonl'

describe('baselines of sessions and the registry', () => {
  let front: TestFront
  beforeEach(async () => {
    const callers = { writer: callerWith(['session.write']) }
    front = await testFront({ snapshot: contractWorld(), callers })
  })
  afterEach(() => front.close())

  const post = async (path: string) => {
    const { status, json, text } = await front.client.ask(path, { method: 'POST', body: '{}' })
    equal(status, 200, text)
    ok(isFields(json))
    return json
  }
  const texts = () => textsOf(front.world() ?? contractWorld())
  const edit = (path: string, from: string, to: string) =>
    front.serve(worldOf({ ...texts(), [path]: (texts()[path] ?? '').replace(from, to) }))
  const drifts = async (): Promise<number> =>
    ((await front.client.ask('/sessions/integrity')).text.match(/"SessionDrift"/g) ?? []).length
  const lines = (): number => (texts()[store] ?? '').split('\n').length - 1

  it('accept every text, and write no line a second time', async () => {
    const dry = await post('/sessions/hash?dryRun=true')
    deepEqual([dry['wouldHash'], dry['added'], lines()], [3, 3, 0])
    match(String(dry['diff']), /^\+\{"header":"2026-05-20/m)
    deepEqual(await post('/sessions/hash'), { hashed: 3, added: 3, changed: 0, unchanged: 0 })
    deepEqual(await post('/sessions/hash'), { hashed: 0, added: 0, changed: 0, unchanged: 3 })
    equal(lines(), 3)
  })

  it('forgive the drift of one session, or of all', async () => {
    await post('/sessions/hash')
    edit('sesje/2026.md', 'przeszedł przez most', 'spadł z mostu')
    edit('sesje/2026.md', 'wszedł na wieżę', 'spadł z wieży')
    equal(await drifts(), 2)
    const one = `/sessions/${encodeURIComponent(tower)}/rebaseline`
    const dry = await post(`${one}?dryRun=true`)
    deepEqual([dry['wouldRebaseline'], dry['changed'], lines()], [tower, true, 3])
    const { rebaselined, changed, sha256 } = await post(one)
    deepEqual([rebaselined, changed, sha256], [tower, true, dry['sha256']])
    deepEqual([await drifts(), lines()], [1, 4])
    equal((await post(one))['changed'], false)
    deepEqual(await post('/sessions/hash'), { hashed: 1, added: 0, changed: 1, unchanged: 2 })
    deepEqual([await drifts(), lines()], [0, 5])
  })

  it('tell no hash to who may not read restricted topics, which the text may hold', async () => {
    const headers = { authorization: 'Bearer writer' }
    for (const path of [
      `/sessions/${encodeURIComponent(tower)}/rebaseline?dryRun=true`,
      '/sessions/hash?dryRun=true',
      `/sessions/${encodeURIComponent(tower)}/rebaseline`,
    ]) {
      const { status, text } = await front.client.ask(path, { method: 'POST', body: '{}', headers })
      equal(status, 200, text)
      ok(!/[0-9a-f]{64}/.test(text), text)
    }
    match(texts()[store] ?? '', /"sha256":"[0-9a-f]{64}"/)
  })

  it('are 404 for a header that no session has', async () => {
    const reply = await front.client.ask('/sessions/Nikt/rebaseline', { method: 'POST', body: '{}' })
    equal(reply.status, 404)
    match(reply.text, /"SessionNotFound"/)
  })

  it('show the plan of the registry, carry it out, and then find nothing to do', async () => {
    const edited = { ...texts(), 'Lokacje/Dawne/Sesje.md': '<!-- generated from sessions; do not edit -->\n' }
    front.serve(worldOf({ ...edited, 'Lokacje/Zamorze/Notatki/Sesje.md': 'moje\n' }))
    const placement = { Placed: 2, RegisteredUnplaced: 0, NoLocation: 1, Total: 3 }
    const plan = {
      Roots: 1,
      Writes: { Populated: 2, Empty: 1, Unchanged: 0 },
      Deletes: ['Lokacje/Dawne/Sesje.md'],
      Holdouts: ['Lokacje/Zamorze/Notatki/Sesje.md'],
      Placement: placement,
    }
    const { diff, ...dry } = await post('/session-registry/regenerate?dryRun=true')
    deepEqual(dry, { Applied: false, ...plan })
    match(String(diff), /Lokacje\/Zamorze\/Port Zamorze\/Sesje\.md/)
    deepEqual(await post('/session-registry/regenerate'), { Applied: true, ...plan })
    deepEqual(await post('/session-registry/regenerate'), {
      ...plan,
      Applied: true,
      Writes: { Populated: 0, Empty: 0, Unchanged: 3 },
      Deletes: [],
    })
    equal(texts()['Lokacje/Zamorze/Notatki/Sesje.md'], 'moje\n')
  })

  it('make the graph anew', async () => {
    deepEqual(await post('/sessions/graph'), {
      rebuiltAt: '2026-06-15T12:00:00.000Z',
      NodeCount: 2,
      EdgeCount: 1,
    })
  })
})

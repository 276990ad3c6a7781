import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { Adoption, type AdoptRefusal } from '#protocol/host/admin.js'
import { refuse } from '#protocol/refusal.js'
import { type GateState, gateRefusal } from '#src/domain/admin/gate-arms.js'
import type { WriteGate } from '#src/ports/landing.js'
import { contractWorld } from '#test/support/contract-world.js'
import { nodeView, type TestFront, testFront } from '#test/support/front.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const adoption = (dryRun: boolean): Adoption => {
  const decoded = Adoption.decode({
    Applied: !dryRun,
    Entities: { players: 2, characters: 2, npc: 1, locations: 3, maps: 0, preserved: 9 },
    SessionsObserved: 2,
    SessionRegistry: {
      Applied: !dryRun,
      Roots: 1,
      Files: { Written: 1, Unchanged: 0 },
      Sessions: { Total: 2, Placed: 2 },
    },
    Findings: [],
    Files: ['Lokacje/Zamorze/Sesje.md'],
  })
  if (isLeft(decoded)) throw new Error('no adoption')
  return decoded.right
}

describe('the reindex and ways between places', () => {
  let front: TestFront
  let refused: AdoptRefusal | null = null
  let runs: Array<boolean> = []
  const state: { -readonly [K in keyof GateState]: GateState[K] } = {
    format: 'Current',
    syncStale: false,
    mode: 'ReadWrite',
  }
  const reindex: WriteGate['reindex'] = dryRun => {
    runs.push(dryRun)
    return Promise.resolve(refused === null ? right(adoption(dryRun)) : left(refused))
  }
  beforeEach(async () => {
    const session = '### 2026-06-01, Uczta, N\n\n- @PU:\n    - Wit Klos: 1\n    - Obcy: 1\n'
    const texts = {
      ...textsOf(contractWorld()),
      'sesje/uczta.md': session,
      'sesje/po.md': session.replace('01,', '02,'),
    }
    Object.assign(state, { format: 'Current', syncStale: false, mode: 'ReadWrite' })
    runs = []
    refused = null
    front = await testFront({
      snapshot: worldOf(texts),
      node: nodeView({ reindex }),
      gate: (_row, dryRun) => gateRefusal(state, dryRun),
    })
  })
  afterEach(() => front.close())

  const post = async (path: string, body: object = {}) => {
    const { status, json, text } = await front.client.ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    ok(isFields(json), text)
    return { status, json, text }
  }

  it('tells what it wrote, and of speakers whom no entity answers for', async () => {
    const { status, json } = await post('/locations/reindex')
    deepEqual([status, json['reindexed'], json['findingCount'], runs], [200, true, 0, [false]])
    deepEqual(json['speakerProposals'], [
      { Speaker: 'Obcy', Sessions: 2, First: '2026-06-01', Last: '2026-06-02', Suggestions: [] },
      {
        Speaker: 'Wit Klos',
        Sessions: 2,
        First: '2026-06-01',
        Last: '2026-06-02',
        Suggestions: ['Wit Kłos'],
      },
    ])
    const dry = await post('/locations/reindex?dryRun=true')
    deepEqual(Object.keys(dry.json).sort(), ['findingCount', 'findings', 'stats', 'wouldReindex'])
    deepEqual([dry.json['wouldReindex'], runs], [true, [false, true]])
  })

  it('goes on as a job that has the same result, but not as a dry run', async () => {
    const started = await post('/locations/reindex?async=true')
    equal(started.status, 202, started.text)
    const job = await front.client.ask(`/jobs/${String(started.json['jobId'])}`)
    match(
      job.text,
      /"kind":"locations.reindex","status":"completed".*"speakerProposals":\[\{"Speaker":"Obcy"/,
    )
    deepEqual(runs, [false])
    equal((await post('/locations/reindex?async=true&dryRun=true')).status, 200)
  })

  it('asks the gate, which it has no flag for', async () => {
    const arms: ReadonlyArray<readonly [string, Partial<GateState>]> = [
      ['ReadOnly', { mode: 'ReadOnly' }],
      ['SyncStale', { syncStale: true }],
      ['SchemaTooOld', { format: 'SchemaTooOld' }],
      ['SchemaTooNew', { format: 'SchemaTooNew' }],
    ]
    for (const [error, shut] of arms) {
      Object.assign(state, { mode: 'ReadWrite', ...shut })
      const { status, json } = await post('/locations/reindex')
      deepEqual([status, json['error']], [403, error])
      equal((await post('/locations/reindex?dryRun=true')).status, error === 'ReadOnly' ? 200 : 403)
    }
    deepEqual(runs, [true])
  })

  it('refuses as adoption does', async () => {
    const refusals: ReadonlyArray<readonly [AdoptRefusal, number]> = [
      [refuse('NoRepository', 'x'), 409],
      [refuse('WorkTreeDirty', 'x', { files: ['a'] }), 409],
      [refuse('AdoptionFailed', 'x', { findings: ['a'] }), 409],
      [refuse('DiskRefused', 'x'), 503],
      [refuse('Overloaded', 'x'), 503],
    ]
    for (const [refusal, wanted] of refusals) {
      refused = refusal
      const { status, json } = await post('/locations/reindex')
      deepEqual([status, json['error']], [wanted, refusal._tag])
    }
  })

  it('makes a way as a door of the first place, once, and ends it', async () => {
    const link = { source: 'Port Zamorze', target: 'Zamorze' }
    const dry = await post('/maps/traversal?dryRun=true', link)
    deepEqual([dry.json['wouldLink'], dry.json['to'], dry.json['changed']], ['Port Zamorze', 'Zamorze', true])
    match(String(dry.json['diff']), /^\+- @drzwi: Zamorze/m)
    deepEqual((await post('/maps/traversal', link)).json, {
      linked: 'Port Zamorze',
      to: 'Zamorze',
      changed: true,
    })
    match(
      (await front.client.ask('/locations/graph')).text,
      /"Source":"Port Zamorze","Target":"Zamorze","Type":"Door"/,
    )
    equal((await post('/maps/traversal', link)).json['changed'], false)
    equal((await post('/maps/traversal', { ...link, remove: true })).json['changed'], true)
  })

  it('refuses a way to nowhere, to several places, or to itself', async () => {
    const twins = '### Rynek (A)\n- @typ: Lokacja\n### Rynek (B)\n- @typ: Lokacja\n'
    front.serve(worldOf({ ...textsOf(contractWorld()), 'encje/inne.md': twins }))
    const refusals: ReadonlyArray<readonly [string, string, number, string]> = [
      ['Zamorze', 'Nigdzie', 404, 'LocationNotFound'],
      ['Nigdzie', 'Zamorze', 404, 'LocationNotFound'],
      ['Rynek', 'Zamorze', 409, 'AmbiguousName'],
      ['Zamorze', 'Rynek', 422, 'ValueRefused'],
      ['Zamorze', 'Zamorze', 422, 'ValueRefused'],
    ]
    for (const [source, target, wanted, error] of refusals) {
      const { status, json } = await post('/maps/traversal', { source, target })
      deepEqual([status, json['error']], [wanted, error])
      if (source === 'Rynek' || target === 'Rynek')
        deepEqual(json['candidates'], ['Rynek (A)', 'Rynek (B)'], 'the field is one name for both ends')
    }
  })
})

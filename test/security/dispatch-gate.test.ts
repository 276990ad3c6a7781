import { deepEqual } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { type DispatchKind, dispatchKinds } from '#protocol/chat/dispatch.js'
import { type GateState, gateRefusal } from '#src/domain/admin/gate-arms.js'
import { openInteractions } from '#src/node/chat/dispatch.js'
import { varsOfKind } from '#test/support/chat/interactions.js'
import { nodeView, nowMs, type TestFront, testFront } from '#test/support/front.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { worldOf } from '#test/support/world.js'

const open: GateState = { format: 'Current', syncStale: false, mode: 'ReadWrite' }

/** The arms of the gate, and whether a dry run passes them. */
const arms: ReadonlyArray<readonly [arm: string, closed: Partial<GateState>, passesDry: boolean]> = [
  ['SnapshotStale', { staleReason: 'the tree is broken' }, false],
  ['DiskRefused', { stateGone: true }, false],
  ['SchemaTooNew', { format: 'SchemaTooNew' }, false],
  ['SchemaTooOld', { format: 'SchemaTooOld' }, false],
  ['SyncStale', { syncStale: true }, false],
  ['ReadOnly', { mode: 'ReadOnly' }, true],
]

const ages: ReadonlyArray<readonly [kind: DispatchKind, ageMs: number, answer: string]> = [
  ['query', 4_999, '202'],
  ['query', 5_000, '202'],
  ['query', 5_001, '410 dispatch_stale'],
  ['report', 2_999, '202'],
  ['report', 3_000, '202'],
  ['report', 3_001, '409 too_late_for_report'],
  ['report', 5_001, '410 dispatch_stale'],
  ['close', -1_000_000_000, '202'],
  // The last millisecond of the year 9999.
  ['close', nowMs - 253_402_300_799_999, '202'],
  ['close', nowMs, '410 dispatch_stale'],
]

describe('POST /chat/dispatch on a host that enacts every kind', () => {
  let runtime: TestRuntime
  let front: TestFront
  let state: GateState = open
  let id = 0
  before(async () => {
    runtime = runtimeOf()
    const interactions = openInteractions({
      rules: { windowMs: 5_000, nearDeadlineMs: 3_000 },
      skewAlertMs: 2_000,
      clientId: '42',
      store: runtime.db().dispatches,
      groupCommit: runtime.db().groupCommit,
      seal: () => 'sealed',
      canEnact: () => true,
      wake: () => undefined,
      queueNowMs: () => nowMs,
      meter: { count: () => undefined, observe: () => undefined },
    })
    front = await testFront({
      snapshot: worldOf({ '.svc/format.json': '{"format": 2}' }),
      gate: (_row, dryRun) => gateRefusal(state, dryRun),
      node: nodeView({ interactions }),
    })
  })
  after(async () => {
    await front.close()
    runtime.dispose()
  })

  const ask = async (kind: DispatchKind, ageMs: number, query = ''): Promise<string> => {
    id += 1
    const body = { interactionId: String(id), sentAtEpochMs: nowMs - ageMs, vars: varsOfKind[kind] }
    const { status, json } = await front.client.ask(`/chat/dispatch${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const named = ['error', 'arm'].flatMap(name => {
      const value: unknown = Reflect.get(Object(json), name)
      return typeof value === 'string' ? [value] : []
    })
    return [status, ...named].join(' ')
  }

  for (const [arm, closed, passesDry] of arms)
    it(`refuses a close and a report by a closed ${arm}${passesDry ? ', but not dry' : ', also dry'}, and never a query`, async () => {
      state = { ...open, ...closed }
      const gated = `503 daemon_write_gated ${arm}`
      const seen = []
      for (const kind of dispatchKinds)
        seen.push([kind, await ask(kind, 0), await ask(kind, 0, '?dryRun=true')])
      state = open
      deepEqual(seen, [
        ['close', gated, passesDry ? '202' : gated],
        ['report', gated, passesDry ? '202' : gated],
        ['query', '202', '202'],
      ])
    })

  for (const [kind, ageMs, answer] of ages)
    it(`answers a ${kind} that is ${ageMs} ms old with ${answer}, plain and dry (S22)`, async () => {
      deepEqual([await ask(kind, ageMs), await ask(kind, ageMs, '?dryRun=true')], [answer, answer])
    })
})

import { deepEqual, equal } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { exitCodes } from '#protocol/exit-code.js'
import type { FleetPeers, LastTakeover } from '#protocol/fleet/peers.js'
import type { TakeoverAccepted } from '#protocol/fleet/takeover.js'
import { type FleetLook, waitForTakeover } from './fleet.js'

const job: LastTakeover = {
  target: 'Deyja',
  reason: 'dark',
  status: 'queued',
  requestedUtc: instantOf(1_000),
  failure: null,
  detail: null,
  mrUrl: null,
  lastError: null,
}
const mrUrl = 'https://forge.example/7'

const seeJob = (change: Partial<LastTakeover>): FleetLook => {
  const takeover = { apex: 'Erathia', towns: [], refusals: [], job: { ...job, ...change } }
  const self = {
    town: 'Deyja',
    role: 'replica',
    nowUtc: job.requestedUtc,
    bootUtc: job.requestedUtc,
  } as const
  const card = { ...self, bootId: 'b', uptimeSeconds: 1, imageDigest: '', schemaVersion: 2, version: '0.4.0' }
  const peers: FleetPeers = {
    count: 0,
    items: [],
    self: { ...card, syncAgeMinutes: 0 },
    watchIntervalMin: 5,
    isolated: false,
    staleAfterMinutes: 10,
    takeover,
  }
  return right(peers)
}

const gone: FleetLook = left({ code: exitCodes.held, refusal: { error: 'CheckoutHeld', detail: 'Held.' } })

/** Waits through these looks; the last one is repeated. */
const waitThrough = async (
  looks: ReadonlyArray<FleetLook>,
  { json = false, ...answer }: Partial<TakeoverAccepted> & { readonly json?: boolean } = {},
) => {
  const [out, err, left]: [Array<string>, Array<string>, Array<FleetLook>] = [[], [], [...looks]]
  let pauses = 0
  const code = await waitForTakeover(
    { accepted: true, target: 'Deyja', queued: true, ...answer },
    () => Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? gone),
    () => Promise.resolve(void (pauses += 1)),
    { json },
    { out: text => void out.push(text), err: text => void err.push(text), isTerminal: false },
  )
  return { code, out, err, pauses }
}

describe('kronika fleet takeover --wait', () => {
  const lastError = (atMs: number) => ({ atUtc: instantOf(atMs), detail: 'the forge answered 500' })

  it('prints each change of the job once, and ends with 0 when it is done', async () => {
    const running = { status: 'running', mrUrl } as const
    const { code, out, pauses } = await waitThrough([
      seeJob({}),
      seeJob({ status: 'running' }),
      seeJob({ ...running, lastError: lastError(2_000) }),
      seeJob({ ...running, lastError: lastError(3_000) }),
      seeJob({ status: 'done', mrUrl }),
    ])
    deepEqual([code, pauses], [exitCodes.ok, 4])
    deepEqual(out, [
      'Deyja: queued',
      'Deyja: running',
      `Deyja: running, last error: the forge answered 500 (${mrUrl})`,
      `Deyja: done (${mrUrl})`,
    ])
  })

  it('ends with 65 when the job fails, in JSON with the job', async () => {
    const failed = { status: 'failed', failure: 'vetoed', detail: 'a person\u001b closed it', mrUrl } as const
    const { code, out } = await waitThrough([seeJob(failed)])
    deepEqual(
      [code, out],
      [exitCodes.findings, [`Deyja: failed, vetoed: a person\\u001b closed it (${mrUrl})`]],
    )
    const { out: lines } = await waitThrough([seeJob(failed)], { json: true })
    deepEqual(lines, [JSON.stringify({ ...job, ...failed })])
  })

  it('goes on over looks without an answer, and ends with their code after thirty', async () => {
    const again = await waitThrough([gone, gone, seeJob({ status: 'done' })])
    deepEqual([again.code, again.err], [exitCodes.ok, ['CheckoutHeld: Held.']])
    const never = await waitThrough([seeJob({}), gone])
    deepEqual([never.code, never.pauses], [exitCodes.held, 30])
  })

  it('follows no other job: of another town, or of a later request', async () => {
    const other = await waitThrough([seeJob({ target: 'Avlee' })])
    deepEqual([other.code, other.out], [exitCodes.findings, []])
    const later = seeJob({ requestedUtc: instantOf(9_000), status: 'done' })
    equal((await waitThrough([seeJob({}), later])).code, exitCodes.findings)
    const known = await waitThrough([later], { queued: false, requestedUtc: job.requestedUtc })
    equal(known.code, exitCodes.findings)
  })
})

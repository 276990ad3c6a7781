import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type DispatchKind, DispatchWanted } from '#protocol/chat/dispatch.js'
import { splitAnswerTarget } from '#src/domain/dispatch/answer-query.js'
import { nonceBytes } from '#src/domain/identity/credentials/claim-code.js'
import type { DispatchStore } from '#src/ports/records.js'
import { runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { openInteractions } from './dispatch.js'
import { openReplySeal } from './interactions.js'

const nowMs = 1_781_524_800_000
const vars = { SVC_QUERY_INTENT: 'pu', SVC_QUERY_CHAT_ID: '5' }

const wantedOf = (interactionId: string, more: object = {}): DispatchWanted => {
  const decoded = DispatchWanted.decode({ interactionId, sentAtEpochMs: nowMs, vars, ...more })
  if (isLeft(decoded)) throw new Error('no dispatch')
  return decoded.right
}

describe('the receipt of dispatches', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  const openReceipt = (
    store: Partial<DispatchStore> = {},
    canEnact = (kind: DispatchKind): boolean => kind === 'query',
  ) => {
    const counted: Array<string> = []
    let wakes = 0
    const seal = openReplySeal(runtime.state)
    const interactions = openInteractions({
      rules: { windowMs: 5_000, nearDeadlineMs: 3_000 },
      skewAlertMs: 2_000,
      clientId: '42',
      store: { ...runtime.db().dispatches, ...store },
      groupCommit: runtime.db().groupCommit,
      seal: seal.seal,
      canEnact,
      wake: () => {
        wakes += 1
      },
      queueNowMs: () => nowMs,
      meter: {
        count: (name, labels) => void counted.push(`${name}{${Object.values(labels).join()}}`),
        observe: () => undefined,
      },
    })
    const receive = async (
      wanted: DispatchWanted,
      dryRun = false,
      arm: string | null = null,
    ): Promise<string> => {
      const decided = await interactions.receive({ wanted, nowMs, dryRun, findClosedArm: () => arm })
      return isLeft(decided) ? decided.left._tag : `${decided.right.kind} ${decided.right.duplicate}`
    }
    return { interactions, seal, counted, receive, wakes: () => wakes }
  }

  it('records an accepted interaction, wakes the queue, and answers a replay', async () => {
    const { interactions, receive, wakes, counted } = openReceipt()
    equal(await receive(wantedOf('7')), 'query false')
    equal(await receive(wantedOf('7', { sentAtEpochMs: 0 }), false, 'ReadOnly'), 'query true')
    deepEqual([wakes(), interactions.counts().query.accepted], [1, 1])
    deepEqual(counted, [
      'svc_dispatch_requests_total{query,accepted}',
      'svc_dispatch_requests_total{query,duplicate}',
    ])
  })

  it('gives one `duplicate: false` to a hundred copies (S20)', async () => {
    const { receive } = openReceipt()
    const said = await Promise.all(Array.from({ length: 100 }, () => receive(wantedOf('7'))))
    equal(said.filter(one => one === 'query false').length, 1)
    equal(said.filter(one => one === 'query true').length, 99)
  })

  it('lets a copy wait for the row that is being written, and try itself where the disk refused that row', async () => {
    let refusals = 2
    const { enqueue } = runtime.db().dispatches
    const { receive, interactions } = openReceipt({
      enqueue: (...args) => {
        refusals -= 1
        if (refusals >= 0) throw Object.assign(new Error('injected'), { code: 'SQLITE_FULL' })
        return enqueue(...args)
      },
    })
    // The copy is stale; where it found no row it would be refused, and enacted by the pipeline too.
    const stale = wantedOf('8', { sentAtEpochMs: 0 })
    const said = await Promise.all([
      ...[receive(wantedOf('7')), receive(wantedOf('7')), receive(wantedOf('7'))],
      ...[receive(wantedOf('8')), receive(stale)],
    ])
    deepEqual(said, ['DiskRefused', 'query false', 'query true', 'query false', 'query true'])
    equal(interactions.counts().query.accepted, 2)
  })

  it('keeps of a query the variables that it requires, and of a close all', async () => {
    const { receive } = openReceipt({}, () => true)
    await receive(wantedOf('7', { vars: { ...vars, pad: 'x'.repeat(60_000) } }))
    const close = { SVC_CLOSE_CHAT_ID: '5', pad: 'x' }
    await receive(wantedOf('8', { vars: close }))
    const { begin } = runtime.db().dispatches
    deepEqual([begin(nowMs)?.vars, begin(nowMs)?.vars], [vars, close])
  })

  it('records nothing for a dry run, and lets it see a replay', async () => {
    const { receive, wakes, interactions, counted } = openReceipt()
    deepEqual(
      [await receive(wantedOf('7'), true), await receive(wantedOf('7'), true)],
      ['query false', 'query false'],
    )
    deepEqual([wakes(), interactions.counts().query.accepted, counted], [0, 0, []])
    await receive(wantedOf('7'))
    equal(await receive(wantedOf('7'), true), 'query true')
  })

  it('refuses without a 202 where the disk refuses (ENOSPC, EIO)', async () => {
    for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_WRITE']) {
      const enqueue = (): never => {
        throw Object.assign(new Error('injected'), { code })
      }
      const { interactions, receive, wakes } = openReceipt({ enqueue })
      const decided = await interactions.receive({
        wanted: wantedOf('7'),
        nowMs,
        dryRun: false,
        findClosedArm: () => null,
      })
      ok(isLeft(decided) && decided.left._tag === 'DiskRefused')
      match(decided.left.detail, new RegExp(code))
      equal(wakes(), 0)
      equal(await receive(wantedOf('7'), true), 'query false')
    }
  })

  it('refuses above 100,000 that wait, and a close last', async () => {
    equal(await openReceipt({ waiting: () => 99_999 }).receive(wantedOf('7')), 'query false')
    equal(await openReceipt({ waiting: () => 100_000 }).receive(wantedOf('8')), 'Full')
    let waiting = 99_998
    const almost = openReceipt({ waiting: () => waiting })
    deepEqual(
      [await almost.receive(wantedOf('10')), await almost.receive(wantedOf('11'))],
      ['query false', 'query false'],
    )
    waiting = 100_000
    equal(await almost.receive(wantedOf('12')), 'Full')
    waiting = 99_999
    equal(await almost.receive(wantedOf('12')), 'query false')
    const close = { vars: { SVC_CLOSE_CHAT_ID: '5' } }
    const { receive, counted } = openReceipt()
    deepEqual(
      [
        await receive(wantedOf('9', close)),
        await receive(wantedOf('9', close), true, null),
        await receive(wantedOf('9', close), false, 'ReadOnly'),
      ],
      ['EnactorAbsent', 'EnactorAbsent', 'Gated'],
    )
    deepEqual(counted, [
      'svc_dispatch_requests_total{close,not_dispatchable}',
      'svc_dispatch_requests_total{close,gated}',
    ])
  })

  it('counts a sender whose clock is ahead by more than skew_alert_ms', async () => {
    const { receive, counted } = openReceipt()
    await receive(wantedOf('7', { sentAtEpochMs: nowMs + 2_000 }))
    equal(counted.includes('svc_dispatch_clock_skew_alerts_total{}'), false)
    await receive(wantedOf('8', { sentAtEpochMs: nowMs + 2_001 }))
    equal(counted.includes('svc_dispatch_clock_skew_alerts_total{}'), true)
  })

  it('keeps the token of an interaction sealed in its row alone (S34)', async () => {
    const token = 'aW50ZXJhY3Rpb246canary'
    const { receive, seal } = openReceipt()
    await receive(wantedOf('7', { vars: { ...vars, SVC_INTERACTION_TOKEN: token } }))
    const store = runtime.db().dispatches
    const begun = store.begin(nowMs)
    if (begun === null) throw new Error('nothing is due')
    deepEqual(begun.vars, vars)
    store.end(begun, { state: 'enacted', reason: null, answer: 'Oto PU.' }, nowMs)
    const [owed] = store.owed(1)
    deepEqual(seal.open('7', owed?.sealedReply ?? ''), { applicationId: '42', token })
    equal(seal.open('8', owed?.sealedReply ?? ''), null)
    const again = openReplySeal(runtime.state)
    equal(again.open('7', owed?.sealedReply ?? '')?.token, token)
    equal(statSync(join(runtime.state, 'dispatch.key')).mode & 0o777, 0o600)
    for (const file of ['runtime.db', 'runtime.db-wal'])
      equal(readFileSync(join(runtime.state, file)).includes(token), false, file)
    notEqual(owed, undefined)
  })

  it('seals with a nonce that was never used', () => {
    const { seal } = openReplySeal(runtime.state)
    const { target } = splitAnswerTarget({ SVC_INTERACTION_TOKEN: 'same' }, '42')
    if (target === null) throw new Error('no target')
    const nonceOf = (sealed: string): string => Buffer.from(sealed, 'base64').toString('hex', 0, nonceBytes)
    const sealed = Array.from({ length: 1_000 }, () => nonceOf(seal('7', target)))
    equal(new Set(sealed).size, 1_000)
  })

  for (const token of ['.', '..', 'a b', 'ą', ''])
    it(`leaves an interaction unanswered whose token would lead elsewhere: "${token}"`, async () => {
      const { receive } = openReceipt()
      await receive(wantedOf('7', { vars: { ...vars, SVC_INTERACTION_TOKEN: token } }))
      const store = runtime.db().dispatches
      const begun = store.begin(nowMs)
      if (begun === null) throw new Error('nothing is due')
      store.end(begun, { state: 'enacted', reason: null, answer: 'Oto PU.' }, nowMs)
      deepEqual(store.owed(1), [])
    })
})

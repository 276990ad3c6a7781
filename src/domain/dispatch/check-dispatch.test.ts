import { deepEqual, equal } from 'node:assert/strict'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { DispatchWanted, dispatchVarsBytesMax } from '#protocol/chat/dispatch.js'
import { varsOfKind as vars } from '#test/support/chat/interactions.js'
import { ageOf, checkDispatch, type DispatchFacts } from './check-dispatch.js'

const nowMs = 1_781_524_800_000
const rules = { windowMs: 5_000, nearDeadlineMs: 3_000 }
const open: DispatchFacts = {
  nowMs,
  findKnown: () => null,
  findClosedArm: () => null,
  isFull: () => false,
  canEnact: () => true,
}

const outcomeOf = (
  wanted: { readonly kind?: string; readonly vars: Readonly<Record<string, string>> },
  ageMs = 0,
  facts: Partial<DispatchFacts> = {},
): string => {
  const decision = checkDispatch({ ...wanted, sentAtEpochMs: nowMs - ageMs }, { ...open, ...facts }, rules)
  return decision._tag === 'Refused' ? decision.refusal._tag : `${decision._tag} ${decision.kind}`
}

const decodes = (body: object): boolean => isRight(DispatchWanted.decode(body))
const body = { interactionId: '1', sentAtEpochMs: 0, vars: {} }

describe('the body of a dispatch', () => {
  it('has an id of 1 to 20 digits between 1 and 2^64 − 1', () => {
    for (const id of ['1', '18446744073709551615', '900100200300400500'])
      equal(decodes({ ...body, interactionId: id }), true, id)
    for (const id of [
      7,
      '',
      '0',
      '123456789012345678901',
      ' 7',
      '7 ',
      '1 2',
      '٣',
      '18446744073709551616',
      null,
    ])
      equal(decodes({ ...body, interactionId: id }), false, String(id))
  })

  it('has a time that is a whole number of 0 to 2^53', () => {
    for (const at of [0, nowMs, 2 ** 53, 253_402_300_799_999])
      equal(decodes({ ...body, sentAtEpochMs: at }), true, String(at))
    for (const at of ['5', 0.5, -1, 1e20, null, Number.NaN])
      equal(decodes({ ...body, sentAtEpochMs: at }), false, String(at))
  })

  it('has variables that are a flat record of texts of at most 64 KiB', () => {
    const full = 'x'.repeat(dispatchVarsBytesMax - 1)
    equal(decodes({ ...body, vars: { a: full } }), true)
    for (const wrong of [{ a: `${full}x` }, { a: 1 }, { a: null }, { a: { b: 'c' } }, ['a'], 'a', null])
      equal(decodes({ ...body, vars: wrong }), false)
  })
})

describe('the check of a dispatch', () => {
  it('accepts each kind by name and by its variables', () => {
    for (const kind of ['close', 'report', 'query'] as const)
      deepEqual(
        [outcomeOf({ kind, vars: vars[kind] }), outcomeOf({ vars: vars[kind] })],
        [`Accepted ${kind}`, `Accepted ${kind}`],
      )
    equal(outcomeOf({ kind: 'query', vars: { ...vars.close, ...vars.query } }), 'Accepted query')
  })

  it('refuses what has no kind, another kind, two kinds, or too few variables', () => {
    const wrong: ReadonlyArray<Parameters<typeof outcomeOf>[0]> = [
      { vars: {} },
      { kind: 'Close', vars: vars.close },
      { kind: '', vars: vars.close },
      { vars: { ...vars.close, ...vars.query } },
      { kind: 'report', vars: vars.close },
      { vars: { SVC_REPORT_B64: 'eA==' } },
      { vars: { ...vars.report, SVC_REPORT_B64: ' ' } },
      { vars: { ...vars.query, SVC_QUERY_INTENT: 'PU' } },
      { vars: { ...vars.query, SVC_QUERY_CHAT_ID: 'a b' } },
      { kind: 'close', vars: { toString: 'x' } },
    ]
    for (const one of wrong) equal(outcomeOf(one), 'Undispatchable', JSON.stringify(one))
  })

  it('lets equality with a limit pass, and the future always (S22)', () => {
    for (const [ageMs, said] of [
      [4_999, 'Accepted close'],
      [5_000, 'Accepted close'],
      [5_001, 'Stale'],
      [-1_000_000_000, 'Accepted close'],
      [nowMs - 253_402_300_799_999, 'Accepted close'],
      [nowMs, 'Stale'],
    ] as const)
      equal(outcomeOf({ vars: vars.close }, ageMs), said, String(ageMs))
    for (const [ageMs, said] of [
      [2_999, 'Accepted report'],
      [3_000, 'Accepted report'],
      [3_001, 'Late'],
      [5_000, 'Late'],
      [5_001, 'Stale'],
    ] as const)
      equal(outcomeOf({ vars: vars.report }, ageMs), said, String(ageMs))
  })

  it('answers a replay before it looks at the time, the gate and the room (S21)', () => {
    const closed: Partial<DispatchFacts> = {
      findClosedArm: () => 'ReadOnly',
      isFull: () => true,
      canEnact: () => false,
    }
    const known: Partial<DispatchFacts> = { findKnown: () => 'report' }
    equal(outcomeOf({ vars: vars.report }, 900_000, { ...closed, ...known }), 'Duplicate report')
    equal(outcomeOf({ vars: {} }, 0, known), 'Undispatchable')
  })

  it('refuses in this order: stale, late, gated, full, no enactor', () => {
    const never = { findClosedArm: () => 'ReadOnly', isFull: () => true, canEnact: () => false }
    const seen = [
      outcomeOf({ vars: vars.report }, 5_001, never),
      outcomeOf({ vars: vars.report }, 3_001, never),
      outcomeOf({ vars: vars.report }, 0, never),
      outcomeOf({ vars: vars.report }, 0, { ...never, findClosedArm: () => null }),
      outcomeOf({ vars: vars.report }, 0, { canEnact: () => false }),
    ]
    deepEqual(seen, ['Stale', 'Late', 'Gated', 'Full', 'EnactorAbsent'])
  })

  it('takes no notice of the gate for a query', () => {
    equal(outcomeOf({ vars: vars.query }, 3_001, { findClosedArm: () => 'SyncStale' }), 'Accepted query')
  })

  it('takes the age from one whole reading', () => {
    equal(ageOf({ sentAtEpochMs: 10 }, 15.9), 5)
  })
})

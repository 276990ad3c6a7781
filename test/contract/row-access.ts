import { deepEqual, equal, ok } from 'node:assert/strict'
import { it } from 'mocha'
import type { CapabilityId } from '#protocol/atoms.js'
import { refusals } from '#protocol/refusal.js'
import {
  type Asking,
  benchTokens,
  checkRefused,
  fieldOf,
  ordinary,
  requestTargetOf,
  type Subject,
} from './bench.js'
import type { CheckOf } from './row-contract.js'

const publicRow = (subject: Subject, bench: () => Asking): void => {
  it('answers anybody, and ignores a bad token', async () => {
    await ordinary(bench(), subject, { token: null })
    await ordinary(bench(), subject, { token: 'sess_nieznany' })
  })
}

const checkGuardedRow = (subject: Subject, capability: CapabilityId, bench: () => Asking): void => {
  const as = (token: string | null) => bench().ask(subject, undefined, { token })

  it('is 401 for anonymous callers and for a token that nobody knows', async () => {
    for (const reply of [await as(null), await as('sess_nieznany')]) {
      checkRefused(reply, 401, 'Unauthorized')
      equal(reply.headers['www-authenticate'], 'Bearer')
    }
  })

  it(`is 403 for a caller with every capability but ${capability}`, async () => {
    const reply = await as(benchTokens.lacks(capability))
    checkRefused(reply, 403, 'Forbidden')
    equal(fieldOf(reply, 'required'), capability)
  })

  it(`admits the holder of ${capability} and of its resource's all`, async () => {
    const { hidden } = subject.sample
    for (const token of [benchTokens.plain(capability), benchTokens.all(capability)])
      if (hidden === undefined) await ordinary(bench(), subject, { token })
      else checkRefused(await as(token), refusals[hidden].status, hidden)
  })

  it(`${subject.row.own ? 'admits' : 'is 403 for'} the holder of ${capability}.own alone`, async () => {
    if (subject.row.own) {
      await ordinary(bench(), subject, { token: benchTokens.own(capability) })
      return
    }
    const reply = await as(benchTokens.own(capability))
    checkRefused(reply, 403, 'Forbidden')
    equal(fieldOf(reply, 'required'), capability)
  })
}

/** Who is let in (A 5.2), and what the row answers to them. */
export const access: CheckOf<Asking> = (subject, bench, offencesOf) => {
  const { row, sample } = subject

  it('answers its sample in full, as its schema says', async () => {
    const reply = await ordinary(bench(), subject)
    // A preview tells what would be, in other words.
    if (bench().trial(row).length === 0)
      ok(reply.text.includes(sample.says), `${sample.says} is not in ${reply.text}`)
    equal(reply.headers['content-type'], row.media ?? 'application/json; charset=utf-8')
    const target = `/v1/api${requestTargetOf(subject, [])}`
    const seen = {
      method: row.method,
      target,
      status: reply.status,
      body: reply.json ?? reply.text,
      closed: true,
    }
    deepEqual(offencesOf(seen), [])
  })

  if (row.capability === null) publicRow(subject, bench)
  else checkGuardedRow(subject, row.capability, bench)

  it('has no twin of another method', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'TRACE'])
      equal((await bench().ask(subject, undefined, { method, body: '' })).status, 404, method)
  })
}

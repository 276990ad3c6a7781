import { equal, match, notEqual, ok } from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { it } from 'mocha'
import { alwaysRefuses, isFromCommit, namesCommit } from '#protocol/route.js'
import { olderCommit, servedCommit, strangeCommit } from '#test/support/contract-world.js'
import type { Ask } from '#test/support/http-client.js'
import { day } from '#test/support/world.js'
import { type Bench, benchTokens, checkRefused, isOrdinary, type Subject } from './bench.js'
import type { Check } from './row-contract.js'

const gzipBytesMin = 1024

const withValidator = (subject: Subject, bench: () => Bench): void => {
  const withEtag = (etag: string) => bench().ask(subject, undefined, { headers: { 'If-None-Match': etag } })

  it('has a validator, and answers 304 without a body to who has it', async () => {
    const first = await bench().ask(subject)
    const etag = first.headers.etag ?? ''
    match(etag, /^W\/"[^"]+"$/)
    for (const wanted of [etag, `"x", ${etag}`, etag.slice(2), '*']) {
      const reply = await withEtag(wanted)
      equal(reply.status, 304, wanted)
      equal(reply.bytes.length, 0)
      equal(reply.headers.etag, etag)
    }
    const other = await withEtag('W/"inny"')
    isOrdinary(subject, other)
    equal(other.headers.etag, etag)
  })

  it('compares no validator for a request that is refused', async () => {
    const etag = (await bench().ask(subject)).headers.etag ?? ''
    const { capability, own } = subject.row
    const asked = async (ask: Ask, status: number, error: string): Promise<void> => {
      for (const wanted of [etag, '*']) {
        const headers = { ...ask.headers, 'If-None-Match': wanted }
        const reply = await bench().ask(subject, undefined, { ...ask, headers })
        checkRefused(reply, status, error)
        equal(reply.headers.etag, undefined)
      }
    }
    if (isFromCommit(subject.row))
      await asked({ headers: { 'X-Svc-Min-Commit': strangeCommit } }, 409, 'CommitNotHere')
    if (capability === null) return
    await asked({ token: null }, 401, 'Unauthorized')
    await asked({ token: 'sess_nieznany' }, 401, 'Unauthorized')
    await asked({ token: benchTokens.lacks(capability) }, 403, 'Forbidden')
    if (!own) await asked({ token: benchTokens.own(capability) }, 403, 'Forbidden')
  })

  it('changes its validator with the inputs of the snapshot and with the day', async () => {
    const { world, serve } = bench()
    const etag = (await bench().ask(subject)).headers.etag
    try {
      for (const next of [
        { ...world, inputs: 'inne' },
        { ...world, day: day('2026-06-16') },
      ]) {
        serve(next)
        const reply = await withEtag(etag ?? '')
        isOrdinary(subject, reply)
        notEqual(reply.headers.etag, etag)
      }
    } finally {
      serve(world)
    }
    equal((await bench().ask(subject)).headers.etag, etag)
  })
}

/** The commit of an ordinary answer; a row that refuses names none. */
const commitNamedBy = ({ row }: Subject): string | undefined =>
  namesCommit(row) && !alwaysRefuses(row) ? servedCommit : undefined

const ofCommit = (subject: Subject, bench: () => Bench): void => {
  const wanting = (commit: string) =>
    bench().ask(subject, undefined, { headers: { 'X-Svc-Min-Commit': commit } })

  it('names its commit, and refuses a request for one that is not here', async () => {
    for (const commit of [servedCommit, olderCommit]) {
      const reply = await wanting(commit)
      isOrdinary(subject, reply)
      equal(reply.headers['x-svc-commit'], commitNamedBy(subject))
    }
    for (const commit of [strangeCommit, servedCommit.slice(0, 12), 'HEAD', '']) {
      const reply = await wanting(commit)
      checkRefused(reply, 409, 'CommitNotHere')
      match(String(reply.headers['retry-after']), /^\d+$/)
    }
  })
}

const ofAnyCommit = (subject: Subject, bench: () => Bench): void => {
  it('ignores the commit that a request wants', async () => {
    for (const commit of [strangeCommit, 'HEAD']) {
      const reply = await bench().ask(subject, undefined, { headers: { 'X-Svc-Min-Commit': commit } })
      isOrdinary(subject, reply)
      equal(reply.headers['x-svc-commit'], commitNamedBy(subject))
    }
  })
}

/** How the answer comes: validator, commit, before the first snapshot, compressed (A 4.1.7-9, D1, D10, D27). */
export const checkAnswer: Check = (subject, bench) => {
  const { row } = subject

  if (row.etag) withValidator(subject, bench)
  else
    it('has no validator', async () => {
      const reply = await bench().ask(subject, undefined, { headers: { 'If-None-Match': '*' } })
      isOrdinary(subject, reply)
      equal(reply.headers.etag, undefined)
    })

  if (isFromCommit(row)) ofCommit(subject, bench)
  else ofAnyCommit(subject, bench)

  it(row.early ? 'answers before the first snapshot' : 'is 503 before the first snapshot', async () => {
    const { world, serve } = bench()
    serve(null)
    try {
      const reply = await bench().ask(subject)
      if (row.early) return isOrdinary(subject, reply)
      checkRefused(reply, 503, 'Starting')
      match(String(reply.headers['retry-after']), /^\d+$/)
    } finally {
      serve(world)
    }
  })

  it('is compressed from 1024 bytes for who takes gzip', async () => {
    const plain = await bench().ask(subject)
    equal(plain.headers['content-encoding'], undefined)
    const zipped = await bench().ask(subject, undefined, { headers: { 'Accept-Encoding': 'br, gzip' } })
    equal(zipped.text, plain.text)
    ok(String(zipped.headers.vary).includes('Accept-Encoding'))
    const large = plain.bytes.length >= gzipBytesMin
    equal(zipped.headers['content-encoding'], large ? 'gzip' : undefined)
    if (large) equal(gunzipSync(zipped.bytes).toString('utf8'), plain.text)
    equal(zipped.headers.etag, plain.headers.etag)
  })
}

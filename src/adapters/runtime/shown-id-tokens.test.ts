import { deepEqual, equal, throws } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { runsOf } from '#test/support/runs.js'
import { refuseWritesSql, runtimeIn, runtimeOf, type TestRuntime } from '#test/support/runtime.js'
import { openSqlite } from './sqlite.js'

const token = 'head-of-a-token.claims-of-a-token.signature-of-a-token'

describe('shown id tokens', () => {
  let runtime: TestRuntime
  beforeEach(() => {
    runtime = runtimeOf()
  })
  afterEach(() => runtime.dispose())

  const keep = (text: string, refusedFromMs: number, nowMs: number): boolean =>
    runtime.db().shownIdTokens.keep(text, refusedFromMs, nowMs)
  const rows = (): number => {
    const bare = openSqlite(join(runtime.state, 'runtime.db'), 0)
    const { length } = bare.prepare('SELECT hash FROM shown_id_tokens').all()
    bare.close()
    return length
  }

  it('are kept once, until they are refused as expired', () => {
    deepEqual([keep(token, 100, 1), keep(token, 100, 2), keep(token, 100, 99)], [true, false, false])
    deepEqual([keep('another', 100, 2), keep('another', 100, 3)], [true, false])
  })

  it('are swept at each that is kept, and not before their end', () => {
    for (let at = 0; at < 10; at += 1) keep(`old-${at}`, 100 + at, 1)
    keep('new', 1_000, 104)
    equal(rows(), 6)
    keep('newer', 1_000, 200)
    equal(rows(), 2)
  })

  it('stay so over a restart, and when the process dies at once: they are on disk', () => {
    keep(token, 100, 1)
    const next = runtimeIn(runtime.state)
    equal(next.db().shownIdTokens.keep(token, 100, 2), false)
    next.dispose()
    runtime.reopen()
    equal(keep(token, 100, 3), false)
  })

  it('are kept as their hash alone', () => {
    keep(token, 100, 1)
    for (const part of token.split('.'))
      for (const name of ['runtime.db', 'runtime.db-wal'])
        equal(readFileSync(join(runtime.state, name)).includes(part), false, name)
  })

  it('are taken once between two connections, whatever the order', () => {
    const other = runtimeIn(runtime.state)
    let shown = 0
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), turns => {
        shown += 1
        const wins = turns.filter(first =>
          (first ? runtime : other).db().shownIdTokens.keep(`token-${shown}`, 100, 1),
        )
        equal(wins.length, 1)
      }),
      { numRuns: runsOf(40) },
    )
    other.dispose()
  })

  it('are not taken where the disk refuses, and are new when it takes writes again', () => {
    runtime.execute(refuseWritesSql('shown_id_tokens'))
    throws(() => keep(token, 100, 1))
    runtime.execute('DROP TRIGGER shown_id_tokens_in; DROP TRIGGER shown_id_tokens_out;')
    equal(keep(token, 100, 2), true)
  })
})

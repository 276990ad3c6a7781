import { deepEqual } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { AuditLine } from '#protocol/host/events.js'
import { servedCommit } from '#test/support/contract-world.js'
import { intentOf } from '#test/support/intent.js'
import { openRuntimeDb, type RuntimeDb } from './runtime-db.js'

const write = (intent: string): AuditLine => ({ action: 'write', actor: 'Brzoza', intent })
const intentWithAudit = (id: string) =>
  intentOf(id, { audit: [write(id), { ...write(id), action: 'identity.assign' }] })
const tokenLine = { action: 'token.revoke', actor: 'machine', id: 't' } as const

describe('lines that the audit stream is owed', () => {
  let state: string
  let db: RuntimeDb
  const open = (): void => {
    const opened = openRuntimeDb(state)
    if (isLeft(opened)) throw new Error(opened.left.reason)
    db = opened.right
  }
  const reopen = (): void => {
    db.close()
    open()
  }
  const keys = (): ReadonlyArray<string> => db.owedAudit.before().map(({ key }) => key)
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'owed-'))
    open()
  })
  afterEach(() => {
    db.close()
    rmSync(state, { recursive: true })
  })

  it('are those of writes that stand, with their commit, from before this boot alone', () => {
    db.intents.prepare([intentWithAudit('done'), intentWithAudit('lost'), intentWithAudit('open')])
    db.intents.settle(['done'], 'done')
    db.intents.settle(['lost'], 'lost')
    db.namedTokens.forget('t', tokenLine, 5)
    deepEqual(keys(), [], 'this boot writes them itself')
    reopen()
    deepEqual(keys(), ['write done', 'identity.assign done', 'token.revoke t'])
    deepEqual(db.owedAudit.before()[0], {
      key: 'write done',
      atMs: 1,
      line: { ...write('done'), commit: servedCommit },
    })
    db.intents.settle(['open'], 'done')
    deepEqual(keys().slice(2, 4), ['write open', 'identity.assign open'], 'the recovery found that it stands')
  })

  it('go with the next write that owes some, or with the end of the database', () => {
    db.intents.prepare([intentWithAudit('a'), intentWithAudit('b')])
    db.intents.settle(['a', 'b'], 'done')
    db.owedAudit.paid(['write a', 'identity.assign a'])
    db.intents.prepare([intentWithAudit('c')])
    db.intents.settle(['c'], 'lost')
    db.owedAudit.paid(['write b'])
    reopen()
    deepEqual(keys(), ['identity.assign b'])
    db.owedAudit.paid(['identity.assign b'])
    reopen()
    deepEqual(keys(), [])
  })

  it('of this boot are never taken for older ones, also where those are gone', () => {
    db.intents.prepare([intentWithAudit('a')])
    db.intents.settle(['a'], 'done')
    reopen()
    db.owedAudit.paid(keys())
    db.intents.prepare([intentWithAudit('b')])
    db.intents.settle(['b'], 'done')
    deepEqual(keys(), [])
  })
})

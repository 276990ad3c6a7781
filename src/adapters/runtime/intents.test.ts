import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { intentOf } from '#test/support/intent.js'
import { openRuntimeDb, type RuntimeDb } from './runtime-db.js'

describe('intents', () => {
  let state: string
  let db: RuntimeDb
  const open = (): void => {
    const opened = openRuntimeDb(state)
    if (isLeft(opened)) throw new Error(opened.left)
    db = opened.right
  }
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'intents-'))
    open()
  })
  afterEach(() => {
    db.close()
    rmSync(state, { recursive: true })
  })

  it('come back as they were told, oldest first, after a reopen', () => {
    const batch = [
      intentOf('a', { atMs: 20 }),
      intentOf('b', { atMs: 10, parent: null }),
      intentOf('c', { atMs: 20 }),
    ]
    db.intents.prepare(batch)
    db.close()
    open()
    deepEqual(
      db.intents.prepared().map(intent => intent.id),
      ['b', 'a', 'c'],
    )
    deepEqual(db.intents.find('b'), batch[1])
  })

  it('prove that a row can be written, and leave none', () => {
    db.intents.prove()
    db.intents.prove()
    equal(db.intents.find('probe'), null)
  })

  it('end once: what has ended stays as it ended', () => {
    db.intents.prepare([intentOf('a'), intentOf('b')])
    equal(db.intents.settle(['a', 'strange'], 'done'), 1)
    equal(db.intents.settle(['a', 'b'], 'lost'), 1)
    equal(db.intents.find('a')?.state, 'done')
    equal(db.intents.find('b')?.state, 'lost')
    deepEqual(db.intents.prepared(), [])
  })

  it('are forgotten only when they have ended', () => {
    db.intents.prepare([
      intentOf('old', { atMs: 1 }),
      intentOf('open', { atMs: 1 }),
      intentOf('new', { atMs: 9 }),
    ])
    db.intents.settle(['old', 'new'], 'done')
    equal(db.intents.forget(5), 1)
    equal(db.intents.find('old'), null)
    deepEqual(
      db.intents.prepared().map(intent => intent.id),
      ['open'],
    )
    equal(db.intents.find('new')?.state, 'done')
  })
})

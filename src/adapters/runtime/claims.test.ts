import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { claimTtlMs, openApiKeys } from '#src/node/identity/identity.js'
import { temporaryFolder } from '#test/support/repository.js'
import { openRuntimeDb, type RuntimeDb } from './runtime-db.js'

const nowMs = Date.parse('2026-06-15T12:00:00Z')

describe('claims of api keys', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let database: RuntimeDb
  const open = (): RuntimeDb => {
    const opened = openRuntimeDb(folder.path)
    if (isLeft(opened)) throw new Error(opened.left.reason)
    return opened.right
  }
  beforeEach(() => {
    folder = temporaryFolder()
    database = open()
  })
  afterEach(() => {
    database.close()
    folder.dispose()
  })

  const minted = (atMs = nowMs) => {
    const made = openApiKeys(database.claims).mint('100', atMs)
    if (isLeft(made)) throw new Error(made.left.detail)
    return made.right
  }
  const claimed = (code: string, atMs = nowMs) => {
    const answer = openApiKeys(database.claims).claim(code, atMs)
    if (isLeft(answer)) throw new Error(answer.left.detail)
    return answer.right
  }

  it('give the key of the hash that was minted, once', () => {
    const { code, hash, expiresMs } = minted()
    equal(expiresMs, nowMs + claimTtlMs)
    const first = claimed(code)
    ok(first !== null)
    equal(tokenHash(first.key).toString('hex'), hash)
    ok(/^apik_[\w-]{43}$/.test(first.key))
    equal(first.gameId, '100')
    equal(claimed(code), null)
  })

  it('are burned for good: a process that ends after that gives nothing', () => {
    const { code } = minted()
    ok(claimed(code) !== null)
    database.close()
    database = open()
    equal(claimed(code), null)
  })

  it('outlive the process that made them', () => {
    const { code } = minted()
    database.close()
    database = open()
    ok(claimed(code) !== null)
  })

  it('are burned once by two processes', () => {
    const { code } = minted()
    const other = open()
    try {
      const answers = [
        openApiKeys(other.claims).claim(code, nowMs),
        openApiKeys(database.claims).claim(code, nowMs),
      ]
      equal(answers.filter(one => one._tag === 'Right' && one.right !== null).length, 1)
    } finally {
      other.close()
    }
  })

  it('end with their 24 hours, and are swept by the next', () => {
    const { code } = minted()
    equal(claimed(code, nowMs + claimTtlMs), null)
    const late = minted(nowMs + claimTtlMs)
    ok(claimed(late.code, nowMs + 2 * claimTtlMs - 1) !== null)
    equal(claimed(code), null)
  })

  it('are forgotten where the key was withdrawn', () => {
    const { code } = minted()
    openApiKeys(database.claims).withdraw(code)
    equal(claimed(code), null)
  })

  it('are told by their code alone, and no code is guessed out of what is kept', () => {
    const { code, hash } = minted()
    for (const other of [hash, code.toUpperCase(), '', `${code}x`, '0'.repeat(64)])
      equal(claimed(other), null)
    ok(claimed(code) !== null)
  })

  it('leave neither key nor code on the disk', () => {
    const { code } = minted()
    const kept = ['runtime.db', 'runtime.db-wal']
      .map(name => readFileSync(join(folder.path, name), 'latin1'))
      .join('')
    const key = claimed(code)?.key ?? ''
    ok(key.length > 40)
    for (const secret of [code, key, Buffer.from(code, 'hex').toString('latin1')]) ok(!kept.includes(secret))
  })

  it('of two keys have nothing in common', () => {
    const all = Array.from({ length: 50 }, () => minted())
    deepEqual(new Set(all.map(one => one.code)).size, 50)
    deepEqual(new Set(all.map(one => one.hash)).size, 50)
    for (const { code, hash } of all) ok(code !== hash)
  })
})

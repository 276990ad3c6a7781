import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'mocha'
import { rightOf, type TokenRecord, tokenHash } from './credentials/tokens.js'

const token = 'sess_a-token-of-somebody'
const hash = tokenHash(token)
const hex = hash.toString('hex')

const watchLookups = (kept: ReadonlyMap<string, TokenRecord<string>>) => {
  const asked: Array<string> = []
  const right = rightOf<string>(wanted => {
    asked.push(wanted)
    return kept.get(wanted) ?? null
  })
  return { asked, right }
}

describe('a kept token', () => {
  it('is hashed first and looked up once: nothing but hashes reaches the store', () => {
    const { asked, right } = watchLookups(new Map([[hex, { hash, right: 'mine' }]]))
    equal(right(token), 'mine')
    equal(right('sess_another'), null)
    equal(right(''), null)
    deepEqual(asked.length, 3)
    for (const one of asked) match(one, /^[0-9a-f]{64}$/)
    ok(!asked.some(one => one.includes('sess_')))
  })

  it('is not its hash, in any spelling', () => {
    const { right } = watchLookups(new Map([[hex, { hash, right: 'mine' }]]))
    for (const text of [hex, `sess_${hex}`, hash.toString('base64url'), `sess_${hash.toString('base64url')}`])
      equal(right(text), null, text)
  })

  it('is refused where what was found is the hash of another one: the bytes are compared', () => {
    const strange = { hash: tokenHash('sess_another'), right: 'theirs' }
    equal(watchLookups(new Map([[hex, strange]])).right(token), null)
  })

  it('is compared in constant time, in this one place', () => {
    const read = (name: string): string =>
      readFileSync(new URL(`./credentials/${name}`, import.meta.url), 'utf8')
    const tokens = read('tokens.ts')
    match(tokens, /timingSafeEqual\(kept\.hash, hash\)/)
    equal(tokens.match(/timingSafeEqual\(kept\.hash/g)?.length, 1)
    equal(tokens.match(/rightOf\(find\)/g)?.length, 2, 'logins and named tokens')
    match(read('api-keys.ts'), /rightOf\(find\)/)
    doesNotMatch(read('api-keys.ts'), /node:crypto|tokenHash|\bfind\((?!\w+ =>)/)
  })
})

import { equal, notEqual, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'mocha'
import { claimHash, isClaimCode, nonceBytes, sealKey, unsealKey } from './claim-code.js'

const codeOf = (): string => randomBytes(32).toString('hex')
const nonce = (): Buffer => randomBytes(nonceBytes)
const key = `apik_${'k'.repeat(43)}`

describe('a key behind a claim code', () => {
  it('is opened by the code, and by nothing that is kept', () => {
    const code = codeOf()
    const { codeHash, sealed } = sealKey(key, code, '100', nonce())
    equal(unsealKey(sealed, code, '100'), key)
    equal(codeHash, claimHash(code))
    for (const other of [codeOf(), codeHash, claimHash(codeHash)])
      equal(unsealKey(sealed, other, '100'), null)
  })

  it('is sealed for one person', () => {
    const code = codeOf()
    equal(unsealKey(sealKey(key, code, '100', nonce()).sealed, code, '101'), null)
  })

  it('does not open where a byte of what is kept is another', () => {
    const code = codeOf()
    const bytes = Buffer.from(sealKey(key, code, '100', nonce()).sealed, 'base64')
    for (let at = 0; at < bytes.length; at += 1) {
      const broken = Buffer.from(bytes)
      broken[at] = (broken[at] ?? 0) ^ 1
      equal(unsealKey(broken.toString('base64'), code, '100'), null, String(at))
    }
    for (const short of ['', 'AAAA', bytes.subarray(0, nonceBytes + 4).toString('base64')])
      equal(unsealKey(short, code, '100'), null)
  })

  it('stands in what is kept neither in the clear nor twice alike', () => {
    const code = codeOf()
    const [one, two] = [sealKey(key, code, '100', nonce()), sealKey(key, code, '100', nonce())]
    notEqual(one.sealed, two.sealed)
    for (const kept of [one.sealed, Buffer.from(one.sealed, 'base64').toString('latin1'), one.codeHash]) {
      ok(!kept.includes(key))
      ok(!kept.includes(code))
    }
  })

  it('has a code of 64 small hex digits, and no other text is one', () => {
    const code = codeOf()
    ok(isClaimCode(code))
    const others = [code.slice(1), `${code}0`, code.replace(/./, 'g'), `${code}\n`, '', 'A'.repeat(64)]
    for (const other of others) ok(!isClaimCode(other), other)
  })
})

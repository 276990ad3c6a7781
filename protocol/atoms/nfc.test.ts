import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { nfc } from './nfc.js'

describe('the composed form of a text', () => {
  it('is NFC for what people write', () => {
    equal(nfc('Żo\u0301łw'), 'Żółw'.normalize('NFC'))
  })

  it('leaves a run of marks that no writing has as it is', () => {
    const bomb = `a${'\u0323\u0301'.repeat(100_000)}`
    equal(nfc(bomb), bomb)
  })
})

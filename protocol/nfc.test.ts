import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { dropLongMarks, nfc } from './atoms.js'

describe('the composed form of a text', () => {
  it('is NFC for what people write', () => {
    equal(nfc('Żo\u0301łw'), 'Żółw'.normalize('NFC'))
  })

  it('leaves a run of marks that no writing has as it is', () => {
    const bomb = `a${'\u0323\u0301'.repeat(100_000)}`
    equal(nfc(bomb), bomb)
  })
})

describe('a text without long runs of marks', () => {
  it('keeps what people write, and can be composed and decomposed however long the runs were', () => {
    equal(dropLongMarks('Z\u0307o\u0301łw'), 'Z\u0307o\u0301łw')
    const bombed = dropLongMarks(`Żo${'\u0315\u0323'.repeat(500_000)}łw`)
    equal(bombed, 'Żołw')
  })
})

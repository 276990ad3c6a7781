import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { numberOrNull, toNumber } from '#src/domain/lore/figures.js'
import { figureNames, readLegacyPointsLine } from './outline.js'

const figures = (text: string) => {
  const line = readLegacyPointsLine(text)
  return figureNames.map(name => {
    const value = line.figures[name]
    return value === null ? null : toNumber(value)
  })
}

describe('a PU line', () => {
  it('keeps fractions written with a comma, which is the separator too', () => {
    deepEqual(figures('NADMIAR: 0,5, STARTOWE: 20, SUMA: 31,25, ZDOBYTE: 11,25'), [31.25, 20, 11.25, 0.5])
  })

  it('reads BRAK and anything unreadable as unknown', () => {
    deepEqual(figures('NADMIAR: BRAK, STARTOWE: trzy, suma: -2.5'), [-2.5, null, null, null])
  })

  it('reads each value as every other number, and tells of one that is none', () => {
    const line = readLegacyPointsLine('SUMA: 1 031,25, STARTOWE: 1e3; ZDOBYTE: \u22122,5 NADMIAR: 10%')
    deepEqual(
      figureNames.map(name => numberOrNull(line.figures[name])),
      [1031.25, null, -2.5, null],
    )
    equal(line.rest, '1e3 10%')
  })

  it('tells what the predecessor read instead', () => {
    const [cut] = readLegacyPointsLine('SUMA: 31,25, STARTOWE: 20').truncated
    deepEqual([cut?.key, cut && toNumber(cut.value), cut && toNumber(cut.predecessor)], ['suma', 31.25, 31])
  })

  it('tells a third place and the text that is no value', () => {
    const line = readLegacyPointsLine('SUMA: 7.125 (po sesji), STARTOWE: 5')
    deepEqual(line.rounded, [{ key: 'suma', written: '7.125' }])
    equal(line.rest, '(po sesji)')
  })
})

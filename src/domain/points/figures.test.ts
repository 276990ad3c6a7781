import assert from 'node:assert/strict'
import { numberOrNull } from '#test/support/pu-world.js'
import { deriveFigures, type Figures, figureOf, initialFigures } from './figures.js'

const figures = (startowe: string, suma: string, zdobyte: string): Figures => ({
  startowe: figureOf(startowe),
  suma: figureOf(suma),
  zdobyte: figureOf(zdobyte),
  nadmiar: null,
})

const describeFigures = ({ startowe, suma, zdobyte }: Figures): ReadonlyArray<number | null> =>
  [startowe, suma, zdobyte].map(numberOrNull)

describe('PU figures', () => {
  it('reads commas and points, and BRAK as not told', () => {
    assert.deepEqual(describeFigures(figures('20', '31,25', 'BRAK')), [20, 31.25, null])
    assert.equal(figureOf(null), null)
  })

  it('derives the one of SUMA and ZDOBYTE that is missing, and nothing else', () => {
    assert.deepEqual(describeFigures(deriveFigures(figures('20', '31,25', 'BRAK'))), [20, 31.25, 11.25])
    assert.deepEqual(describeFigures(deriveFigures(figures('20', 'BRAK', '11.25'))), [20, 31.25, 11.25])
    assert.deepEqual(describeFigures(deriveFigures(figures('BRAK', '31', '11'))), [null, 31, 11])
    assert.deepEqual(describeFigures(deriveFigures(figures('20', '99', '1'))), [20, 99, 1])
    assert.deepEqual(describeFigures(deriveFigures(figures('20', 'BRAK', 'BRAK'))), [20, null, null])
  })

  it('opens a batch from STARTOWE where nothing was earned yet, from zero where nothing is told', () => {
    const of = (given: Figures): ReadonlyArray<number | null> => {
      const { suma, zdobyte, nadmiar } = initialFigures(given)
      return [suma, zdobyte, nadmiar].map(numberOrNull)
    }
    assert.deepEqual(of(figures('20', 'BRAK', 'BRAK')), [20, 0, 0])
    assert.deepEqual(of(figures('BRAK', 'BRAK', 'BRAK')), [0, 0, 0])
    assert.deepEqual(of(figures('20', '25', 'BRAK')), [25, 5, 0])
  })
})

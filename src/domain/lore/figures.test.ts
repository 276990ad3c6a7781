import assert from 'node:assert/strict'
import { characterOn } from '#src/domain/people/characters.js'
import { characterAnswer } from '#src/domain/points/character-answer.js'
import { projectionOf } from '#test/support/at-once.js'
import { day, worldOf } from '#test/support/world.js'
import { deriveFigures, type Figures, figureOf, initialFigures, numberOrNull } from './figures.js'

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

  it('are the same in every answer about a character, rounded half to even', () => {
    const rows = (...lines: ReadonlyArray<string>) => {
      const { entities, people } = worldOf({
        'encje/indeks.md': `### Anna\n- @typ: Postać\n${lines.map(line => `- @${line}\n`).join('')}`,
      })
      const [entity] = entities.all
      assert.ok(entity !== undefined)
      const on = day('2026-06-15')
      const view = { mayReadRestricted: true, sessions: true, logs: true, external: true }
      const answers = [
        projectionOf(entity, on, null),
        characterAnswer(characterOn(entity, people, on), null, on, view),
      ].map(({ PuStartowe, PuSuma, PuZdobyte, PuNadmiar }) => [PuStartowe, PuSuma, PuZdobyte, PuNadmiar])
      assert.deepEqual(answers[0], answers[1])
      return [answers[0], entities.findings.map(({ kind, line }) => [kind, line])]
    }
    assert.deepEqual(rows('pu_suma: 2.675'), [[null, 2.68, null, null], []])
    assert.deepEqual(rows('pu_suma: 2,665 (po finale)'), [[null, 2.66, null, null], []])
    assert.deepEqual(rows('pu_startowe: 20', 'pu_suma: 31,25'), [[20, 31.25, 11.25, null], []])
    assert.deepEqual(rows('pu_startowe: 20', 'pu_zdobyte: 1\u00a0011,25'), [[20, 1031.25, 1011.25, null], []])
    assert.deepEqual(rows('pu_nadmiar: \u22120,5', 'pu_suma: brak'), [[null, null, null, -0.5], []])
    for (const text of ['1e3', '+3', '10%', '1/2', '31,25.'])
      assert.deepEqual(rows(`pu_suma: ${text}`), [[null, null, null, null], [['UnknownValue', 3]]], text)
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

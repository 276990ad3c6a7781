import assert from 'node:assert/strict'
import { numberOrNull } from '#src/domain/lore/figures.js'
import { candidateOf, constants, dec } from '#test/support/pu-world.js'
import { baselineOf } from './baseline.js'

const of = (...taken: ReadonlyArray<number | null>): ReadonlyArray<number | null> => {
  const own = taken.map((puTaken, at) => candidateOf({ name: `P${at}`, puStart: 20, puSum: null, puTaken }))
  const { sumZdobyte, startowe } = baselineOf(own, constants.newCharacter)
  return [numberOrNull(sumZdobyte), numberOrNull(startowe)]
}

describe('what a new character starts with', () => {
  it('is half of what was earned, floored, above twenty', () => {
    assert.deepEqual(of(11.25, 10), [21.25, 30])
    assert.deepEqual(of(0.1, 0.2, 1.7), [2, 21])
    assert.deepEqual(of(1.99), [1.99, 20])
  })

  it('is twenty without characters, and with one that earned nothing or is not told', () => {
    assert.deepEqual(
      [of(), of(0), of(null), of(-50)],
      [
        [0, 20],
        [0, 20],
        [0, 20],
        [-50, 20],
      ],
    )
  })

  it('leaves out characters without STARTOWE and names them', () => {
    const own = [
      candidateOf({ name: 'Bez', puTaken: 100 }),
      candidateOf({ name: 'Zero', puStart: 0, puTaken: 100 }),
      candidateOf({ name: 'Jest', puStart: 20, puSum: 30 }),
    ]
    const { included, excluded, sumZdobyte } = baselineOf(own, constants.newCharacter)
    assert.deepEqual([included, excluded, numberOrNull(sumZdobyte)], [['Jest'], ['Bez', 'Zero'], 10])
  })

  it('starts from the floor where the divisor is zero', () => {
    const rule = { ...constants.newCharacter, divisor: dec('0') }
    assert.equal(numberOrNull(baselineOf([], rule).startowe), 20)
  })
})

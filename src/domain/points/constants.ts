import { type Decimal, decimalOf, zero } from '#src/domain/lore/decimal.js'

/** The PU constants of A 8 as exact values. */
export interface PuConstants {
  readonly monthlyBase: Decimal
  readonly monthlyCap: Decimal
  readonly electionWindowMonths: number
  readonly electionThreshold: Decimal
  readonly newCharacter: { readonly divisor: Decimal; readonly bonus: Decimal; readonly floor: Decimal }
}

/** The configuration keys that they are read from (B 8). */
export interface PuSettings {
  readonly 'pu.monthly_base': number
  readonly 'pu.monthly_cap': number
  readonly 'pu.election_window_months': number
  readonly 'pu.election_threshold': number
  readonly 'pu.new_character.divisor': number
  readonly 'pu.new_character.bonus': number
  readonly 'pu.new_character.floor': number
}

const exact = (value: number): Decimal => decimalOf(value) ?? zero

export const puConstants = (settings: PuSettings): PuConstants => ({
  monthlyBase: exact(settings['pu.monthly_base']),
  monthlyCap: exact(settings['pu.monthly_cap']),
  electionWindowMonths: settings['pu.election_window_months'],
  electionThreshold: exact(settings['pu.election_threshold']),
  newCharacter: {
    divisor: exact(settings['pu.new_character.divisor']),
    bonus: exact(settings['pu.new_character.bonus']),
    floor: exact(settings['pu.new_character.floor']),
  },
})

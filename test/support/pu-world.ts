import assert from 'node:assert/strict'
import { configKeys } from '#protocol/host/config.js'
import { type Decimal, decimalOf, readDecimal } from '#src/domain/lore/figures.js'
import { puConstants } from '#src/domain/points/batches.js'
import type { Candidate, PuSession } from '#src/domain/points/month-sessions.js'
import { type Fields, isFields } from './matching.js'

/** The PU constants of A 8. */
export const constants = puConstants({
  'pu.monthly_base': configKeys['pu.monthly_base'].fallback,
  'pu.monthly_cap': configKeys['pu.monthly_cap'].fallback,
  'pu.election_window_months': configKeys['pu.election_window_months'].fallback,
  'pu.election_threshold': configKeys['pu.election_threshold'].fallback,
  'pu.new_character.divisor': configKeys['pu.new_character.divisor'].fallback,
  'pu.new_character.bonus': configKeys['pu.new_character.bonus'].fallback,
  'pu.new_character.floor': configKeys['pu.new_character.floor'].fallback,
})

export const dec = (text: string): Decimal => {
  const value = readDecimal(text)
  assert.ok(value !== null, text)
  return value
}

const figure = (value: unknown): Decimal | null => (typeof value === 'number' ? decimalOf(value) : null)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
export const fieldsOf = (value: unknown): ReadonlyArray<Fields> => listOf(value).filter(isFields)

/** A character of a case file. */
export const candidateOf = (fields: Fields): Candidate => ({
  name: text(fields['name']),
  aliases: listOf(fields['aliases']).map(text),
  player: typeof fields['player'] === 'string' ? fields['player'] : null,
  status: 'Aktywny',
  figures: {
    startowe: figure(fields['puStart']),
    suma: figure(fields['puSum']),
    zdobyte: figure(fields['puTaken']),
    nadmiar: figure(fields['puExceeded']),
  },
})

const valueText = (value: unknown): string | null => (typeof value === 'number' ? String(value) : null)

/** A session of PU lines. */
export const puSession = (
  header: string,
  points: ReadonlyArray<readonly [string, string | null]>,
): PuSession => ({
  header: header.replace(/^### /u, ''),
  date: /\d{4}-\d{2}-\d{2}/.exec(header)?.[0] ?? '',
  points: points.map(([character, value]) => ({ character, value })),
  copies: [],
})

/** A session of a case file. */
export const sessionOf = (fields: Fields): PuSession =>
  puSession(
    text(fields['header']),
    fieldsOf(fields['pu']).map(pu => [text(pu['character']), valueText(pu['value'])]),
  )

/** Sessions of one character from bare PU values, all on one day. */
export const sessionsOfValues = (character: string, values: unknown): ReadonlyArray<PuSession> =>
  listOf(values).map((value, at) => puSession(`2024-06-15, S${at}, N`, [[character, valueText(value)]]))

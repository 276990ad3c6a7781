import type * as t from 'io-ts'
import { nfc } from './nfc.js'

export interface NameKeyBrand {
  readonly NameKey: unique symbol
}

/**
 * The common form of the spellings of one name: as `foldSigns`, in lower case (D11). Only `nameKey` creates it.
 */
export type NameKey = t.Branded<string, NameKeyBrand>

const blanks = /[\s\u00a0]+/gu
/** Characters that do not show: zero-width ones, soft hyphens, joiners, marks of direction, U+FEFF. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu
/** Characters that look like `'`. */
const apostrophes =
  /[`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201b\u2032\u2035\uff07\uff40]/gu
/** Characters that look like `-`. A longer dash counts only inside a word: between blanks it parts a text. */
const hyphens = /[\u2010-\u2012\ufe63\uff0d]|(?<=\S)[\u2013\u2212](?=\S)/gu
/** A name that `foldSigns` does not change: most names are such. */
const plainName = /^[!-_a-~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+(?: [!-_a-~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+)*$/u

/** The first character of a name that `foldSigns` drops, or replaces by an apostrophe or hyphen; null without one. */
export const foldableIn = (name: string): string | null => {
  if (plainName.test(name)) return null
  const places = [unseen, apostrophes, hyphens].map(signs => name.search(signs)).filter(at => at >= 0)
  const code = name.codePointAt(Math.min(...places))
  return places.length === 0 || code === undefined ? null : String.fromCodePoint(code)
}

/** Whether a UTF-16 code unit is an apostrophe, or looks like one. */
export const isApostrophe = (code: number): boolean =>
  code === 0x27 || (code > 0x5f && String.fromCharCode(code).search(apostrophes) === 0)

/** The text without characters that do not show. */
export const dropUnseen = (text: string): string => text.replace(unseen, '')

/**
 * A text in which characters that look alike are one: NFC, without characters that do not show, with one kind of
 * apostrophe, hyphen and blank, and trimmed. Names and headers that differ in nothing else are the same.
 */
export const foldSigns = (text: string): string =>
  plainName.test(text)
    ? text
    : nfc(dropUnseen(text)).replace(blanks, ' ').trim().replace(apostrophes, "'").replace(hyphens, '-')

/** The key of a name: `foldSigns`, lower case by the root locale. */
export const nameKey = (text: string): NameKey => foldSigns(text).toLowerCase() as NameKey

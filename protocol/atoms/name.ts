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
const apostropheSigns =
  '`\u00b4\u02b9\u02bb\u02bc\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201b\u2032\u2035\uff07\uff40'
const apostrophes = new RegExp(`[${apostropheSigns}]`, 'gu')
/** Characters that look like `-`. A longer dash counts only inside a word: between blanks it parts a text. */
const hyphens = /[\u2010-\u2012\ufe63\uff0d]|(?<=\S)[\u2013\u2212](?=\S)/gu
/** A name that `foldSigns` does not change: most names are such. */
const plainName = /^[!-_a-~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+(?: [!-_a-~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+)*$/u

const apostropheCodes = new Set(Array.from(`'${apostropheSigns}`, sign => sign.charCodeAt(0)))

const foldable = new RegExp(`${unseen.source}|${apostrophes.source}|${hyphens.source}`, 'u')

/** The first character of a name that `foldSigns` drops, or replaces by an apostrophe or hyphen; null without one. */
export const foldableIn = (name: string): string | null =>
  plainName.test(name) ? null : (foldable.exec(name)?.[0] ?? null)

/** Whether a UTF-16 code unit is an apostrophe, or looks like one. */
export const isApostrophe = (code: number): boolean => apostropheCodes.has(code)

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

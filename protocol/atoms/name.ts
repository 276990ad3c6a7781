import type * as t from 'io-ts'
import { nfc } from './nfc.js'

export interface NameKeyBrand {
  readonly NameKey: unique symbol
}

/**
 * The common form of the spellings of one name: NFC, folded case, blanks collapsed (D11). Only `nameKey`
 * creates it.
 */
export type NameKey = t.Branded<string, NameKeyBrand>

const blanks = /[\s\u00a0]+/gu
/** A name whose signs are in NFC and whose blanks are collapsed: only its case may change. Most names are such. */
const plainName = /^[!-~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+(?: [!-~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+)*$/u

/** The key of a name: NFC, trimmed, blanks collapsed, lower case by the root locale. */
export const nameKey = (text: string): NameKey =>
  (plainName.test(text) ? text.toLowerCase() : nfc(text).replace(blanks, ' ').trim().toLowerCase()) as NameKey

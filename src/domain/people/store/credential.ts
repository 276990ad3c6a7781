import type { Row } from '#src/domain/lore/rows/row.js'
import { opensChannel } from '#src/domain/lore/withheld-tags.js'

/** Whether a value is an api key in the only allowed form, its hash (LAYOUT). */
export const isKeyHash = (value: string): boolean => /^sha256:[0-9a-f]{64}$/i.test(value)

/** Whether a value is one id of the game. */
export const isGameId = (value: string): boolean => /^[\p{L}\p{N}_.-]{1,64}$/u.test(value)

/**
 * Whether a row holds a credential in the clear. Such a row is never kept in memory, so no answer can repeat
 * it.
 */
export const isCredential = (row: Row): boolean =>
  row.tag === 'klucz_api' ? !isKeyHash(row.value) : opensChannel(row.tag, row.value)

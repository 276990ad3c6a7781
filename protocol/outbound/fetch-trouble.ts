import * as t from 'io-ts'
import { OutboundFailure } from './failure.js'

/**
 * Why a fetch returned no text; the labels of its metric. `address`: the URL is invalid, or is `http:` to another
 * machine. `not_found`: the status is 404. `status`: it is another one than 200.
 */
export const FetchTrouble = t.keyof(
  { ...OutboundFailure.keys, address: null, not_found: null, status: null },
  'FetchTrouble',
)
export type FetchTrouble = t.TypeOf<typeof FetchTrouble>

import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'
import { SyncAction } from './action.js'

/** The failure of the last converge; `detail` is as `GET /sync` shows it, without credentials. */
export const ConvergeFailure = t.readonly(
  t.type({ at: Instant, action: SyncAction, detail: t.union([t.string, t.null]) }),
  'ConvergeFailure',
)
export type ConvergeFailure = t.TypeOf<typeof ConvergeFailure>

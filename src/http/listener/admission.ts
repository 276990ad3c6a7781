import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Route } from '#protocol/route.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { grade } from '#src/domain/identity/rights/grade.js'
import { anonymous } from '#src/domain/identity/tokens/machine-token.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Arrival } from '../checks/arrival.js'
import { type Credentials, type Prefix, tokenOf } from '../credentials/authenticate.js'

type RowRights = Pick<Route, 'capability' | 'own'>

/** What helps whoever shows a token of a kind that nobody takes here. */
const mends: Readonly<Record<Prefix, string>> = {
  sess_: 'The session is over, or another host gave it. Sign in again.',
  fsess_: 'The fleet token is over, or its key or epoch is not what this host has. Sign in again.',
  named_:
    'The named token was revoked, has expired, or is of another host. ' +
    '`kronika token mint`, on the machine of this host, makes another.',
  apik_:
    'The api key stands in no store, or is not of one Gracz of today alone. `POST /api-keys` makes another.',
}

const strange =
  'No store knows this token. The machine token of this host lies in `<state>/machine.token`; ' +
  '`kronika token mint` makes a token for a bot or a script.'

const mendOf = (token: string | null): string => {
  if (token === null) return 'Send `Authorization: Bearer <token>`.'
  return Object.entries(mends).find(([prefix]) => token.startsWith(prefix))?.[1] ?? strange
}

/** The 401 for a missing or unknown token. It never repeats the token. */
export const refuseUnauthorized = ({ authorization }: Arrival): RefusalOf<'Unauthorized'> =>
  refuse('Unauthorized', mendOf(tokenOf(authorization)))

/** The caller with its grade for the row's capability, or 403 (A 5.2). */
export const admitCaller = (
  { capability, own }: RowRights,
  caller: Caller,
): Either<RefusalOf<'Forbidden'>, Caller> => {
  const held = capability === null ? 'full' : grade(caller.holds, capability)
  if (capability !== null && (held === 'none' || (held === 'own' && !own)))
    return left(refuse('Forbidden', `The capability ${capability} is needed.`, { required: capability }))
  return right(held === caller.grade ? caller : { ...caller, grade: held })
}

/** Checks the right of an admitted request again on another snapshot: its caller there, or the refusal (ADR 0211). */
export type Readmit = (
  snapshot: Snapshot | null,
  nowMs: number,
) => Either<RefusalOf<'Unauthorized' | 'Forbidden'>, Caller>

/** The `Readmit` of an admitted request; a public row admits every caller. */
export const readmitOf =
  (credentials: Credentials, arrival: Arrival, row: RowRights): Readmit =>
  (snapshot, nowMs) => {
    const token = tokenOf(arrival.authorization)
    const known = token === null ? null : credentials.resolveAgain(token, snapshot, nowMs)
    const caller = known ?? (row.capability === null ? anonymous : null)
    return caller === null ? left(refuseUnauthorized(arrival)) : admitCaller(row, caller)
  }

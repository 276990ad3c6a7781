import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { Route, Table } from '#protocol/route.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { anonymous, machine } from '#src/domain/identity/credentials/tokens.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Admit, Asker } from '#src/writing/command.js'
import type { Arrival } from '../checks/arrival.js'
import { bearerTokenOf, type Credentials, type Prefix } from './authenticate.js'

/** The 401 for a missing or unknown token. It never repeats the token. */
export const refuseUnauthorized = ({ authorization }: Arrival): RefusalOf<'Unauthorized'> =>
  refuseToken(bearerTokenOf(authorization))

/** The caller with its grade for the row's capability, or 403 (A 5.2). */
export const admitCaller = (
  { capability, own }: RowRights,
  caller: Caller,
): Either<RefusalOf<'Forbidden'>, Caller> => {
  const held = capability === null ? 'full' : gradeOf(caller.holds, capability)
  if (capability !== null && (held === 'none' || (held === 'own' && !own)))
    return left(
      refuse('Forbidden', `The token lacks the capability ${capability}. Use a token that has it.`, {
        required: capability,
      }),
    )
  return right(held === caller.grade ? caller : { ...caller, grade: held })
}

/**
 * Checks the right of an admitted request again on another snapshot. Returns its caller there, or the refusal
 * (ADR 1018).
 */
export type Readmit = (
  snapshot: Snapshot | null,
  nowMs: number,
) => Either<RefusalOf<'Unauthorized' | 'Forbidden'>, Caller>

/** The `Readmit` of an admitted request. */
export const readmitOf =
  (credentials: Credentials, arrival: Arrival, row: RowRights): Readmit =>
  (snapshot, nowMs) =>
    admitToken(credentials, bearerTokenOf(arrival.authorization), row, snapshot, nowMs)

/**
 * Checks askers by the credentials of this host. Refuses an asker who held the capability in full when the
 * command was made and holds only its `.own` form now: the command was made for the full one. Where there is
 * no snapshot, the served one decides.
 */
export const admitBy =
  (credentials: Credentials, table: Table, served: () => Snapshot | null): Admit =>
  ({ asker, row: id, grade: before }, snapshot, nowMs) => {
    const row = table[id]
    if (row === undefined) throw new Error(`there is no row ${id}`)
    if (asker._tag === 'Host') return right(machine)
    const now = admitToken(credentials, tokenOfAsker(asker), row, snapshot ?? served(), nowMs)
    const { capability } = row
    if (isLeft(now) || capability === null || before !== 'full' || now.right.grade === 'full') return now
    return left(
      refuse('Forbidden', `The token lacks the capability ${capability}. Use a token that has it.`, {
        required: capability,
      }),
    )
  }

type RowRights = Pick<Route, 'capability' | 'own'>

/** What a caller should do whose token of this kind was not accepted. */
const mends: Readonly<Record<Prefix, string>> = {
  sess_: 'The session has ended, or it is a session of another host. Sign in again.',
  fsess_: 'The fleet token has expired, or this host does not have its key and epoch. Sign in again.',
  named_:
    'The named token was revoked, has expired, or belongs to another host. ' +
    '`kronika token mint`, on the machine of this host, makes another.',
  apik_:
    'The api key is unknown, or this host has not fetched its commit yet, or it does not belong to exactly one Gracz ' +
    'today. `POST /api-keys` makes another.',
}

const strange =
  'This host does not know the token. Its machine token is in `machine.token` of the folder that `state` of ' +
  'the ready line names; ' +
  '`kronika token mint` makes a token for a bot or a script.'

const mendOf = (token: string | null): string => {
  if (token === null) return 'The request has no token. Send `Authorization: Bearer <token>`.'
  return Object.entries(mends).find(([prefix]) => token.startsWith(prefix))?.[1] ?? strange
}

const refuseToken = (token: string | null): RefusalOf<'Unauthorized'> => refuse('Unauthorized', mendOf(token))

/** Finds the caller of a token for a row, or refuses; a public row admits every caller. */
const admitToken = (
  credentials: Credentials,
  token: string | null,
  row: RowRights,
  snapshot: Snapshot | null,
  nowMs: number,
): ReturnType<Readmit> => {
  const known = token === null ? null : credentials.resolveAgain(token, snapshot, nowMs)
  const caller = known ?? (row.capability === null ? anonymous : null)
  return caller === null ? left(refuseToken(token)) : admitCaller(row, caller)
}

const tokenOfAsker = (asker: Asker): string | null => (asker._tag === 'Bearer' ? asker.token : null)

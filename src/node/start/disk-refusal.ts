import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'

/**
 * Returns the answer of a call to the runtime database, or `DiskRefused`; `what` names what could not be
 * recorded.
 */
export const orDiskRefused = <A>(what: string, call: () => A): Either<RefusalOf<'DiskRefused'>, A> => {
  try {
    return right(call())
  } catch (error) {
    const code = sqliteCode(error)
    if (code === null) throw error
    return left(
      refuse(
        'DiskRefused',
        `${what} could not be recorded (${code}). Fix the disk of this host, then try again.`,
      ),
    )
  }
}

import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { capabilities } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { resolveCapabilities } from '../rights/grade.js'
import { isGrant } from '../rights/grantable.js'

const everything = 'admin.all'

/** The first wanted id that the holder may not freeze; null when all are allowed. */
const firstBeyond = (holds: ReadonlySet<string>, wanted: ReadonlyArray<string>): string | null => {
  if (holds.has(everything)) return null
  const full = new Set<string>(resolveCapabilities(holds))
  return wanted.find(id => !(id.endsWith('.all') ? holds : full).has(id)) ?? null
}

const sameResource = (id: string): ReadonlyArray<string> =>
  capabilities.filter(one => one.startsWith(`${id.slice(0, id.indexOf('.'))}.`))

/**
 * The capabilities that a token of this holder freezes, each once. Refuses ids that the holder does not hold
 * in full. `<resource>.all` must be held as such, because it includes ids that later builds add
 * (docs/spec/identity.md#named-tokens).
 */
export const freezeSet = (
  holds: ReadonlySet<string>,
  wanted: ReadonlyArray<string>,
): Either<RefusalOf<'ValueRefused' | 'Forbidden'>, ReadonlyArray<string>> => {
  const strange = wanted.find(id => !isGrant(id))
  if (strange !== undefined)
    return left(
      refuse(
        'ValueRefused',
        `${strange} is not a capability that a token can have. GET /schema lists them.`,
        {
          field: 'capabilities',
          candidates: sameResource(strange),
        },
      ),
    )
  const beyond = firstBeyond(holds, wanted)
  return beyond === null
    ? right([...new Set(wanted)])
    : left(
        refuse('Forbidden', `A token cannot have more than you have. You lack ${beyond}.`, {
          required: beyond,
        }),
      )
}

import type { Either } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { FetchTrouble } from '#protocol/outbound.js'
import { replyTo } from '#src/kernel/actor/ref.js'
import type { KeysAway, SignInKey } from '#src/ports/identity.js'

/** The keys with the `kid` that was asked for, maybe none; or why there are no keys at all. */
export type KeysAnswer = Either<KeysAway, ReadonlyArray<SignInKey>>

const Source = t.keyof({ game: null, jwks: null })

const Outcome = t.union([
  t.type({ _tag: t.literal('Text'), text: t.string }),
  t.type({ _tag: t.literal('Failed'), why: FetchTrouble }),
])

/** Answers with the keys of a source: those with this `kid`, or all for null. */
const AskKeys = t.type({
  _tag: t.literal('Ask'),
  source: Source,
  kid: t.union([t.string, t.null]),
  replyTo: replyTo<KeysAnswer>(),
})
/** From a fetch: it has ended. */
const KeysFetched = t.type({ _tag: t.literal('Fetched'), source: Source, flight: t.string, outcome: Outcome })
/** To self: a fetch has not ended in its time. */
const Overdue = t.type({ _tag: t.literal('Overdue'), source: Source, flight: t.string })

/** A key of a source verified a token that named this `kid`. */
const KeyVerified = t.type({
  _tag: t.literal('Verified'),
  source: Source,
  kid: t.union([t.string, t.null]),
})

export const KeyKeeperMessage = t.union([AskKeys, KeysFetched, Overdue, KeyVerified], 'KeyKeeperMessage')
export type KeyKeeperMessage = t.TypeOf<typeof KeyKeeperMessage>
export type AskKeys = t.TypeOf<typeof AskKeys>
export type KeysFetched = t.TypeOf<typeof KeysFetched>

import { type Day, nameKey } from '#protocol/atoms.js'
import type { Held, RefRow } from '#protocol/ledger.js'
import { stateOf } from './state.js'
import type { Ledger } from './transition.js'

/** A member on a day: a person in a seat, or an instrument in force. */
interface Member {
  readonly subject: string
  readonly since: Day
  readonly grade: string | null
  readonly suspended: boolean | null
}

const tokensOf = (name: string): ReadonlySet<string> => new Set(nameKey(name).match(/[\p{L}\p{N}]+/gu) ?? [])

const within = (small: ReadonlySet<string>, large: ReadonlySet<string>): boolean =>
  small.size > 0 && small.size <= large.size && [...small].every(token => large.has(token))

/**
 * The one member that a name means: the equal name, else the only one whose words include all words of the
 * given name, or the reverse (B 4.9). Null when several match: a membership is never guessed.
 */
export const memberNamed = <M extends { readonly subject: string }>(
  members: ReadonlyArray<M>,
  name: string,
): M | null => {
  const equal = members.find(member => nameKey(member.subject) === nameKey(name))
  if (equal !== undefined) return equal
  const asked = tokensOf(name)
  const found = members.filter(member => {
    const tokens = tokensOf(member.subject)
    return within(asked, tokens) || within(tokens, asked)
  })
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Whether `subject` holds the ref on a day. */
export const membershipAt = (ledger: Ledger, ref: RefRow, subject: string, at: Day): Held => {
  const state = stateOf(ledger, ref, at)
  const inForce = state.instruments.filter(each => each.status === 'obowiązujące')
  const members: ReadonlyArray<Member> = [
    ...state.holders,
    ...inForce.map(({ subject: document, since }) => ({
      subject: document,
      since,
      grade: null,
      suspended: null,
    })),
  ]
  const member = memberNamed(members, subject)
  return {
    held: member !== null,
    ref: ref.ref,
    title: ref.title,
    subject,
    matched: member?.subject ?? null,
    at,
    since: member?.since ?? null,
    grade: member?.grade ?? null,
    suspended: member?.suspended ?? null,
    applied: state.applied,
  }
}

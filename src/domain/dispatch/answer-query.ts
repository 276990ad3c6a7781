import * as t from 'io-ts'
import { type NameKey, nameKey, Snowflake } from '#protocol/atoms.js'
import type { DispatchVars } from '#protocol/chat/dispatch.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { type IdentityGround, identitiesOf, type Known } from '#src/domain/identity/callers.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { deriveFigures } from '#src/domain/lore/figures.js'
import type { Character, Characters } from '#src/domain/people/characters.js'
import { personNamed } from '#src/domain/people/roster.js'
import {
  type Candidate,
  type LocateCandidate,
  type PuSession,
  pointsByCandidate,
  sessionsOfMonth,
} from '#src/domain/points/month-sessions.js'
import { openSessionsOf } from '#src/domain/sessions/session-answers.js'
import type { SessionLore } from '#src/domain/sessions/session-lore.js'
import type { ChatQuery, QueryIntent } from './check-dispatch.js'
import { fitMessage } from './descriptions.js'
import * as say from './query-texts.js'

/** The parts of a snapshot that queries read. */
interface QueryGround {
  readonly identity: IdentityGround
  readonly lore: SessionLore
  readonly characters: Characters
  readonly points: {
    readonly candidates: ReadonlyArray<Candidate>
    readonly place: LocateCandidate
    readonly sessions: ReadonlyArray<PuSession>
  }
  /** Whether accounts may register on this host. */
  readonly canRegister: boolean
}

/** The Polish text to send; `refused` names the rule by which the account is not answered. */
interface QueryAnswer {
  readonly text: string
  readonly refused: 'unlinked' | 'unresolved' | 'no_right' | null
}

const answer = (lines: ReadonlyArray<string>): QueryAnswer => ({ text: fitMessage(lines), refused: null })

const ownCharacters = ({ characters }: QueryGround, { contributor }: Known): ReadonlyArray<Character> =>
  characters.byOwner.get(contributor.person.key) ?? []

/** The candidates of each player, by the key of the name. */
const candidatesByPlayer = perValue((candidates: QueryGround['points']['candidates']) => {
  const owned = new Map<NameKey, Array<Candidate>>()
  for (const candidate of candidates) {
    if (candidate.player === null) continue
    const key = nameKey(candidate.player)
    const known = owned.get(key)
    if (known === undefined) owned.set(key, [candidate])
    else known.push(candidate)
  }
  return owned
})

type Earned = ReturnType<typeof pointsByCandidate>

/** The PU of the months that were asked for, as long as the points of the snapshot live. */
const monthsOf = perValue((_points: QueryGround['points']) => new Map<string, Earned>())

const earningsIn = (points: QueryGround['points'], month: string): Earned => {
  const months = monthsOf(points)
  const known = months.get(month)
  if (known !== undefined) return known
  const earned = pointsByCandidate(sessionsOfMonth(points.sessions, month, new Set()).open, points.place)
  months.set(month, earned)
  return earned
}

const answerPoints = (ground: QueryGround, known: Known): QueryAnswer => {
  if (gradeOf(known.holds, 'pu.read') === 'none') return { text: say.noPointsRightText, refused: 'no_right' }
  const { name } = known.identity
  const owned = new Set(ownCharacters(ground, known).map(character => character.name))
  if (owned.size === 0) return answer([say.noCharactersText(name)])
  const { person } = known.contributor
  const candidates = candidatesByPlayer(ground.points.candidates).get(person.key) ?? []
  const own = candidates.filter(one => owned.has(one.name))
  const month = ground.identity.day.slice(0, 7)
  const earned = earningsIn(ground.points, month)
  return answer([
    say.pointsHeading(name),
    ...own.flatMap(one => [
      say.pointsLine(one.name, deriveFigures(one.figures)),
      ...say.monthLines(month, earned.get(one)),
    ]),
  ])
}

/** The open sessions of a person under their heading and those aliases that mean them alone. */
const answerOpen = ({ identity, lore }: QueryGround, { contributor }: Known): QueryAnswer => {
  const { person, aliases } = contributor
  const names = [person.name, ...aliases.filter(alias => personNamed(identity.people, alias) === person)]
  const open = new Set(names.flatMap(name => openSessionsOf(lore, name).sessions))
  if (open.size === 0) return answer([say.noOpenText(person.name)])
  const headers = [...open].map(({ header }) => header)
  return answer([say.openHeading(person.name, headers.length), ...headers.map(say.openLine)])
}

const answerStatus = (ground: QueryGround, known: Known): QueryAnswer => {
  const { name, gameId, roles } = known.identity
  const owned = ownCharacters(ground, known)
  const { day } = ground.identity
  return answer([
    say.statusHeading(name, gameId),
    say.rolesLine(roles),
    ...(owned.length === 0 ? [say.noCharactersText(name)] : owned.map(one => say.characterLine(one, day))),
  ])
}

const answers: Readonly<Record<QueryIntent, (ground: QueryGround, known: Known) => QueryAnswer>> = {
  pu: answerPoints,
  open: answerOpen,
  status: answerStatus,
}

/**
 * Answers a chat account about itself, with the rights that its person has in this ground: `pu` needs `pu.read` or
 * `pu.read.own`, the other two every linked account may ask. The text has at most 2,000 characters.
 */
export const answerQuery = (ground: QueryGround, { intent, chatId }: ChatQuery): QueryAnswer => {
  const binding = ground.identity.bindings.byChat.get(chatId)
  if (binding === undefined) return { text: say.unlinkedText(ground.canRegister), refused: 'unlinked' }
  const known = identitiesOf(ground.identity).byGameId(binding.gameId)
  if (known === null) return { text: fitMessage([say.unresolvedText(binding.gameId)]), refused: 'unresolved' }
  return answers[intent](ground, known)
}

const tokenVar = 'SVC_INTERACTION_TOKEN'
const applicationVar = 'SVC_APPLICATION_ID'
const tokenCharsMax = 1_024

/** Where the answer to an interaction goes. `token` is a credential for 15 minutes (S34). */
export const AnswerTarget = t.readonly(t.type({ applicationId: Snowflake, token: t.string }), 'AnswerTarget')
export type AnswerTarget = t.TypeOf<typeof AnswerTarget>

/** Parses what `JSON.stringify` made of a target; null for any other text. */
export const parseAnswerTarget = (text: string): AnswerTarget | null => {
  const value = parseJson(text)
  return AnswerTarget.is(value) ? value : null
}

/** A token is a part of a path, and `.` and `..` would name another path. */
const isToken = (text: string): boolean =>
  /^[\x21-\x7e]+$/.test(text) && !/^\.{1,2}$/.test(text) && text.length <= tokenCharsMax

/**
 * Separates where the answer goes from the other variables. The application is that of the variables, else
 * `clientId`. The target is null, and the interaction stays unanswered, where one of the two is missing or unusable.
 */
export const splitAnswerTarget = (
  { [tokenVar]: token, ...rest }: DispatchVars,
  clientId: string,
): { readonly target: AnswerTarget | null; readonly rest: DispatchVars } => {
  const applicationId = rest[applicationVar] ?? clientId
  const target =
    token !== undefined && isToken(token) && Snowflake.is(applicationId) ? { applicationId, token } : null
  return { target, rest }
}

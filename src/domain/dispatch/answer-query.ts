import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type Day, type NameKey, nameKey, Snowflake } from '#protocol/atoms.js'
import type { ChatQuery, DispatchVars, QueryIntent } from '#protocol/chat/dispatch.js'
import type { RefusalOf } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { escapeChatText } from '#src/domain/chat/attempts.js'
import { locationOn } from '#src/domain/entities/entity.js'
import { visibleEntity } from '#src/domain/entities/projection.js'
import type { IdentityGround, Known } from '#src/domain/identity/callers.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { findByChatId, type LinkRefusal, playerLacks } from '#src/domain/identity/player-refusals.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { type Decimal, deriveFigures, type Figures, formatFixed2 } from '#src/domain/lore/figures.js'
import type { Character, Characters } from '#src/domain/people/characters.js'
import { type Contributor, personNamed } from '#src/domain/people/roster.js'
import {
  type Candidate,
  type LocateCandidate,
  type PuSession,
  pointsByCandidate,
  sessionsOfMonth,
} from '#src/domain/points/month-sessions.js'
import type { SessionLore } from '#src/domain/sessions/reading/spellings.js'
import { openSessionsOf } from '#src/domain/sessions/session-answers.js'
import { fitMessage } from './descriptions.js'

/**
 * Answers a chat account about itself, with the rights that its person has in this ground: `pu` needs `pu.read` or
 * `pu.read.own`, the other two every linked account may ask. The Polish text has at most 2,000 characters.
 */
export const answerQuery = (ground: QueryGround, { intent, chatId }: ChatQuery): QueryAnswer => {
  const known = findByChatId(ground.identity, chatId)
  return isLeft(known) ? known : answers[intent](ground, known.right)
}

/** The headers of the open sessions of a person under their heading and those aliases that mean them alone. */
export const ownOpenHeaders = (
  { identity, lore }: Pick<QueryGround, 'identity' | 'lore'>,
  { person, aliases }: Pick<Contributor, 'person' | 'aliases'>,
): ReadonlyArray<string> => {
  const names = [person.name, ...aliases.filter(alias => personNamed(identity.people, alias) === person)]
  const open = new Set(names.flatMap(name => openSessionsOf(lore, name).sessions))
  return [...open].map(({ header }) => header)
}

/** Where the answer to an interaction goes. `token` is a credential for 15 minutes (S34). */
export const AnswerTarget = t.readonly(t.type({ applicationId: Snowflake, token: t.string }), 'AnswerTarget')
export type AnswerTarget = t.TypeOf<typeof AnswerTarget>

/** Parses what `JSON.stringify` made of a target; null for any other text. */
export const parseAnswerTarget = (text: string): AnswerTarget | null => {
  const value = parseJson(text)
  return AnswerTarget.is(value) ? value : null
}

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
}

type QueryAnswer = Either<LinkRefusal | RefusalOf<'Forbidden'>, string>

const answer = (lines: ReadonlyArray<string>): QueryAnswer => right(fitMessage(lines))

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
  if (gradeOf(known.holds, 'pu.read') === 'none') return left(playerLacks('pu.read.own'))
  const { name } = known.identity
  const owned = new Set(ownCharacters(ground, known).map(character => character.name))
  if (owned.size === 0) return answer([noCharactersText(name)])
  const { person } = known.contributor
  const candidates = candidatesByPlayer(ground.points.candidates).get(person.key) ?? []
  const own = candidates.filter(one => owned.has(one.name))
  const month = ground.identity.day.slice(0, 7)
  const earned = earningsIn(ground.points, month)
  return answer([
    pointsHeading(name),
    ...own.flatMap(one => [
      pointsLine(one.name, deriveFigures(one.figures)),
      ...monthLines(month, earned.get(one)),
    ]),
  ])
}

const answerOpen = (ground: QueryGround, { contributor }: Known): QueryAnswer => {
  const { name } = contributor.person
  const headers = ownOpenHeaders(ground, contributor)
  if (headers.length === 0) return answer([noOpenText(name)])
  return answer([openHeading(name, headers.length), ...headers.map(openLine)])
}

const answerStatus = (ground: QueryGround, known: Known): QueryAnswer => {
  const { name, gameId, roles } = known.identity
  const owned = ownCharacters(ground, known)
  const { day } = ground.identity
  return answer([
    statusHeading(name, gameId),
    rolesLine(roles),
    ...(owned.length === 0 ? [noCharactersText(name)] : owned.map(one => characterLine(one, day))),
  ])
}

/**
 * The Polish lines of answers in the chat. Names are quoted and in the nominative, and no verb shows a gender. What
 * the lore has is escaped, because others wrote it.
 */

const noCharactersText = (gracz: string): string => `Gracz „${escapeChatText(gracz)}” nie ma żadnej Postaci.`

const figureText = (value: Decimal | null): string => (value === null ? 'BRAK' : formatFixed2(value))

const pointsHeading = (gracz: string): string => `PU Postaci Gracza „${escapeChatText(gracz)}”:`

const pointsLine = (name: string, { suma, zdobyte, nadmiar }: Figures): string =>
  `• „${escapeChatText(name)}”: SUMA ${figureText(suma)}, ZDOBYTE ${figureText(zdobyte)}, ` +
  `NADMIAR ${figureText(nadmiar)}`

/** The lines about the sessions of a month in which a character earned PU. */
const monthLines = (month: string, earned: ReturnType<Earned['get']>): ReadonlyArray<string> =>
  earned === undefined
    ? [`  Sesje w miesiącu ${month}: brak`]
    : [
        `  Sesje w miesiącu ${month} (razem ${formatFixed2(earned.pu)} PU):`,
        ...earned.sessions.map(({ session }) => `  – ${escapeChatText(session)}`),
      ]

const noOpenText = (gracz: string): string => `Narrator „${escapeChatText(gracz)}” nie ma otwartych sesji.`

const openHeading = (gracz: string, count: number): string =>
  `Otwarte sesje Narratora „${escapeChatText(gracz)}” (${count}):`

const openLine = (header: string): string => `• ${escapeChatText(header)}`

const statusHeading = (gracz: string, gameId: string): string =>
  `To konto czatu jest powiązane z Graczem „${escapeChatText(gracz)}” (id ${escapeChatText(gameId)}).`

const rolesLine = (roles: ReadonlyArray<string>): string =>
  `Role: ${roles.length === 0 ? 'brak' : roles.map(escapeChatText).join(', ')}`

const characterLine = ({ entity, name, status }: Character, day: Day): string => {
  const place = escapeChatText(locationOn(visibleEntity(entity), day) ?? 'nieznane')
  return `• „${escapeChatText(name)}”: ${escapeChatText(status)}, miejsce: ${place}`
}

const answers: Readonly<Record<QueryIntent, (ground: QueryGround, known: Known) => QueryAnswer>> = {
  pu: answerPoints,
  open: answerOpen,
  status: answerStatus,
}

const tokenVar = 'SVC_INTERACTION_TOKEN'
const applicationVar = 'SVC_APPLICATION_ID'
const tokenCharsMax = 1_024

/** A token is a part of a path, and `.` and `..` would name another path. */
const isToken = (text: string): boolean =>
  /^[\x21-\x7e]+$/.test(text) && !/^\.{1,2}$/.test(text) && text.length <= tokenCharsMax

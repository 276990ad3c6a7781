import { dayText, epochDay, monthText } from '../calendar.js'
import type { Chance } from '../chance.js'
import type { Stack } from '../entities/stacks.js'
import { explanations, intel } from '../prose/tables.js'
import { slug } from '../slug.js'
import { type Cast, renderTemplate } from '../template.js'
import type { PlannedSession } from './session-plan.js'

/** `@Zmiany` of one entity, values as written. */
export interface PlannedChange {
  readonly entity: string
  readonly tags: ReadonlyArray<{ readonly tag: string; readonly value: string }>
}

/** What the block of a session states after its prose. */
export interface ToldEffects {
  readonly logs: ReadonlyArray<string>
  /** Hundredths of a PU. */
  readonly points: ReadonlyArray<{ readonly character: string; readonly cents: number }>
  readonly changes: ReadonlyArray<PlannedChange>
  readonly transfers: ReadonlyArray<{
    readonly amount: number
    readonly of: string
    readonly from: string
    readonly to: string
  }>
  readonly intel: ReadonlyArray<{ readonly target: string; readonly message: string }>
  readonly explanations: ReadonlyArray<string>
  /** Whether it is in the close ledger. */
  readonly closed: boolean
}

/** Sessions from this day on are not closed yet. */
const openSince = epochDay(2026, 5, 22)

/** Sessions from this day on award PU. */
const pointsSince = epochDay(2023, 1, 1)

/**
 * The result of earlier sessions: the entities whose scalar rows were changed, and the amount of each stack.
 */
interface Books {
  readonly moved: Set<string>
  readonly balances: Map<string, number>
}

const logsOf = (session: PlannedSession, chance: Chance): ReadonlyArray<string> => {
  const saver = chance.pick(session.heroes)
  const saved = dayText(session.day + chance.whole(0, 2))
  const count = chance.pick([0, 1, 1, 1, 1, 2])
  return Array.from(
    { length: count },
    (_, at) => `https://logi.example.org/${saved}-${slug(saver.name)}${at === 0 ? '' : `-${at + 1}`}`,
  )
}

const pointsOf = (session: PlannedSession, chance: Chance): ToldEffects['points'] =>
  session.day < pointsSince
    ? []
    : session.heroes.map(hero => ({ character: hero.name, cents: chance.whole(4, 22) * 5 }))

const condition = ['Ranny', 'Wyczerpany', 'Pod klątwą', 'W gorączce']

const changesOf = (session: PlannedSession, books: Books, chance: Chance): ReadonlyArray<PlannedChange> => {
  const changes: Array<PlannedChange> = []
  const [hero, other, place, group] = [
    session.heroes[0],
    session.others[0],
    session.places[0],
    session.groups[0],
  ]
  if (hero === undefined || other === undefined || place === undefined || group === undefined) return changes
  if (chance.truth(0.35) && !books.moved.has(session.thing.name)) {
    books.moved.add(session.thing.name)
    changes.push({ entity: session.thing.name, tags: [{ tag: 'należy_do', value: hero.name }] })
  }
  if (chance.truth(0.3) && !books.moved.has(other.name)) {
    books.moved.add(other.name)
    changes.push({
      entity: other.name,
      tags: [
        { tag: 'lokacja', value: place.name },
        { tag: 'grupa', value: group.name },
      ],
    })
  }
  const month = monthText(session.day)
  if (chance.truth(0.2) && !books.moved.has(`${hero.name} ${month}`)) {
    books.moved.add(`${hero.name} ${month}`)
    changes.push({
      entity: hero.name,
      tags: [{ tag: 'stan', value: `${chance.pick(condition)} (${month}:${month})` }],
    })
  }
  return changes
}

/** A payment between two participants with stacks of the same denomination; never more than the payer has. */
const transfersOf = (
  session: PlannedSession,
  stacks: ReadonlyMap<string, ReadonlyArray<Stack>>,
  books: Books,
  chance: Chance,
): ToldEffects['transfers'] => {
  const own = [...session.heroes, ...session.groups].flatMap(one => stacks.get(one.name) ?? [])
  const payer = own[0]
  const payee = own.find(stack => stack.short === payer?.short && stack.owner !== payer.owner)
  if (payer === undefined || payee === undefined || chance.truth(0.4)) return []
  const held = books.balances.get(payer.name) ?? payer.opening
  const amount = chance.whole(1, 9)
  if (held < amount) return []
  books.balances.set(payer.name, held - amount)
  books.balances.set(payee.name, (books.balances.get(payee.name) ?? payee.opening) + amount)
  return [{ amount, of: payer.short, from: payer.owner, to: payee.owner }]
}

const intelOf = (session: PlannedSession, chance: Chance): ToldEffects['intel'] => {
  if (!chance.truth(session.generation === 'Gen4' ? 0.5 : 0.15)) return []
  const message = renderTemplate(chance.pick(intel), session.cast, { told: new Set() }, chance)
  const target = chance.pick([
    `Grupa/${session.groups[0]?.name ?? ''}`,
    `Lokacja/${session.places[0]?.name ?? ''}`,
    session.heroes[1]?.name ?? '',
  ])
  return [{ target, message }]
}

const pickExplanations = (cast: Cast, chance: Chance): ReadonlyArray<string> =>
  chance.truth(0.25)
    ? chance
        .some(explanations, chance.whole(1, 2))
        .map(text => renderTemplate(text, cast, { told: new Set() }, chance))
    : []

/** The effects of the sessions, given oldest first. */
export const effectsOf = (
  sessions: ReadonlyArray<PlannedSession>,
  stacks: ReadonlyArray<Stack>,
  chance: Chance,
): ReadonlyArray<ToldEffects> => {
  const books: Books = { moved: new Set(), balances: new Map() }
  const byOwner = new Map<string, ReadonlyArray<Stack>>()
  for (const stack of stacks) byOwner.set(stack.owner, [...(byOwner.get(stack.owner) ?? []), stack])
  return sessions.map(session => {
    const modern = session.generation === 'Gen3' || session.generation === 'Gen4'
    return {
      logs: logsOf(session, chance),
      points: pointsOf(session, chance),
      changes: modern ? changesOf(session, books, chance) : [],
      transfers: modern ? transfersOf(session, byOwner, books, chance) : [],
      intel: modern ? intelOf(session, chance) : [],
      explanations: modern ? pickExplanations(session.cast, chance) : [],
      closed: session.day < openSince,
    }
  })
}

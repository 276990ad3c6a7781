import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import { applyWindow, type Window } from '#protocol/list.js'
import type { MoneyBalance, MoneyLedger, MoneyTransfer } from '#protocol/lore/audit.js'
import { perValue, perValueInSlices } from '#src/domain/caching/per-value.js'
import { denominationOf, denominations } from '#src/domain/currency/denomination.js'
import { amountsOf, countOut, heldOn, inKogi, pursesHeldBy, supplyOn } from '#src/domain/currency/purses.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { type BlockRecord, blockRecord } from '#src/domain/entities/reading.js'
import { ledgerKey, ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { namesTopics } from '#src/domain/lore/topic-text.js'
import { resolveName } from '#src/domain/names/resolve.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { sessionsByLedgerKey } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Moves } from '#src/domain/sessions/effects/moves.js'
import {
  type Payment,
  type PaymentSide,
  resolveEffectName,
} from '#src/domain/sessions/effects/overlay-state.js'
import type { SessionLore } from '#src/domain/sessions/reading/spellings.js'
import type { Session, SessionTransfer } from '#src/domain/sessions/session.js'
import { forEachInSlices, mapInSlices, type Sliced, units } from '#src/domain/slicing/sliced.js'
import { narratorText } from './notifications.js'

/** What the ledger of money reads; a snapshot has it all, and its ledger is made once. */
export interface MoneyLore
  extends Pick<SessionLore, 'names' | 'config' | 'sessions' | 'closeLedger' | 'day'> {
  readonly entities: Entities
  readonly moves: Moves
  readonly payments: ReadonlyArray<Payment>
}

/** The filters of `GET /audit/ledger`; an absent one matches everything. */
export interface LedgerFilter {
  /** A name in any form but a misspelling: Transfers that it pays or that pay it. */
  readonly entity?: string | undefined
  /** A denomination in any form. */
  readonly denomination?: string | undefined
  /** First and last day, inclusive. */
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

/**
 * The Transfers of sessions and moves, oldest first (FORMATS 7, 8). `only` are the blocks whose Transfers a caller
 * who sees their own may see; null: everybody's, with the supply. Transfers of open sessions are pending.
 */
export const moneyLedger = function* (
  lore: MoneyLore,
  only: ReadonlyArray<Entity> | null,
  filter: LedgerFilter,
  window: Window,
): Sliced<MoneyLedger> {
  const ledger = yield* ledgerOf(lore)
  const party = filter.entity === undefined ? null : partyNamed(lore, filter.entity)
  const rows = matching(ledger, only, party, filter)
  const page = applyWindow(rows, window)
  const balanceOf = balancesIn(lore, rows, party)
  const items = yield* mapInSlices(page.items, payment =>
    describePayment(lore, payment, party, balanceOf(payment)),
  )
  yield items.length * units.row
  const wanted = filter.denomination === undefined ? null : denominationName(filter.denomination)
  const isWanted = ({ denomination }: { readonly denomination: string }): boolean =>
    wanted === null || denomination === wanted
  return {
    ...page,
    items,
    supply: only === null ? supplyOn(lore.entities, lore.day).filter(isWanted) : null,
    balances: balancesOf(lore, rows, party, filter.to, balanceOf).filter(isWanted),
    wealth: wealthOf(lore, party),
  }
}

/** Whether a name means a block in any form but a misspelling, or stands on a side of a Transfer that answers show. */
export const isPartyKnown = (lore: MoneyLore, name: string): boolean =>
  resolveName(lore.names, name, { upTo: 'lemma' }).candidates.length > 0 ||
  writtenParties(lore).has(nameKey(name))

/** The names of both sides of all Transfers, as they are written. */
const writtenParties = perValue(({ sessions, payments }: MoneyLore): ReadonlySet<NameKey> => {
  const all = [
    ...sessions.all.flatMap(({ transfers }) => transfers),
    ...payments.map(({ transfer }) => transfer),
  ]
  return new Set(
    all
      .filter(transfer => isShown({ transfer }))
      .flatMap(({ source, destination }) => [nameKey(source), nameKey(destination)]),
  )
})

/** All Transfers by date, those of each denomination, and the places of those of each side. */
interface Ledger {
  readonly payments: ReadonlyArray<Payment>
  readonly byParty: ReadonlyMap<PartyKey, Places>
  readonly byDenomination: ReadonlyMap<string, ReadonlyArray<Payment>>
}

/** Indexes of Transfers, ascending. */
type Places = ReadonlyArray<number>

/** A side of Transfers: type and heading of a block, or the name that no block has. */
type PartyKey = string

const blockKey = perValue(({ heading, type }: BlockRecord): PartyKey => `${type}\n${nameKey(heading)}`)

const keyOf = ({ owner }: PaymentSide, name: string): PartyKey =>
  owner === null ? `\n${nameKey(name)}` : blockKey(owner)

const sourceKey = ({ source, transfer }: Payment): PartyKey => keyOf(source, transfer.source)
const destinationKey = ({ destination, transfer }: Payment): PartyKey =>
  keyOf(destination, transfer.destination)

const notClosed = 'Sesja nie jest zamknięta.'

/** A Transfer of an open session: it counts once the session is closed. */
const openPayment = ({ names }: MoneyLore, { date, header }: Session, transfer: SessionTransfer): Payment => {
  const denomination = denominationOf(transfer.denomination)?.name ?? null
  const sideOf = (name: string): PaymentSide => {
    const { entity } = resolveEffectName(names, name).found
    return {
      owner: entity === null ? null : blockRecord(entity),
      purse: null,
      after: null,
      lacksPurse: false,
    }
  }
  return {
    ...{ date, header, move: null, transfer, denomination },
    state: denomination === null ? 'refused' : 'pending',
    reason: denomination === null ? `„${transfer.denomination}” nie jest nominałem pieniędzy.` : notClosed,
    source: sideOf(transfer.source),
    destination: sideOf(transfer.destination),
  }
}

/** Whether an answer may show a Transfer: none says what a restricted topic is. */
const isShown = ({ transfer: { denomination, source, destination } }: Pick<Payment, 'transfer'>): boolean =>
  !namesTopics(`${denomination} ${source} ${destination}`)

const put = <K, V>(lists: Map<K, Array<V>>, key: K, value: V): void => {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else known.push(value)
}

const ledgerOf = perValueInSlices(function* (lore: MoneyLore): Sliced<Ledger> {
  const { sessions, closeLedger } = lore
  const open: Array<Payment> = []
  yield* forEachInSlices(sessions.all, session => {
    const key = ledgerKeyOf(session)
    const counts = closeLedger.closed.has(key) || closeLedger.transferred.has(key)
    if (session.transfers.length === 0 || counts) return
    for (const transfer of session.transfers) open.push(openPayment(lore, session, transfer))
  })
  const payments = [...lore.payments, ...open]
    .filter(isShown)
    .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0))
  yield
  const byParty = new Map<PartyKey, Array<number>>()
  const byDenomination = new Map<string, Array<Payment>>()
  yield* forEachInSlices(payments.entries(), ([at, payment]) => {
    for (const key of new Set([sourceKey(payment), destinationKey(payment)])) put(byParty, key, at)
    put(byDenomination, denominationOfPayment(payment), payment)
  })
  return { payments, byParty, byDenomination }
})

/** Who a name of the filter means. */
interface Party {
  readonly keys: ReadonlySet<PartyKey>
  /** The one owner of purses: a block, or the name where no block has it; null when several blocks have it. */
  readonly owner: Entity | NameKey | null
}

const partyNamed = ({ names }: MoneyLore, name: string): Party => {
  const { entity, candidates } = resolveName(names, name, { upTo: 'lemma' })
  return {
    keys: new Set([`\n${nameKey(name)}`, ...candidates.map(one => blockKey(blockRecord(one)))]),
    owner: entity ?? (candidates.length === 0 ? nameKey(name) : null),
  }
}

/** The denomination of a Transfer by its full name; a text that is none, as its key. */
const denominationOfPayment = ({ denomination, transfer }: Payment): string =>
  denomination ?? nameKey(transfer.denomination)

/** The full name of a denomination; a text that is none, as its key. */
const denominationName = (text: string): string => denominationOf(text)?.name ?? nameKey(text)

const placesOf = ({ byParty }: Ledger, keys: Iterable<PartyKey>): Places => {
  const lists = [...keys].flatMap(key => byParty.get(key) ?? [])
  return [...new Set(lists)].sort((one, other) => one - other)
}

/** Where the Transfers begin that are not before a day; their number when all are. */
const firstFrom = (payments: ReadonlyArray<Payment>, day: string): number => {
  let [low, high] = [0, payments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((payments[middle]?.date ?? '') < day) low = middle + 1
    else high = middle
  }
  return low
}

/** Sorts after a day and before the next one. */
const dayEnd = (day: Day): string => `${day}~`

/** The Transfers from a day to another, both inclusive; undefined bounds nothing. */
const within = (
  payments: ReadonlyArray<Payment>,
  from: Day | undefined,
  to: Day | undefined,
): ReadonlyArray<Payment> =>
  from === undefined && to === undefined
    ? payments
    : payments.slice(
        from === undefined ? 0 : firstFrom(payments, from),
        to === undefined ? payments.length : firstFrom(payments, dayEnd(to)),
      )

/** The Transfers that pass the filters, in order. */
const matching = (
  ledger: Ledger,
  only: ReadonlyArray<Entity> | null,
  party: Party | null,
  { denomination, from, to }: LedgerFilter,
): ReadonlyArray<Payment> => {
  const { payments, byDenomination } = ledger
  const own =
    only === null
      ? null
      : placesOf(
          ledger,
          only.map(one => blockKey(blockRecord(one))),
        )
  const asked = party === null ? null : placesOf(ledger, party.keys)
  const wanted = denomination === undefined ? null : denominationName(denomination)
  const some = asked ?? own
  if (some === null) return within(wanted === null ? payments : (byDenomination.get(wanted) ?? []), from, to)
  const isOwn = own === null ? null : new Set(own)
  const found = some.flatMap(at => (isOwn?.has(at) === false ? [] : (payments[at] ?? [])))
  const inDays = within(found, from, to)
  return wanted === null ? inDays : inDays.filter(one => denominationOfPayment(one) === wanted)
}

/** Whether a Transfer pays a party, and with which purse. A party on both sides is paid. */
const sideFor = (
  payment: Payment,
  { keys }: Party,
): { readonly side: PaymentSide; readonly delta: number } => {
  const { transfer, source, destination } = payment
  return keys.has(destinationKey(payment))
    ? { side: destination, delta: transfer.amount }
    : { side: source, delta: -transfer.amount }
}

type BalanceOf = (payment: Payment) => number | null

const noBalance: BalanceOf = () => null

/**
 * What the party has in the denomination of an applied Transfer after it, over all its purses. `rows` are its
 * Transfers in order; those of one day and denomination are computed together.
 */
const balancesIn = (
  { entities }: MoneyLore,
  rows: ReadonlyArray<Payment>,
  party: Party | null,
): BalanceOf => {
  const owner = party?.owner ?? null
  if (party === null || owner === null) return noBalance
  const groups = new Map<string, Array<Payment>>()
  const groupKey = ({ date, denomination }: Payment): string => `${date}\n${denomination ?? ''}`
  for (const payment of rows) {
    if (payment.state === 'applied') put(groups, groupKey(payment), payment)
  }
  const known = new Map<Payment, number>()
  return payment => {
    if (!known.has(payment))
      for (const [one, balance] of balancesOfDay(entities, owner, groups.get(groupKey(payment)) ?? [], party))
        known.set(one, balance)
    return known.get(payment) ?? null
  }
}

/** The balances after the applied Transfers of one day in one denomination. */
const balancesOfDay = (
  entities: Entities,
  owner: Entity | NameKey,
  group: ReadonlyArray<Payment>,
  party: Party,
): ReadonlyArray<readonly [Payment, number]> => {
  const [first] = group
  if (first === undefined) return []
  const held = new Map<string, number>()
  // What a purse held before the first Transfer of the day, which the rows of the day no longer tell.
  for (const payment of [...group].reverse()) {
    const { side, delta } = sideFor(payment, party)
    if (side.purse !== null && side.after !== null) held.set(side.purse, side.after - delta)
  }
  for (const purse of pursesHeldBy(entities, owner, first.date))
    if (purse.denomination.name === first.denomination && !held.has(purse.item.name))
      held.set(purse.item.name, heldOn(purse, first.date))
  let total = [...held.values()].reduce((sum, one) => sum + one, 0)
  return group.map(payment => {
    const { purse, after } = sideFor(payment, party).side
    // Zmiany of a later session of the day may have changed the purse in between.
    if (purse !== null && after !== null) {
      total += after - (held.get(purse) ?? 0)
      held.set(purse, after)
    }
    return [payment, total]
  })
}

/** The balances of a party before the first of the rows and after the last, the most valuable denomination first. */
const balancesOf = (
  { entities, day }: MoneyLore,
  rows: ReadonlyArray<Payment>,
  party: Party | null,
  to: Day | undefined,
  balanceOf: BalanceOf,
): ReadonlyArray<MoneyBalance> => {
  const owner = party?.owner ?? null
  if (party === null || owner === null) return []
  const still = amountsOf(pursesHeldBy(entities, owner, to ?? day), to ?? day)
  return denominations.flatMap(({ name: denomination }) => {
    const isIn = (payment: Payment): boolean =>
      payment.state === 'applied' && payment.denomination === denomination
    const [first, last] = [rows.find(isIn), rows.findLast(isIn)]
    const amount = still.find(one => one.denomination === denomination)?.amount
    if (first === undefined || last === undefined)
      return amount === undefined ? [] : [{ denomination, opening: amount, closing: amount }]
    const opening = (balanceOf(first) ?? 0) - sideFor(first, party).delta
    return [{ denomination, opening, closing: balanceOf(last) ?? 0 }]
  })
}

const wealthOf = ({ entities, day }: MoneyLore, party: Party | null): MoneyLedger['wealth'] => {
  const owner = party?.owner ?? null
  if (owner === null) return null
  const amounts = amountsOf(pursesHeldBy(entities, owner, day), day)
  const kogi = amounts.reduce((sum, one) => sum + one.kogi, 0)
  return { kogi, amounts, counted: countOut(kogi) }
}

const nameOf = ({ owner }: PaymentSide, name: string): string => owner?.heading ?? redactCredentials(name)

const describePayment = (
  lore: MoneyLore,
  payment: Payment,
  party: Party | null,
  balance: number | null,
): MoneyTransfer => {
  const { date, header, transfer, state, source, destination, reason } = payment
  const session = header === null ? undefined : sessionsByLedgerKey(lore.sessions).get(ledgerKey(header))
  const denomination = denominationOf(transfer.denomination)
  return {
    date,
    header,
    title: session?.title ?? null,
    narrator: session === undefined ? null : narratorText(lore, session),
    move: describeMove(lore, payment.move),
    amount: transfer.amount,
    denomination: denomination?.name ?? redactCredentials(transfer.denomination),
    kogi: denomination === null ? null : inKogi(transfer.amount, denomination),
    source: nameOf(source, transfer.source),
    destination: nameOf(destination, transfer.destination),
    state,
    why: reason === null ? null : redactCredentials(reason),
    direction: party === null ? null : sideFor(payment, party).side === destination ? 'in' : 'out',
    balance,
  }
}

const describeMove = ({ moves }: MoneyLore, id: string | null): MoneyTransfer['move'] => {
  const move = id === null ? undefined : moves.byId.get(id)
  return move === undefined
    ? null
    : { id: move.id, at: move.at, by: move.by, reason: redactCredentials(move.reason) }
}

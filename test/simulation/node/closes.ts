import { nameKey } from '#protocol/atoms.js'
import { supplyOn } from '#src/domain/currency/purses.js'
import { quantityOn } from '#src/domain/entities/entity.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { PlanCommand } from '#src/writing/command.js'
import { planClose } from '#src/writing/sessions/close.js'
import { parseCloseLedger } from '#test/support/at-once.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import type { SimCommit } from './objects.js'
import type { Trace } from './trace.js'

/** The closes of the simulation: sessions that move money between the purses of two, and tell one of them by Intel. */

export const closeRow = 'workflows.closeSession'

const startPieces = 100
const owners = { Anna: 'Anny', Bartek: 'Bartka' } as const
type Owner = keyof typeof owners
const denominations = { Korony: 'Korony Elanckie', Talary: 'Talary Hirońskie' } as const
type Denomination = keyof typeof denominations

interface Payment {
  readonly header: string
  readonly amount: number
  readonly written: string
  readonly denomination: Denomination
  readonly from: Owner
  readonly to: Owner
}

const payment = (
  title: string,
  [amount, written]: readonly [number, string],
  denomination: Denomination,
  [from, to]: readonly [Owner, Owner],
): Payment => ({ header: `${title}, N`, amount, written, denomination, from, to })

/** So small that no order of the closes leaves a purse without money. */
const payments = [
  payment('2026-01-05, Targ', [10, 'koron'], 'Korony', ['Anna', 'Bartek']),
  payment('2026-01-07, Most', [3, 'korony'], 'Korony', ['Bartek', 'Anna']),
  payment('2026-01-07, Wieża', [20, 'koron'], 'Korony', ['Anna', 'Bartek']),
  payment('2026-02-01, Port', [5, 'talarów'], 'Talary', ['Bartek', 'Anna']),
]

/** The sessions that hosts close. */
export const closableHeaders: ReadonlyArray<string> = payments.map(({ header }) => header)

const purseOf = (denomination: Denomination, owner: Owner): string => `${denomination} ${owners[owner]}`
const purses = (['Korony', 'Talary'] as const).flatMap(denomination =>
  (['Anna', 'Bartek'] as const).map(owner => ({ name: purseOf(denomination, owner), denomination, owner })),
)

const closingTexts: Readonly<Record<string, string>> = {
  'kontrybutorzy.md': '## Gracz\n### Gosia\n- @gameid: 1\n- @chat: sesje/gosia\n',
  'encje/kasy.md': [
    '### Anna\n- @typ: Postać\n- @należy_do: Gosia\n',
    '### Bartek\n- @typ: NPC\n',
    ...purses.map(
      ({ name, denomination, owner }) =>
        `### ${name}\n- @typ: Przedmiot\n- @należy_do: ${owner}\n- @generyczne_nazwy: ${denominations[denomination]}\n- @ilość: ${startPieces}\n`,
    ),
  ].join('\n'),
  'sesje/kasa.md': payments
    .map(
      ({ header, amount, written, from, to }) =>
        `### ${header}\n- @Transfer: ${amount} ${written}, ${from} -> ${to}\n- @Intel:\n    - Anna: Wieść.\n\nOpis.\n`,
    )
    .join('\n'),
}

export const closingFiles: ReadonlyMap<string, string> = new Map(Object.entries(closingTexts))

/** The rows of a ledger, in an order that does not tell who closed first. */
const rowsIn = (ledger: string): ReadonlyArray<Fields> =>
  ledger
    .split('\n')
    .filter(line => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isFields)
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))

const keyOf = ({ op, header }: Fields): string => `${String(op)} ${String(header)}`

const worlds = new Map<string, Snapshot>()

/**
 * The real snapshot of the sessions that are closed here. No host changes their files, and time and asker of a close
 * change no effect, so that few snapshots do for all seeds.
 */
const closingWorld = (rows: ReadonlyArray<Fields>): Snapshot => {
  const lines = rows
    .map(row => `${JSON.stringify({ ...row, at: '2026-01-01T00:00:00Z', by: 'N' })}\n`)
    .join('')
  const known = worlds.get(lines)
  if (known !== undefined) return known
  const made = worldOf({
    ...{ '.svc/format.json': '{"format": 2}\n', ...closingTexts },
    ...(lines === '' ? {} : { [closeLedgerPath]: lines }),
  })
  worlds.set(lines, made)
  return made
}

const view = { mayReadRestricted: true, sessions: true, logs: true, external: true }

/** The rule of a close, on the ledger of its commit. */
export const planSimulatedClose: PlanCommand = ({ body, actor, dryRun }, { commit, files }, nowMs) => {
  const header = isFields(body) ? String(body['header']) : ''
  const ledger = [...files.values()].find(({ path }) => path === closeLedgerPath) ?? null
  const world = closingWorld(rowsIn(ledger?.text ?? ''))
  const snapshot: Snapshot = {
    ...{ ...world, commit, closeLedger: parseCloseLedger(ledger) },
    files: ledger === null ? world.files : new Map(world.files).set(closeLedgerPath, ledger),
  }
  const closer = { gracz: null, view, by: actor.name, isAdmin: true }
  return planClose(snapshot, { header, closer, note: null, dryRun, nowMs })
}

/** What a purse must hold: each closed session moved its pieces once. */
const dueIn = (purse: string, closed: ReadonlySet<string>): number =>
  payments
    .filter(({ header }) => closed.has(header))
    .reduce((sum, { amount, denomination, from, to }) => {
      const lost = purseOf(denomination, from) === purse ? amount : 0
      const won = purseOf(denomination, to) === purse ? amount : 0
      return sum - lost + won
    }, startPieces)

const headersIn = (rows: ReadonlyArray<Fields>): ReadonlySet<string> =>
  new Set(rows.map(({ header }) => String(header)))

/** Why the replay of a ledger is wrong; empty where it is right. */
const faultsOf = (rows: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const { entities, day } = closingWorld(rows)
  const closed = headersIn(rows)
  const wrongPurses = purses.flatMap(({ name }) => {
    const item = entities.byHeading.get(nameKey(name))?.[0]
    const [is, due] = [item === undefined ? null : quantityOn(item, day), dueIn(name, closed)]
    return is === due ? [] : [`${name} has ${is} pieces, and the closed sessions explain ${due} (S13)`]
  })
  const supply = supplyOn(entities, day)
  const wrongSupply = Object.values(denominations).flatMap(denomination => {
    const is = supply.find(one => one.denomination === denomination)?.amount ?? 0
    const due = startPieces * Object.keys(owners).length
    return is === due ? [] : [`the supply of ${denomination} is ${is} and was ${due} (S13)`]
  })
  return [...wrongSupply, ...wrongPurses]
}

export interface CloseChecks {
  /** The files of a commit of `who`, which is a host or `origin`. */
  readonly checkFiles: (who: string, files: SimCommit['files']) => void
  /** All is at rest: `isSettled` where every close was asked for since. */
  readonly atRest: (who: string, files: SimCommit['files'], isSettled: boolean) => void
}

/** Every close, held against S13: one row of each key counts, and money neither appears nor vanishes. */
export const closeChecks = ({ mark, violation }: Trace): CloseChecks => {
  const judged = new Map<string, { readonly faults: ReadonlyArray<string>; readonly isRepeated: boolean }>()
  const judge = (ledger: string) => {
    const rows = rowsIn(ledger)
    const made = { faults: faultsOf(rows), isRepeated: new Set(rows.map(keyOf)).size < rows.length }
    judged.set(ledger, made)
    return made
  }
  const checkFiles: CloseChecks['checkFiles'] = (who, files) => {
    const ledger = files.get(closeLedgerPath) ?? ''
    const { faults, isRepeated } = judged.get(ledger) ?? judge(ledger)
    for (const fault of faults) violation(`${who}: ${fault}`)
    if (!isRepeated) return
    if (who === 'origin') violation('origin: the ledger closes a session twice (S13)')
    else mark('a merge brought a second row of a close')
  }
  return {
    checkFiles,
    atRest: (who, files, isSettled) => {
      checkFiles(who, files)
      const closed = headersIn(rowsIn(files.get(closeLedgerPath) ?? ''))
      const open = closableHeaders.find(header => !closed.has(header))
      if (isSettled && open !== undefined) violation(`${who}: ${open} is not closed in the end (L5)`)
    },
  }
}

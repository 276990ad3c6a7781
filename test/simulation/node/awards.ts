import type { Snapshot } from '#src/snapshot/snapshot.js'
import { type PlanCommand } from '#src/writing/command.js'
import { planAward } from '#src/writing/points.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'
import type { SimCommit } from './objects.js'
import type { Trace } from './trace.js'

/** The batches of months of the simulation; no commit beside them changes their files but that of a person. */

export const awardRow = 'workflows.awardPu'

export const monthsPath = 'sesje/miesiace.md'
const charactersPath = 'encje/postacie.md'
const ledgerPath = '.svc/pu/batches.jsonl'

/** The months that hosts settle. What the last one names is near a character, and means none. */
export const months = ['2026-02', '2026-03', '2026-04'] as const
const stoppedMonth = '2026-04'
const nearName = 'Stolarski'

const characters = ['Stolarska', 'Wit'] as const
const startPoints = 20

const sectionOf = (day: string, title: string, names: ReadonlyArray<string>): string =>
  [`### ${day}, ${title}, N`, '- @PU:', ...names.map(name => `    - ${name}: 0.5`), '', 'Opis.', '', ''].join(
    '\n',
  )

export const awardFiles: ReadonlyMap<string, string> = new Map([
  [
    charactersPath,
    characters.map(name => `### ${name}\n- @typ: Postać\n- @pu_startowe: ${startPoints}\n`).join('\n'),
  ],
  [
    monthsPath,
    [
      '# Miesiące\n',
      sectionOf('2026-02-10', 'Most', characters),
      sectionOf('2026-03-10', 'Brama', ['Wit']),
      sectionOf(`${stoppedMonth}-10`, 'Warsztat', [nearName]),
    ].join('\n'),
  ],
])

/** The sessions of a file by month, and the names to which each gives PU, with the key by which it is settled. */
interface ReadSession {
  readonly header: string
  readonly month: string
  readonly names: ReadonlyArray<string>
}

const sessionsIn = (text: string): ReadonlyArray<ReadSession> =>
  text
    .split('### ')
    .slice(1)
    .map(section => ({
      header: section.split('\n')[0] ?? '',
      month: section.slice(0, 7),
      names: [...section.matchAll(/^ {4}- (\S+): 0\.5$/gmu)].map(([, name = '']) => name),
    }))

/** So few that no month reaches its cap. */
const lateSessionsMax = 2

/** The file after a person wrote a late session into a month that can be settled; as it was where it has enough. */
export const textWithLateSession = (text: string, which: number, writer: string): string => {
  const month = months[which % 2] ?? months[0]
  const late = sessionsIn(text).filter(one => one.month === month && one.header.includes('Późna'))
  if (late.length >= lateSessionsMax) return text
  const day = `${month}-${String(11 + (which % 15)).padStart(2, '0')}`
  return `${text}${sectionOf(day, `Późna ${writer}`, characters)}`
}

const worlds = new Map<string, Snapshot>()
const worldsMax = 200

/** The real snapshot of the files that an award reads. A snapshot of the same files is the same. */
const awardSnapshot = ({ commit, files }: Snapshot): Snapshot => {
  const texts = Object.fromEntries(
    ['.svc/format.json', charactersPath, monthsPath, ledgerPath].flatMap(path => {
      const file = [...files.values()].find(one => one.path === path)
      return file === undefined ? [] : [[path, file.text]]
    }),
  )
  const key = JSON.stringify(texts)
  const known = worlds.get(key) ?? worldOf(texts)
  if (worlds.size > worldsMax) worlds.clear()
  worlds.set(key, known)
  return { ...known, commit }
}

/** The rule of an award, on the files of its commit. */
export const planSimulatedAward: PlanCommand = ({ body, dryRun }, snapshot, nowMs) => {
  const month = isFields(body) ? String(body['month']) : ''
  return planAward(awardSnapshot(snapshot), { month, jobId: null, dryRun, nowMs })
}

export interface AwardChecks {
  /** An asker was told that a month is settled. */
  readonly applied: (asker: string, month: string) => void
  /** The files of a commit of `who`, which is a host or `origin`. */
  readonly checkFiles: (who: string, files: SimCommit['files']) => void
  /** All is at rest: `isSettled` where every month was asked for since. */
  readonly atRest: (who: string, files: SimCommit['files'], isSettled: boolean) => void
}

interface ReadRow {
  readonly id: string
  readonly sessions: ReadonlyArray<string>
}

const textsOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const rowsIn = (text: string): ReadonlyArray<ReadRow> =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const json: unknown = JSON.parse(line)
      return isFields(json)
        ? { id: String(json['id']), sessions: textsOf(json['sessions']) }
        : { id: line, sessions: [] }
    })

/** The figures that a character must have: the start, a base for each settled month, and the PU of settled sessions. */
const sumaOf = (name: string, sessions: ReadonlyArray<ReadSession>): number => {
  const own = sessions.filter(one => one.names.includes(name))
  return startPoints + new Set(own.map(one => one.month)).size + own.length * 0.5
}

const sumaIn = (text: string, name: string): number => {
  const block = text.split('### ').find(one => one.startsWith(`${name}\n`)) ?? ''
  return Number(/^- @pu_suma: (.+)$/mu.exec(block)?.[1] ?? startPoints)
}

/** Every award, held against S13 and S23: a session is settled once, and its figures are exact. */
export const awardChecks = ({ mark, violation }: Trace): AwardChecks => {
  const checkFiles = (who: string, files: SimCommit['files']): void => {
    const rows = rowsIn(files.get(ledgerPath) ?? '')
    const settled = rows.flatMap(({ sessions }) => sessions)
    const once = new Set(settled)
    if (once.size < settled.length) violation(`${who}: the ledger settles a session twice (S13)`)
    const known = sessionsIn(files.get(monthsPath) ?? '').filter(one => once.has(one.header))
    if (known.some(({ names }) => names.includes(nearName)))
      violation(`${who}: ${nearName} is no character, and its session is settled (S23)`)
    for (const name of characters) {
      const [is, due] = [sumaIn(files.get(charactersPath) ?? '', name), sumaOf(name, known)]
      if (is !== due) violation(`${who}: ${name} has ${is} PU, and the ledger explains ${due} (S13)`)
    }
  }

  return {
    applied: (asker, month) => {
      if (month === stoppedMonth)
        violation(`${asker} settled ${month}, where ${nearName} means no character (S23)`)
    },
    checkFiles,
    atRest: (who, files, isSettled) => {
      checkFiles(who, files)
      const rows = rowsIn(files.get(ledgerPath) ?? '')
      const settled = new Set(rows.flatMap(({ sessions }) => sessions))
      const open = sessionsIn(files.get(monthsPath) ?? '').filter(
        one => one.month !== stoppedMonth && !settled.has(one.header),
      )
      if (isSettled && open.length > 0) violation(`${who}: ${open[0]?.header} is not settled in the end (L5)`)
      if (rows.length > months.length - 1) mark('a month was settled in pieces')
    },
  }
}

import { type Figure, figureTable, holds, type Machine, onMachine, verdictOf, withFloor } from './figure.js'
import { type MachineReading, machineBetween, machineText, readMachine } from './machine.js'

/** Figures that are measured together; `--only` picks them by the word. */
export interface Group {
  readonly word: string
  readonly measure: () => Promise<ReadonlyArray<Figure>>
}

export interface GroupReport {
  readonly group: string
  readonly seconds: number
  /** How the machine went meanwhile, against the reference. */
  readonly machine: Machine
  readonly figures: ReadonlyArray<Figure & { readonly verdict: ReturnType<typeof verdictOf> }>
  /** Why the group measured nothing; null where it did. */
  readonly error: string | null
}

/** What `--json` prints. */
export interface BenchReport {
  readonly groups: ReadonlyArray<GroupReport>
  readonly failed: ReadonlyArray<string>
  readonly seconds: number
}

export interface RunOptions {
  /** Others use the machine: ratios and counts are held to floors, times and memory to nothing. */
  readonly isShared: boolean
  /** Takes the table of a group when it is done. */
  readonly print: (text: string) => void
  /** Takes what goes on. */
  readonly say: (text: string) => void
  readonly readMachine?: (folder: string) => Promise<MachineReading>
}

/** The group of that word, or those whose word begins with it and a hyphen; all where it is empty. */
export const chooseGroups = (groups: ReadonlyArray<Group>, only: string): ReadonlyArray<Group> => {
  const chosen = groups.filter(({ word }) => only === '' || word === only || word.startsWith(`${only}-`))
  if (chosen.length > 0) return chosen
  throw new Error(`--only is one of ${groups.map(({ word }) => word).join(', ')}; not ${only}`)
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Measured {
  readonly figures: ReadonlyArray<Figure>
  readonly error: string | null
}

/** Never rejects. A promise that nobody waited for and that is rejected meanwhile fails the group too. */
const measureGroup = async ({ measure }: Group): Promise<Measured> => {
  const strays: Array<string> = []
  const onStray = (error: unknown): void => void strays.push(wordsOf(error))
  process.on('unhandledRejection', onStray)
  try {
    const figures = await measure()
    return { figures, error: strays[0] ?? null }
  } catch (error) {
    return { figures: [], error: wordsOf(error) }
  } finally {
    process.off('unhandledRejection', onStray)
  }
}

const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / 1000

const groupText = ({ group, seconds, machine, figures, error }: GroupReport): string =>
  [
    `\n== ${group}: ${seconds.toFixed(1)} s; ${machineText(machine)}`,
    ...(figures.length > 0 ? [figureTable(figures)] : []),
    ...(error === null ? [] : [`FAILED ${group}: ${error}`]),
  ].join('\n')

/** What did not hold, at the end, where it is seen. */
const endText = ({ groups, failed, seconds }: BenchReport): string => {
  const figures = groups.flatMap(group => group.figures)
  const missed = figures.filter(figure => !holds(figure)).map(figure => figure.name)
  const unsure = figures.filter(figure => figure.verdict === 'unsure').map(figure => figure.name)
  const list = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map(line => `  ${line}`)]
  const errors = groups.flatMap(({ group, error }) => (error === null ? [] : [`${group}: ${error}`]))
  return [
    `\n${groups.length} groups, ${failed.length} failed, ${figures.length} figures in ${seconds.toFixed(0)} s`,
    ...list('missed', missed),
    ...list('unsure: missed by less than the spread', unsure),
    ...list('failed', errors),
  ].join('\n')
}

/** Runs the groups one after another, each between two readings of the machine; a group that fails ends no run. */
export const runGroups = async (
  groups: ReadonlyArray<Group>,
  folder: string,
  { isShared, print, say, readMachine: read = readMachine }: RunOptions,
): Promise<BenchReport> => {
  const startedMs = performance.now()
  const reports: Array<GroupReport> = []
  let before = await read(folder)
  for (const group of groups) {
    say(`measuring ${group.word}`)
    const groupMs = performance.now()
    const { figures, error } = await measureGroup(group)
    const seconds = secondsSince(groupMs)
    const after = await read(folder)
    const machine = machineBetween(before, after)
    const judged = figures.map(figure => (isShared ? withFloor(figure) : onMachine(figure, machine)))
    const report = {
      group: group.word,
      seconds,
      machine,
      figures: judged.map(figure => ({ ...figure, verdict: verdictOf(figure) })),
      error,
    }
    print(groupText(report))
    reports.push(report)
    before = after
  }
  const failed = reports.filter(({ error }) => error !== null).map(({ group }) => group)
  const report = { groups: reports, failed, seconds: secondsSince(startedMs) }
  print(endText(report))
  return report
}

import { importsOf, sources } from '#test/tidy/sources.js'

/** What `npm run test:long` runs, and how it is cut into tenths. */

export const tenths = 10

/** One command of the long tier. */
export interface LongPart {
  readonly name: string
  /** How long it takes on two idle cores, measured; tenths are made equal by it. */
  readonly seconds: number
  /** Whether each tenth runs a share of it. A part that is not shared belongs to one tenth. */
  readonly isShared: boolean
  /** The command line behind `node --conditions=source --import tsx`; `share` is one of ten, null for the whole part. */
  readonly args: (share: number | null) => ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

const shareArgs = (share: number | null): ReadonlyArray<string> =>
  share === null ? [] : ['--share', `${share}/${tenths}`]

const mocha = (...files: ReadonlyArray<string>): ReadonlyArray<string> => [
  'node_modules/mocha/bin/mocha.js',
  ...files,
]

/** The test files that try a property as often as `WHOLE_RUNS` says. */
const propertyFiles = sources
  .filter(({ path }) => path.endsWith('.test.ts'))
  .filter(source => importsOf(source).some(({ target }) => target === 'test/support/runs.ts'))
  .map(({ path }) => path)

const ofShare = <A>(all: ReadonlyArray<A>, share: number | null): ReadonlyArray<A> =>
  share === null ? all : all.filter((_, at) => at % tenths === share)

const whole = (name: string, seconds: number, ...args: ReadonlyArray<string>): LongPart => ({
  name,
  seconds,
  isShared: false,
  args: () => args,
})

const commands: ReadonlyArray<LongPart> = [
  {
    name: 'whole runs of properties',
    seconds: 600,
    isShared: true,
    args: share => mocha('--parallel', ...ofShare(propertyFiles, share)),
    env: { WHOLE_RUNS: '1' },
  },
  {
    name: 'attack',
    seconds: 1_200,
    isShared: true,
    // The crowd beside two hosts takes a third of the time: 2 minutes of a tenth, 10 of the whole.
    args: share => {
      const minutes = share === null ? '30' : '6'
      return ['test/attack/run.ts', '--scale', '0.5', '--minutes', minutes, ...shareArgs(share)]
    },
  },
  {
    name: 'planted bugs',
    seconds: 540,
    isShared: true,
    args: share => ['test/simulation/planted/run.ts', ...shareArgs(share)],
  },
  {
    ...whole('regular expressions judged again', 120, ...mocha('test/security/patterns.test.ts')),
    env: { RECHECK_ALL: '1' },
  },
  whole('howtos followed', 200, 'test/howto/run.ts'),
]

/** Seconds of the files of the long tier and of the machine that take more than `shortSeconds`. */
const fileSeconds: Readonly<Record<string, number>> = {}
const shortSeconds = 10

const fileParts: ReadonlyArray<LongPart> = sources
  .filter(({ path }) => /\.(?:long|machine)\.ts$/.test(path))
  .map(({ path }) => ({
    ...whole(path, fileSeconds[path] ?? shortSeconds, ...mocha(path)),
    env: { WHOLE_RUNS: '1' },
  }))

export const parts: ReadonlyArray<LongPart> = [...commands, ...fileParts]

/** The parts that are not shared, in ten groups of about the same time: the longest first, each to the emptiest group. */
export const groupParts = (all: ReadonlyArray<LongPart>): ReadonlyArray<ReadonlyArray<LongPart>> => {
  const groups = Array.from({ length: tenths }, () => ({ seconds: 0, parts: [] as Array<LongPart> }))
  const single = all.filter(({ isShared }) => !isShared)
  for (const part of single.toSorted((one, other) => other.seconds - one.seconds)) {
    const emptiest = groups.reduce((least, group) => (group.seconds < least.seconds ? group : least))
    emptiest.parts.push(part)
    emptiest.seconds += part.seconds
  }
  return groups.map(group => group.parts)
}

/** The tenth that a commit id chooses. */
export const tenthOf = (commit: string): number => Number.parseInt(commit.slice(0, 8), 16) % tenths

/** A part with the share of it that a run takes; null for the whole of it. */
export interface ChosenPart {
  readonly part: LongPart
  readonly share: number | null
}

/** What a tenth runs: its group of single parts, and its share of every other. */
export const partsOfTenth = (all: ReadonlyArray<LongPart>, tenth: number): ReadonlyArray<ChosenPart> => [
  ...all.filter(({ isShared }) => isShared).map(part => ({ part, share: tenth })),
  ...(groupParts(all)[tenth] ?? []).map(part => ({ part, share: null })),
]

import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId, RepoPath } from '#protocol/atoms.js'
import { makeLandingTurns } from '#src/adapters/landing/advance-branch.js'
import type {
  Draft,
  DraftBatch,
  Landed,
  Landing,
  LandingFailure,
  LandingSession,
  Recovered,
  TouchedFile,
} from '#src/ports/landing.js'
import type { Objects, SimCommit } from './objects.js'
import type { SimRepository } from './sim-repository.js'
import type { Mark } from './trace.js'
import type { Life, Weather } from './weather.js'

export interface LandingParts {
  readonly life: Life
  readonly repository: SimRepository
  readonly objects: Objects
  readonly weather: Weather
  readonly mark: (mark: Mark) => void
  /** Files in which a person is at work at this moment. */
  readonly dirty: () => ReadonlySet<string>
  /** The branch moved, by a write of the gate or to a commit that was there. */
  readonly moved: (by: 'land' | 'advance' | 'replace', from: CommitId, to: CommitId) => void
}

type Outcome = Either<LandingFailure, Landed>

const otherUnderWay: LandingFailure = { _tag: 'Failed', reason: 'another landing is under way' }
const full = { _tag: 'Disk', reason: 'no space left on device' } as const
const nothing: Recovered = { landed: [], lost: [], left: [] }

const withDraft = (files: ReadonlyMap<string, string>, { after }: Draft): ReadonlyMap<string, string> => {
  const next = new Map(files)
  for (const [path, bytes] of after) {
    if (bytes === null) next.delete(path)
    else next.set(path, bytes.toString('utf8'))
  }
  return next
}

const findDiffering = (from: SimCommit, to: SimCommit): ReadonlyArray<string> =>
  [...to.files.keys()].filter(path => from.files.get(path) !== to.files.get(path))

/** The contract of `Landing` over a repository of values: one at a time, each step durable before the next. */
export const simLanding = (parts: LandingParts): Landing => {
  const { life, repository, objects, weather, dirty, mark, moved } = parts
  const turns = makeLandingTurns()
  const isFull = (): boolean => {
    const is = weather.refuses(life.host)
    if (is) mark('the disk refused a landing')
    return is
  }
  const hasMoved = (from: CommitId): boolean => {
    const has = repository.head !== from
    if (has) mark('the branch moved under a landing')
    return has
  }
  const recover = async (): Promise<Either<LandingFailure, Recovered>> => {
    await weather.step(life, 'recover')
    for (const owed of repository.owed.values()) owed.isOpen = false
    return weather.refuses(life.host) ? left(full) : right(nothing)
  }
  /** Objects, intents, then the branch by compare-and-swap, as the real landing does. */
  const swap = async (
    by: 'land' | 'advance' | 'replace',
    from: CommitId,
    to: CommitId,
    superseded: AbortSignal,
    publish?: DraftBatch['publish'],
  ): Promise<LandingFailure | null> => {
    await weather.step(life, 'objects')
    if (isFull()) return full
    await weather.step(life, 'intents')
    if (isFull()) return full
    if (superseded.aborted) {
      mark('a restarted gate stopped its landing')
      return { _tag: 'Failed', reason: 'superseded' }
    }
    const pushed = (await publish?.(to)) ?? null
    if (pushed !== null && pushed._tag !== 'Pushed')
      return { _tag: 'Unpublished', commit: to, pushed, reason: pushed._tag }
    if (hasMoved(from)) {
      const pushedAlone = { _tag: 'Unknown', detail: 'the branch moved' } as const
      return pushed === null
        ? { _tag: 'Moved' }
        : { _tag: 'Unpublished', commit: to, pushed: pushedAlone, reason: 'the branch moved' }
    }
    repository.head = to
    moved(by, from, to)
    await weather.step(life, 'work tree')
    await weather.step(life, 'settled')
    return null
  }
  const landed = async (
    from: CommitId,
    commits: ReadonlyArray<CommitId>,
    to: CommitId,
    superseded: AbortSignal,
    publish: DraftBatch['publish'],
  ): Promise<Outcome> => {
    const failure = await swap('land', from, to, superseded, publish)
    return failure === null ? right({ commits, left: [] }) : left(failure)
  }
  const dirtyAmong = (files: ReadonlyArray<TouchedFile>): ReadonlySet<RepoPath> => {
    const hands = dirty()
    return new Set(files.map(({ path }) => path).filter(path => hands.has(path)))
  }
  /** The commits of the drafts, which nothing points at yet. */
  const chainOf = (base: CommitId, drafts: ReadonlyArray<Draft>): ReadonlyArray<CommitId> => {
    const commits: Array<CommitId> = []
    let tip = base
    for (const draft of drafts) {
      const files = withDraft(objects.get(tip).files, draft)
      tip = objects.make({ parents: [tip], files, message: draft.message }).id
      commits.push(tip)
    }
    return commits
  }
  const sessionOn = (base: CommitId, superseded: AbortSignal, close: () => void): LandingSession => ({
    inspect: files => {
      const busy = dirtyAmong(files)
      if (busy.size > 0) mark('a person was at work in a file')
      return Promise.resolve(right(busy))
    },
    commit: async ({ drafts, publish }) => {
      const commits = chainOf(base, drafts)
      const tip = commits.at(-1)
      if (tip === undefined) return right({ commits, left: [] })
      for (const [at, { intent, notices = [] }] of drafts.entries())
        if (notices.length > 0)
          repository.owed.set(intent, {
            commit: commits[at] ?? tip,
            keys: notices.map(({ operation, key }) => `${operation} ${key}`),
            isOpen: true,
          })
      const outcome = await landed(base, commits, tip, superseded, publish)
      for (const { intent } of drafts) {
        const owed = repository.owed.get(intent)
        if (owed !== undefined) owed.isOpen = false
      }
      return outcome
    },
    close: () => Promise.resolve(close()),
  })
  const between = async <A>(work: () => Promise<A>): Promise<A> => {
    let end = turns.begin()
    while (end === null) {
      await turns.ended()
      end = turns.begin()
    }
    return work().finally(end)
  }
  return {
    open: async (base, superseded) => {
      const end = superseded.aborted ? null : turns.begin()
      if (end === null) return left(otherUnderWay)
      await weather.step(life, 'lock')
      const failure = isFull() ? full : base === null || hasMoved(base) ? ({ _tag: 'Moved' } as const) : null
      if (failure === null && base !== null) return right(sessionOn(base, superseded, end))
      end()
      return left(failure ?? { _tag: 'Moved' })
    },
    advance: async ({ from, to, replaces }, superseded) => {
      const end = superseded.aborted ? null : turns.begin()
      if (end === null) return left(otherUnderWay)
      try {
        await weather.step(life, 'lock')
        if (hasMoved(from)) return left({ _tag: 'Moved' })
        const hands = dirty()
        const files = findDiffering(objects.get(from), objects.get(to)).filter(path => hands.has(path))
        if (files.length > 0) return left({ _tag: 'Dirty', files })
        const failure = await swap(replaces === true ? 'replace' : 'advance', from, to, superseded)
        return failure === null ? right({ commits: [], left: [] }) : left(failure)
      } finally {
        end()
      }
    },
    look: (base, files) => {
      if (turns.isBusy()) return Promise.resolve(left({ _tag: 'Busy' }))
      return Promise.resolve(repository.head === base ? right(dirtyAmong(files)) : left({ _tag: 'Moved' }))
    },
    ended: turns.ended,
    recover: () => between(recover),
    stands: () => Promise.resolve(true),
    prove: () =>
      between(async () => {
        await weather.step(life, 'prove')
        return weather.refuses(life.host) ? full.reason : null
      }),
  }
}

import { type Either, left, right } from 'fp-ts/lib/Either.js'
import type { CommitId } from '#protocol/atoms/commit.js'
import type { Draft, Landed, Landing, LandingFailure, Recovered } from '#src/ports/git/landing.js'
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
  readonly moved: (by: 'land' | 'advance', from: CommitId, to: CommitId) => void
}

type Outcome = Either<LandingFailure, Landed>

const fail = (failure: LandingFailure): Outcome => left(failure)
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

const differing = (from: SimCommit, to: SimCommit): ReadonlyArray<string> =>
  [...to.files.keys()].filter(path => from.files.get(path) !== to.files.get(path))

/** The contract of `Landing` over a repository of values: one at a time, each step durable before the next. */
export const simLanding = (parts: LandingParts): Landing => {
  const { life, repository, objects, weather, dirty, mark, moved } = parts
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const mine = last.then(work, work)
    last = mine
    return mine
  }
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
    return weather.refuses(life.host) ? left(full) : right(nothing)
  }
  /** Objects, intents, then the branch by compare-and-swap, as the real landing does. */
  const swap = async (
    by: 'land' | 'advance',
    from: CommitId,
    to: CommitId,
    superseded: AbortSignal,
  ): Promise<LandingFailure | null> => {
    await weather.step(life, 'objects')
    if (isFull()) return full
    await weather.step(life, 'intents')
    if (isFull()) return full
    if (superseded.aborted) {
      mark('a restarted gate stopped its landing')
      return { _tag: 'Failed', reason: 'superseded' }
    }
    if (hasMoved(from)) return { _tag: 'Moved' }
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
  ): Promise<Outcome> => {
    const failure = await swap(commits.length > 0 ? 'land' : 'advance', from, to, superseded)
    return failure === null ? right({ commits, left: [] }) : fail(failure)
  }
  return {
    land: (batch, superseded) =>
      inTurn(async () => {
        await weather.step(life, 'lock')
        if (isFull()) return fail(full)
        const { base } = batch
        if (base === null || hasMoved(base)) return fail({ _tag: 'Moved' })
        const hands = dirty()
        const busy = batch.files.filter(({ path }) => hands.has(path)).map(({ path }) => path)
        if (busy.length > 0) mark('a person was at work in a file')
        const commits: Array<CommitId> = []
        let tip = base
        for (const draft of batch.compose(new Set(busy))) {
          const files = withDraft(objects.get(tip).files, draft)
          tip = objects.make({ parents: [tip], files, message: draft.message }).id
          commits.push(tip)
        }
        return commits.length === 0 ? right({ commits, left: [] }) : landed(base, commits, tip, superseded)
      }),
    advance: ({ from, to }, superseded) =>
      inTurn(async () => {
        await weather.step(life, 'lock')
        if (hasMoved(from)) return fail({ _tag: 'Moved' })
        const hands = dirty()
        const files = differing(objects.get(from), objects.get(to)).filter(path => hands.has(path))
        return files.length > 0 ? fail({ _tag: 'Dirty', files }) : landed(from, [], to, superseded)
      }),
    between: work =>
      inTurn(() =>
        work((_, files) => {
          const hands = dirty()
          return Promise.resolve(
            right(new Set(files.map(({ path }) => path).filter(path => hands.has(path)))),
          )
        }),
      ),
    recover: () => inTurn(recover),
    stands: () => Promise.resolve(true),
    prove: () =>
      inTurn(async () => {
        await weather.step(life, 'prove')
        return weather.refuses(life.host) ? full.reason : null
      }),
  }
}

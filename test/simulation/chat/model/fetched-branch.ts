import { isLeft } from 'fp-ts/lib/Either.js'
import { CommitId } from '#protocol/atoms.js'
import type { FindEffectPorts } from '#src/node/chat/chat.js'
import type { Life, Weather } from '#test/simulation/node/weather.js'
import type { KeyedBranch } from './keyed-branch.js'

export interface FetchParts {
  readonly branch: KeyedBranch
  readonly weather: Weather
  readonly life: Life
  readonly sleep: (ms: number) => Promise<void>
}

/** The branch as one process has it: at the version of its last fetch. */
export interface FetchedBranch extends FindEffectPorts {
  readonly version: () => number
}

/** What a dead process waits for. */
const never = (): Promise<never> => new Promise(() => undefined)

const commitOf = (version: number): CommitId => {
  const commit = CommitId.decode(version.toString(16).padStart(40, '0'))
  if (isLeft(commit)) throw new Error(`version ${version} has no commit`)
  return commit.right
}

const versionOf = (commit: CommitId): number => Number.parseInt(commit, 16)

/** The fetches of one process. The remote may be away, and the process may end while it fetches. */
export const openFetchedBranch = ({ branch, weather, life, sleep }: FetchParts): FetchedBranch => {
  let fetched = branch.version()
  return {
    version: () => fetched,
    fetch: async () => {
      await sleep(weather.between(10, 400))
      if (weather.strike(life, 'fetch')) return never()
      if (weather.isCut(life.host)) return 'the remote is away'
      fetched = branch.version()
      return null
    },
    log: {
      tip: () => Promise.resolve({ _tag: 'Fetched', commit: commitOf(fetched) }),
      keyedCommits: (tip, since) =>
        Promise.resolve(
          branch
            .pushed(since === null ? 0 : versionOf(since), versionOf(tip))
            .map(({ version, key }) => ({ commit: commitOf(version), keys: [key] })),
        ),
    },
  }
}

import { join } from 'node:path'
import { type ActionPorts, performAction } from '#actors/fleet/takeover-actuator.js'
import type { TakeoverJob } from '#protocol/fleet/takeover.js'
import { takeoverGit } from '#src/adapters/sync/remote/takeover-git.js'
import { advanceTakeover, beginTakeover, type EarlierAttempt } from '#src/domain/fleet/takeover.js'
import { actionOf, type TakeoverAction, type TakeoverEnd } from '#src/domain/fleet/takeover-run.js'
import type { TakeoverGit } from '#src/ports/git.js'
import { openPerson } from '../person.js'
import { cloneOf, gitIn, temporaryFolder } from '../repository.js'
import { type ForgeDouble, type ForgeDoubleOptions, forgeDouble } from './forge-double.js'
import { portOfDouble } from './forge-world.js'

const townAt = (eligible = true) => ({ url: 'http://127.0.0.1:1/v1/api', eligible })

/** A file of the fleet with an unknown key, and with spaces that a flip does not keep. */
export const fleetTextOf = (apex: string, term: number): string =>
  `${JSON.stringify({ apex, term, towns: { Erathia: townAt(), Deyja: townAt(), Bracada: townAt() }, note: 'kept' })}\n`

/** A host of the fleet: a clone whose remote is the repository of the double. */
export interface TakeoverHost {
  readonly town: string
  /** The path of the clone. */
  readonly repo: string
  readonly git: TakeoverGit
  readonly ports: ActionPorts
}

export interface TakeoverWorld {
  readonly double: ForgeDouble
  readonly bare: string
  readonly host: (town: string, ports?: Partial<ActionPorts>) => TakeoverHost
  /** A job of the topology as it is on `main` now. */
  readonly job: (town: string, changes?: Partial<TakeoverJob>) => TakeoverJob
  /** Commits a file on `main` as a person does. */
  readonly commit: (files: Readonly<Record<string, string>>) => string
  readonly file: () => unknown
  /** Commits of `main` that changed the file of the fleet, merges and the first one left out. */
  readonly flips: () => number
  readonly requestStates: () => ReadonlyArray<string>
  readonly dispose: () => Promise<void>
}

/** A forge double over a repository whose apex is Erathia, with the term 3. */
export const takeoverWorld = async (options: Partial<ForgeDoubleOptions> = {}): Promise<TakeoverWorld> => {
  const folder = temporaryFolder()
  const bare = join(folder.path, 'lore.git')
  const double = await forgeDouble({ ...options, repository: bare })
  const person = openPerson(bare, { '.svc/fleet.json': fleetTextOf('Erathia', 3), 'Lore.md': '# Lore\n' })
  let hosts = 0
  const read = (): string => gitIn(bare, 'show', 'main:.svc/fleet.json')
  const apexNow = (): string => (JSON.parse(read()) as { apex: string }).apex
  return {
    double,
    bare,
    host: (town, ports = {}) => {
      hosts += 1
      const repo = join(folder.path, `host-${hosts}`)
      cloneOf(bare, repo)
      const git = takeoverGit({
        repo,
        state: join(repo, '.git'),
        remote: 'origin',
        branch: '',
        town,
        breathe: () => Promise.resolve(),
      })
      return {
        town,
        repo,
        git,
        ports: {
          git,
          forge: portOfDouble(double),
          candidates: () => ['Deyja', 'Bracada'],
          askCooldown: () => Promise.resolve('over'),
          probeTown: asked => Promise.resolve(asked === apexNow() ? 'silent' : 'answers'),
          converge: () => Promise.resolve(),
          ...ports,
        },
      }
    },
    job: (town, changes = {}) => {
      const { apex, term } = JSON.parse(read()) as { apex: string; term: number }
      return {
        id: `${town}-${term}`,
        town,
        reason: 'The apex is dark.',
        isForced: false,
        apex,
        term,
        fence: {
          commit: gitIn(bare, 'rev-list', '-1', 'main', '--', '.svc/fleet.json'),
          blob: gitIn(bare, 'rev-parse', 'main:.svc/fleet.json'),
        },
        evidence: '3 probes of Erathia in a row failed.',
        ...changes,
      }
    },
    commit: files => person.publish(files),
    file: () => {
      const file: unknown = JSON.parse(read())
      return file
    },
    flips: () =>
      Number(gitIn(bare, 'rev-list', '--no-merges', '--count', 'main', '--', '.svc/fleet.json')) - 1,
    requestStates: () => double.requests().map(({ state }) => state),
    dispose: async () => {
      await double.close()
      person.dispose()
      folder.dispose()
    },
  }
}

/** Runs a job to its end. Its waits are a thousandth as long; its clock counts them whole. */
export const runTakeover = async (
  { town, ports }: TakeoverHost,
  job: TakeoverJob,
  {
    earlier = null,
    before = () => Promise.resolve(),
  }: {
    readonly earlier?: EarlierAttempt | null
    /** Called before each action with the time on the clock of the job; a rejection ends the run, as a kill does. */
    readonly before?: (action: TakeoverAction, atMs: number) => Promise<void>
  } = {},
): Promise<TakeoverEnd> => {
  let monotonicMs = 0
  let step = beginTakeover(job, town, earlier, { monotonicMs })
  while (step._tag === 'Do') {
    const { afterMs, run } = step
    await new Promise(resolve => setTimeout(resolve, afterMs / 1_000))
    monotonicMs += afterMs
    await before(actionOf(run), monotonicMs)
    const outcome = await performAction(ports, actionOf(run), new AbortController().signal)
    step = advanceTakeover(run, outcome, { monotonicMs })
  }
  return step.end
}

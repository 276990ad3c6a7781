import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { forgeHttp } from '#src/adapters/outbound/forge-http.js'
import {
  advanceRequestMerge,
  beginRequestMerge,
  type RequestMergeEnd,
  type RequestMergeGoal,
} from '#src/domain/forge/merge-request.js'
import { projectAddress } from '#src/domain/forge/wire.js'
import type { ForgePort } from '#src/ports/fleet.js'
import { secretOf } from '#src/ports/identity.js'
import { gitIn, repositoryOf, temporaryFolder, testGitEnvironment } from '../repository.js'
import { type ForgeDouble, type ForgeDoubleOptions, forgeDouble } from './forge-double.js'

const execute = promisify(execFile)

/** Git as a child that leaves the event loop free: the double in this process answers it. */
export const gitBeside = async (cwd: string, ...args: ReadonlyArray<string>): Promise<string> =>
  (
    await execute('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd,
      env: testGitEnvironment,
    })
  ).stdout.trim()

export const portOfDouble = (
  { apiUrl, project, token }: Pick<ForgeDouble, 'apiUrl' | 'project' | 'token'>,
  used = token,
): ForgePort => {
  const address = projectAddress(apiUrl, project)
  if (typeof address !== 'string') throw new Error(`the double has a bad ${address.bad}`)
  return forgeHttp({ address, token: secretOf(used), userAgent: 'Kronika (self-hosted, 0)', nowMs: Date.now })
}

/** A forge double with a branch `main` and a branch `claim` that is one commit ahead. */
export interface ForgeWorld {
  readonly double: ForgeDouble
  readonly port: ForgePort
  readonly bare: string
  /** The clone from which both branches were pushed; its remote `origin` is the double. */
  readonly clone: string
  /** The tip of `claim`. */
  readonly sha: string
  readonly dispose: () => Promise<void>
}

export const claimBranch = 'fleet/takeover/2-0123456789ab'

export const forgeWorld = async (options: Partial<ForgeDoubleOptions> = {}): Promise<ForgeWorld> => {
  const folder = temporaryFolder()
  const bare = join(folder.path, 'lore.git')
  const double = await forgeDouble({ ...options, repository: bare })
  const origin = repositoryOf({ '.svc/fleet.json': '{"term": 1}\n' })
  origin.git('switch', '-q', '-c', claimBranch)
  const sha = origin.commit({ '.svc/fleet.json': '{"term": 2}\n' })
  origin.git('push', '-q', bare, 'main', claimBranch)
  origin.git('remote', 'add', 'origin', double.remote)
  return {
    double,
    port: portOfDouble(double),
    bare,
    clone: origin.path,
    sha,
    dispose: async () => {
      await double.close()
      origin.dispose()
      folder.dispose()
    },
  }
}

export const goalOf = ({ sha }: Pick<ForgeWorld, 'sha'>): RequestMergeGoal => ({
  sourceBranch: claimBranch,
  targetBranch: 'main',
  sha,
  title: 'Fleet: Deyja takes over from Erathia',
  description: 'Erathia is dark.',
  version: 'one',
  deadlineAtMs: 600_000,
})

/** Merges through the port. Its waits are a hundredth as long; its clock counts them whole. */
export const mergeOver = async (
  port: ForgePort,
  goal: RequestMergeGoal,
  timeoutMs = 60_000,
): Promise<RequestMergeEnd> => {
  let monotonicMs = 0
  let step = beginRequestMerge(goal, { monotonicMs })
  while (step._tag === 'Call') {
    const { afterMs, merge } = step
    await new Promise(resolve => setTimeout(resolve, afterMs / 100))
    monotonicMs += afterMs
    const { outcome } = await port(merge.call, timeoutMs, new AbortController().signal)
    step = advanceRequestMerge(merge, outcome, { monotonicMs })
  }
  return step.end
}

export const fileOnMain = ({ bare }: Pick<ForgeWorld, 'bare'>): string =>
  gitIn(bare, 'show', 'main:.svc/fleet.json')

import { redactAddress, redactAddressIn } from '#src/domain/redaction/scrub.js'
import type { RemoteFailure } from '#src/ports/git.js'
import { type SyncGitResult, syncGit } from '../sync-git.js'
import { isRemoteName, type Transport, transportOf } from './remote-address.js'
import { failStep, type RemoteContext, readNear, runNear } from './remote-context.js'
import { configQueryArgs, transientEnvironment } from './transient-remote.js'

/** How the remote is reached. The environment may carry a secret (S34). */
export interface Way {
  readonly _tag: 'Way'
  /** With its credentials. */
  readonly address: string
  readonly env: Readonly<Record<string, string>>
  readonly transport: Transport
  /** Removes the credentials from git's output (S34). */
  readonly shown: (text: string) => string
}

/** The configured URL, with its credentials; null where there is no such remote. */
export const findAddress = async (context: RemoteContext, use: 'fetch' | 'push'): Promise<string | null> => {
  const { remote } = context.options
  if (!isRemoteName(remote)) return null
  return readNear(context, ['remote', 'get-url', ...(use === 'push' ? ['--push'] : []), remote])
}

/** How to reach the remote; a failure where there is none, or its transport is not allowed. */
export const findWay = async (
  context: RemoteContext,
  use: 'fetch' | 'push',
): Promise<Way | RemoteFailure> => {
  const { remote } = context.options
  const named = await findAddress(context, use)
  if (named === null)
    return failStep(
      'unreachable',
      `There is no git remote ${remote}. Add it with \`git remote add ${remote} URL\`.`,
    )
  const transport = transportOf(named)
  if (transport === null)
    return failStep(
      'transport_refused',
      `${redactAddress(named)} is not a file, ssh or https address, nor http of this machine.`,
    )
  const settings = (await runNear(context, configQueryArgs(remote))).stdout.toString('utf8')
  const env = transientEnvironment(named, settings)
  return { _tag: 'Way', address: named, env, transport, shown: redactAddressIn(named) }
}

/** Runs a git that contacts the remote. */
export const runFar = (
  { options, limitsMs }: RemoteContext,
  args: ReadonlyArray<string>,
  { transport, env, shown }: Way,
  signal: AbortSignal,
): Promise<SyncGitResult> =>
  syncGit(args, { cwd: options.repo, signal, limitMs: limitsMs.far, transport, env, shown })

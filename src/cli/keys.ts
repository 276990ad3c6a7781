import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Output } from './output.js'

export interface RotateOptions {
  readonly repo: string
  readonly state?: string
  readonly town: string
  readonly raiseEpoch: boolean
  readonly json: boolean
}

/** What is published now. `commit` is null where nothing had to change. */
export interface RotatedKeys {
  readonly kid: string
  readonly town: string
  readonly epoch: number
  readonly keys: ReadonlyArray<{
    readonly kid: string
    readonly town: string
    readonly notAfter: string | null
  }>
  readonly commit: string | null
  /** Where the private half lies; never the key itself. */
  readonly privateKey: string
  /** Index or work tree could not be brought to the commit. */
  readonly behind: boolean
}

export interface KeysCommands {
  readonly rotate: (options: RotateOptions) => Promise<ExitCode>
}

type Rotate = (
  options: RotateOptions,
) => Promise<Either<{ readonly code: ExitCode; readonly reason: string }, RotatedKeys>>

const short = (commit: string): string => commit.slice(0, 12)

const told = ({ kid, epoch, town, keys, commit, privateKey, behind }: RotatedKeys): ReadonlyArray<string> => [
  commit === null
    ? `${kid} is published already, epoch ${epoch}: nothing to change`
    : `published ${kid}, epoch ${epoch}, in commit ${short(commit)}`,
  `private key: ${privateKey}`,
  ...keys
    .filter(key => key.town === town && key.notAfter !== null)
    .map(key => `${key.kid} is good until ${key.notAfter ?? ''}`),
  ...(behind ? ['the checkout is behind its commit: run `git checkout -- .svc/fleet-keys.json`'] : []),
  ...(commit === null ? [] : ['other hosts take it with their next converge: POST /sync, or wait']),
]

/** Rotates and says what is published now; of the private key only where it lies. */
export const keysCommands = (rotate: Rotate, output: Output): KeysCommands => ({
  rotate: async options => {
    const outcome = await rotate(options)
    if (isLeft(outcome)) {
      output.err(`kronika keys rotate: ${outcome.left.reason}`)
      return outcome.left.code
    }
    if (options.json) output.out(JSON.stringify(outcome.right, null, 2))
    else for (const line of told(outcome.right)) output.out(line)
    return exitCodes.ok
  },
})

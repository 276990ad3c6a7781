import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { escapeControlsByLine, printedJson } from './escape-controls.js'
import { type KeysList, type KeysListOptions, keysTable } from './keys-list.js'
import type { Output } from './output.js'

export interface RevokeOptions {
  readonly repo: string
  readonly town: string
  readonly json: boolean
}

export interface RotateOptions extends RevokeOptions {
  readonly state?: string
  readonly raiseEpoch: boolean
}

export interface RotatedKeys extends PublishedKeys {
  readonly kid: string
  /** Where the private half is stored; never the key itself. */
  readonly privateKey: string
}

export interface RevokedKeys extends PublishedKeys {
  /** Names of the keys that are no longer published. */
  readonly revoked: ReadonlyArray<string>
}

export interface KeysCommands {
  readonly list: (options: KeysListOptions) => Promise<ExitCode>
  readonly rotate: (options: RotateOptions) => Promise<ExitCode>
  readonly revoke: (options: RevokeOptions) => Promise<ExitCode>
}

/** The implementations of the commands; `commands.ts` provides them. */
export interface KeysWork {
  readonly list: (options: KeysListOptions) => Done<KeysList>
  readonly rotate: (options: RotateOptions) => Done<RotatedKeys>
  readonly revoke: (options: RevokeOptions) => Done<RevokedKeys>
}

/**
 * Lists, rotates or revokes keys and prints what is published; of the private key, only where it is stored.
 */
export const keysCommands = ({ list, rotate, revoke }: KeysWork, output: Output): KeysCommands => {
  const done = async <A>(
    verb: string,
    work: Done<A>,
    json: boolean,
    told: (answer: A) => ReadonlyArray<string>,
  ): Promise<ExitCode> => {
    const outcome = await work
    if (isLeft(outcome)) {
      output.err(escapeControlsByLine(`kronika keys ${verb}: ${outcome.left.reason}`))
      return outcome.left.code
    }
    if (json) output.out(printedJson(outcome.right))
    else for (const line of told(outcome.right)) output.out(escapeControlsByLine(line))
    return exitCodes.ok
  }
  const toldListed = (listed: KeysList): ReadonlyArray<string> => {
    const { privateKey, unreadable } = listed
    if (unreadable !== null)
      output.err(
        escapeControlsByLine(
          `kronika keys list: ${privateKey}: ${unreadable}. Which private halves are here cannot be told: run it as ` +
            'the user that serves the checkout, with the same environment.',
        ),
      )
    return keysTable(listed)
  }
  return {
    list: options => done('list', list(options), options.json, toldListed),
    rotate: options => done('rotate', rotate(options), options.json, describeRotation),
    revoke: options => done('revoke', revoke(options), options.json, describeRevocation),
  }
}

/** The keys that are published now. `commit` is null where nothing had to change. */
interface PublishedKeys {
  readonly town: string
  readonly epoch: number
  readonly keys: ReadonlyArray<{
    readonly kid: string
    readonly town: string
    readonly notAfter: string | null
  }>
  readonly commit: string | null
  /** Whether index or work tree could not be updated to the commit. */
  readonly behind: boolean
}

type Done<A> = Promise<Either<{ readonly code: ExitCode; readonly reason: string }, A>>

const short = (commit: string): string => commit.slice(0, 12)

const onceTheyHaveIt =
  'other hosts accept it once the commit is published and they converge (POST /sync publishes; where ' +
  'server.publish_mode is none, push it yourself)'

const onOtherHosts = ({ commit, behind }: PublishedKeys): ReadonlyArray<string> => [
  ...(behind ? ['the checkout is behind its commit: run `git checkout -- .svc/fleet-keys.json`'] : []),
  ...(commit === null ? [] : [onceTheyHaveIt]),
]

const describeRotation = (rotated: RotatedKeys): ReadonlyArray<string> => {
  const { kid, epoch, town, keys, commit, privateKey } = rotated
  return [
    commit === null
      ? `${kid} is published already, epoch ${epoch}: nothing to change`
      : `published ${kid}, epoch ${epoch}, in commit ${short(commit)}`,
    `private key: ${privateKey}`,
    ...keys
      .filter(key => key.town === town && key.notAfter !== null)
      .map(key => `${key.kid} is valid until ${key.notAfter ?? ''}`),
    ...onOtherHosts(rotated),
  ]
}

const describeRevocation = (revoked: RevokedKeys): ReadonlyArray<string> => [
  `revoked ${revoked.revoked.join(', ')} of ${revoked.town}, in commit ${short(revoked.commit ?? '')}`,
  ...onOtherHosts(revoked),
]

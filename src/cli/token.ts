import type { Either } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import {
  type NamedTokenList,
  type NamedTokenMinted,
  type NamedTokenRevoked,
  NamedTokenWish,
  tokenNameCharsMax,
} from '#protocol/identity/sign-in.js'
import type { TokenMintOptions, TokenOptions, TokenRevokeOptions } from './options.js'
import { formatColumns, type Output } from './output.js'
import { type CommandRefusal, printAnswer } from './print-answer.js'

/**
 * Manages the named tokens of a host: through its running daemon, or in its runtime database while none runs.
 */
export interface TokenAdmin {
  readonly mint: (wish: NamedTokenWish) => Asked<NamedTokenMinted>
  readonly list: () => Asked<NamedTokenList>
  readonly revoke: (id: string) => Asked<NamedTokenRevoked>
}

/** Opens the named tokens of a checkout for the duration of the work. Returns its own exit code where that fails. */
export type WithTokens = (
  options: TokenOptions,
  work: (tokens: TokenAdmin) => Promise<ExitCode>,
) => Promise<ExitCode>

/** The shell command that revokes a token, with the options as they were given. */
export type RevokeCommand = (options: TokenOptions, id: string) => string

export interface TokenCommands {
  readonly mint: (options: TokenMintOptions) => Promise<ExitCode>
  readonly list: (options: TokenOptions) => Promise<ExitCode>
  readonly revoke: (options: TokenRevokeOptions) => Promise<ExitCode>
}

/** `kronika token mint|list|revoke`: named tokens for operators. A refusal exits with 65. */
export const tokenCommands = (
  withTokens: WithTokens,
  output: Output,
  revokeCommand: RevokeCommand,
): TokenCommands => ({
  mint: options => {
    const { name, capability, expiresIn } = options
    const wish = { name, capabilities: [...capability], ...(expiresIn === undefined ? {} : { expiresIn }) }
    if (NamedTokenWish.is(wish))
      return withTokens(options, async tokens =>
        printAnswer(await tokens.mint(wish), options, output, showMinted(output, revokeCommand, options)),
      )
    output.err(
      `kronika token mint: a name must have 1 to ${tokenNameCharsMax} characters, no control or invisible ` +
        'character and no space at its ends; there may be 100 capabilities at most.',
    )
    return Promise.resolve(exitCodes.usage)
  },
  list: options =>
    withTokens(options, async tokens => printAnswer(await tokens.list(), options, output, showList(output))),
  revoke: options =>
    withTokens(options, async tokens =>
      printAnswer(await tokens.revoke(options.id), options, output, ({ id, name }) =>
        output.out(`revoked ${id} (${name})`),
      ),
    ),
})

type Asked<A> = Promise<Either<CommandRefusal, A>>

const goodUntil = (expires: string | null): string => `until ${expires ?? 'revoked'}`

/** Prints only the token on stdout, for `$(…)`, and notes for the operator on stderr. */
const showMinted =
  (output: Output, revokeCommand: RevokeCommand, options: TokenOptions) =>
  ({ token, id, name, capabilities, expires }: NamedTokenMinted): void => {
    output.out(token)
    output.err(`minted ${id} (${name}): ${capabilities.join(' ')}; valid on this host ${goodUntil(expires)}`)
    output.err(`The token is not shown again. To revoke it: ${revokeCommand(options, id)}`)
  }

const showList =
  (output: Output) =>
  ({ items }: NamedTokenList): void => {
    const rows = items.map(({ id, name, expires, by, capabilities }) => [
      id,
      name,
      expires ?? 'until revoked',
      by,
      capabilities.join(' '),
    ])
    output.out(
      rows.length === 0
        ? 'no named tokens'
        : formatColumns([['ID', 'NAME', 'EXPIRES', 'MINTED BY', 'CAPABILITIES'], ...rows]),
    )
  }

import { basename } from 'node:path'
import { quoteWord } from './quote-word.js'

/**
 * How to call this program from a shell: the installed `kronika`, `npx kronika` in a clone, otherwise node
 * with the script. `npmCommand` is the value of `npm_command`.
 */
export const calledAs = (script: string, npmCommand: string | undefined): string =>
  npmCommand === 'exec'
    ? 'npx kronika'
    : basename(script) === 'kronika'
      ? 'kronika'
      : `node ${quoteWord(script)}`

/** `calledAs` for this process. */
export const calledNow = (): string => calledAs(process.argv[1] ?? 'kronika', process.env['npm_command'])

/** The command that revokes a named token, with the checkout and the state area as they were given. */
export const revokeCommand = (
  { repo, state }: { readonly repo: string; readonly state?: string },
  id: string,
): string =>
  [
    `${calledNow()} token revoke ${quoteWord(id)} --repo ${quoteWord(repo)}`,
    ...(state === undefined ? [] : [`--state ${quoteWord(state)}`]),
  ].join(' ')

import { basename } from 'node:path'
import { quoteWord } from './quote-word.js'

/**
 * How this process was called, to be pasted into a shell: the installed `kronika`, `npx kronika` in a clone, else node
 * with the script. `npmCommand` is what npm says of itself in `npm_command`.
 */
export const calledAs = (script: string, npmCommand: string | undefined): string =>
  npmCommand === 'exec'
    ? 'npx kronika'
    : basename(script) === 'kronika'
      ? 'kronika'
      : `node ${quoteWord(script)}`

/** The same of this process. */
export const calledNow = (): string => calledAs(process.argv[1] ?? 'kronika', process.env['npm_command'])

/** The command that takes a named token back, with the checkout and the state area as they were given. */
export const revokeCommand = (
  { repo, state }: { readonly repo: string; readonly state?: string },
  id: string,
): string =>
  [
    `${calledNow()} token revoke ${quoteWord(id)} --repo ${quoteWord(repo)}`,
    ...(state === undefined ? [] : [`--state ${quoteWord(state)}`]),
  ].join(' ')

import { basename } from 'node:path'
import { quoteWord } from './quote-word.js'

/**
 * How this process was called, to be pasted into a shell: `npx kronika` in a clone; `kronika` where the script, the
 * program that the shell started (such as a wrapper) or the title of the process has that name; else node with the
 * script. `npmCommand` is the value of `npm_command`, `started` that of `_`.
 */
export const commandPrefix = (
  script: string,
  npmCommand: string | undefined,
  { started = '', title = '' }: { readonly started?: string | undefined; readonly title?: string } = {},
): string => {
  if (npmCommand === 'exec') return 'npx kronika'
  const isNamed = [basename(script), basename(started), title].includes('kronika')
  return isNamed ? 'kronika' : `node ${quoteWord(script)}`
}

/** `commandPrefix` for this process. */
export const currentCommandPrefix = (): string =>
  commandPrefix(process.argv[1] ?? 'kronika', process.env['npm_command'], {
    started: process.env['_'],
    title: process.title,
  })

/** The command that revokes a named token, with the checkout and the state area as they were given. */
export const revokeCommand = (
  { repo, state }: { readonly repo: string; readonly state?: string },
  id: string,
): string =>
  [
    `${currentCommandPrefix()} token revoke ${quoteWord(id)} --repo ${quoteWord(repo)}`,
    ...(state === undefined ? [] : [`--state ${quoteWord(state)}`]),
  ].join(' ')

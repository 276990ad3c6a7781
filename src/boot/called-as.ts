import { basename } from 'node:path'

/** A word of a command that is pasted into a shell. */
export const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/**
 * How this process was called, to be pasted into a shell: the installed `kronika`, `npx kronika` in a clone, else node
 * with the script. `npmCommand` is what npm says of itself in `npm_command`.
 */
export const calledAs = (script: string, npmCommand: string | undefined): string =>
  npmCommand === 'exec'
    ? 'npx kronika'
    : basename(script) === 'kronika'
      ? 'kronika'
      : `node ${quoted(script)}`

/** The same of this process. */
export const calledNow = (): string => calledAs(process.argv[1] ?? 'kronika', process.env['npm_command'])

/** The command that takes a named token back, with the checkout and the state area as they were given. */
export const revokeCommand = (
  { repo, state }: { readonly repo: string; readonly state?: string },
  id: string,
): string =>
  [
    `${calledNow()} token revoke ${quoted(id)} --repo ${quoted(repo)}`,
    ...(state === undefined ? [] : [`--state ${quoted(state)}`]),
  ].join(' ')

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { DemoOptions } from '#src/cli/options.js'
import { type Output, quoteWord } from '#src/cli/output.js'
import { progressBar } from '#src/cli/progress.js'
import { writeDemo } from '#src/demo/writer/demo-writer.js'
import { type ReadyLine, serve } from '../start/serve.js'
import { currentCommandPrefix } from './ask-decoded.js'

/** The preferred port of a served demo, so that a pasted line also works after the next start. */
export const demoPort = 4170

/** The command that serves a folder, to paste into a shell. */
export const serveLine = (directory: string, called: string): string =>
  `${called} serve --repo ${quoteWord(directory)}`

/**
 * `kronika demo`: writes the world. With `--serve` it writes the world only where there is none, then serves
 * it.
 */
export const demo =
  (output: Output) =>
  async (options: DemoOptions): Promise<ExitCode> => {
    const directory = resolve(options.directory)
    if (!options.serve || !isWritten(directory)) {
      const code = await write(options, output)
      if (code !== exitCodes.ok || !options.serve) return code
    }
    const { town, port, opsPort, logLevel } = options
    return serve(output, line => output.err(banner(line)))({
      repo: directory,
      town,
      preferredPort: demoPort,
      readerThreads: 1,
      ...(logLevel === undefined ? {} : { logLevel }),
      ...(port === undefined ? {} : { port }),
      ...(opsPort === undefined ? {} : { opsPort }),
    })
  }

const newPlace = '{"name": "Karczma Pod Żubrem", "type": "Lokacja"}'

/**
 * Lines that a new user can paste. The last line previews a write, and makes it when its query is removed.
 * The token is read from its file, so that it does not get into the shell history.
 */
const banner = (line: ReadyLine): string => {
  const token = `-H "Authorization: Bearer $(cat '${join(line.state, 'machine.token')}')"`
  return [
    '',
    'Kronika serves an invented world. In another terminal:',
    '',
    `  curl -s ${line.url}/health`,
    `  curl -s ${token} '${line.url}/entities?type=Lokacja&limit=3'`,
    `  curl -s ${token} '${line.url}/sessions/summary?limit=2'`,
    `  curl -s ${token} -H 'Content-Type: application/json' '${line.url}/entities?dryRun=true' -d '${newPlace}'`,
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}

const describeDemo = ({
  directory,
  commits,
}: {
  readonly directory: string
  readonly commits: number
}): string => {
  return `${directory}: ${commits} commits; serve it with:\n${serveLine(directory, currentCommandPrefix())}`
}

const isWritten = (directory: string): boolean => existsSync(join(directory, '.svc/format.json'))

const write = async (options: DemoOptions, output: Output): Promise<ExitCode> => {
  const bar = progressBar('Writing the demo world', process.stderr)
  const { seed, scale } = options
  const written = await writeDemo(
    options.directory,
    { seed, ...(scale === undefined ? {} : { scale }) },
    bar.at,
  )
  if (isLeft(written)) {
    output.err(`kronika demo: ${written.left.reason}.`)
    return written.left.code
  }
  bar.done(`${written.right.commits} commits in ${written.right.directory}`)
  if (!options.serve) output.out(describeDemo(written.right))
  return exitCodes.ok
}

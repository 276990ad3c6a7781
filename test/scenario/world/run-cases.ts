import { parseArgs } from 'node:util'
import { openStory, type Story } from './story.js'

export type Print = (text: string) => void

/** One case of a scenario, in a world of its own. */
export interface ScenarioCase {
  readonly name: string
  /** What it shows, in a sentence. */
  readonly about: string
  /** What belongs to the case and cannot be shown by this build. */
  readonly notShown?: string
  /** Plays the case; rejects where a claim does not hold. */
  readonly play: (story: Story, print: Print) => Promise<void>
}

const usageExit = 64

const helpOf = (command: string, cases: ReadonlyArray<ScenarioCase>): string =>
  [
    `npm run ${command} [-- --case NAME …]`,
    '',
    ...cases.flatMap(({ name, about, notShown }) => [
      `  ${name.padEnd(20)} ${about}`,
      ...(notShown === undefined ? [] : [`  ${' '.repeat(20)} not shown: ${notShown}`]),
    ]),
    '',
  ].join('\n')

/**
 * Plays the cases that the arguments of the process name, or all of them, and prints what happened where, with the seconds
 * since the fault. The process leaves with 0 where every claim was checked and held, with 1 at the first that did not,
 * with 64 for an unknown case or flag.
 */
export const runCases = async (command: string, cases: ReadonlyArray<ScenarioCase>): Promise<void> => {
  const print: Print = text => void process.stdout.write(text)
  const leave = (reason: string): never => {
    process.stderr.write(`${command}: ${reason}\n\n${helpOf(command, cases)}`)
    process.exit(usageExit)
  }
  const readNames = (): ReadonlyArray<string> => {
    const options = {
      case: { type: 'string', multiple: true, default: new Array<string>() },
      help: { type: 'boolean', default: false },
    } as const
    try {
      const { values } = parseArgs({ options })
      if (!values.help) return values.case
    } catch (error) {
      return leave(error instanceof Error ? error.message : String(error))
    }
    print(helpOf(command, cases))
    return process.exit(0)
  }
  const names = readNames()
  const unknown = names.filter(name => cases.every(one => one.name !== name))
  if (unknown.length > 0) leave(`no case ${unknown.join(', ')}`)

  const chosen = cases.filter(({ name }) => names.length === 0 || names.includes(name))
  const story = openStory(print, Date.now)
  const beganMs = Date.now()
  try {
    for (const { name, about, play } of chosen) {
      story.title(`${name}: ${about}`)
      story.countFromNow()
      await play(story, print)
    }
    const seconds = Math.round((Date.now() - beganMs) / 1_000)
    print(`\n${chosen.length} cases, ${story.claims()} claims checked and held, ${seconds} s\n`)
  } catch (error) {
    print(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exitCode = 1
  }
}

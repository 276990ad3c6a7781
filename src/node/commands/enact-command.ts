import { type Either, isLeft, map, right } from 'fp-ts/lib/Either.js'
import { InteractionId } from '#protocol/chat/dispatch.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Config } from '#protocol/host/config.js'
import { awardRoutes } from '#protocol/lore/points.js'
import { lastStateArea } from '#src/adapters/state/state-record.js'
import {
  type AnswerPlayer,
  printEnactment,
  type ShowEnactment,
  showAward,
  showByChat,
} from '#src/cli/enact.js'
import type { EnactAwardOptions, EnactOptions } from '#src/cli/options.js'
import type { Output } from '#src/cli/output.js'
import { readKind, usableValues } from '#src/domain/dispatch/check-dispatch.js'
import { civilDay, monthBefore } from '#src/domain/lore/rows/days.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { TreeSource } from '#src/ports/git.js'
import type { Command } from '#src/writing/command.js'
import { answerRefused, commandByVars, type EnactedKind } from '../chat/enactor.js'
import { sendAlone } from '../chat/send-alone.js'
import { enactAlone, noMeter, previewAlone } from '../gate/enact-alone.js'
import { readSecrets } from '../identity/secrets.js'
import { type Checkout, holdCheckout, openSource, type Stop, tellLost } from '../start/checkout.js'
import { viewTrust } from '../start/host-trust.js'
import { closeTrees, loadPorts, readCommittedConfig } from '../tree/corpus.js'

/** `kronika enact award`: the batch of a month, made on a clone that no daemon serves. */
export const enactAward =
  (output: Output) =>
  (options: EnactAwardOptions): Promise<ExitCode> =>
    runEnactment(output, options, {
      name: 'award',
      show: showAward,
      answerPlayer: null,
      command: config => {
        const { month } = options
        const today = civilDay(realClock.nowMs(), config['server.time_zone'])
        return {
          ...byHost,
          row: 'workflows.awardPu',
          route: `${awardRoutes['workflows.awardPu'].method} ${awardRoutes['workflows.awardPu'].path}`,
          body: { month: month === 'previous' ? monthBefore(today) : month },
          prepared: { jobId: null },
          dryRun: options.dryRun,
        }
      },
    })

/**
 * `kronika enact close` and `report`: what a dispatch enacts, by the same variables and the rights of the same person,
 * for the pipeline that the worker starts where no host accepts it.
 */
export const enactByChat =
  (output: Output, kind: EnactedKind) =>
  async (options: EnactOptions): Promise<ExitCode> => {
    const vars = Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
    const read = readKind(kind, vars)
    if (read._tag === 'VarsMissing') {
      const wanted = read.missing.map(name => `${name} (${usableValues[name] ?? 'not blank'})`)
      output.err(`kronika enact ${kind}: set these variables: ${wanted.join(', ')}.`)
      return exitCodes.usage
    }
    const { SVC_INTERACTION_ID: id = '' } = vars
    if (id !== '' && !InteractionId.is(id)) {
      output.err(`kronika enact ${kind}: SVC_INTERACTION_ID is no id of an interaction; set that, or none.`)
      return exitCodes.usage
    }
    const command = (): Command => ({
      ...commandByVars(kind, vars, id === '' ? null : id),
      dryRun: options.dryRun,
    })
    return runEnactment(output, options, {
      name: kind,
      show: showByChat,
      answerPlayer: answerRefused,
      command,
    })
  }

/**
 * An enactment of the command line: its name, its command under a configuration, and how its answer is shown. Null:
 * no player asked.
 */
interface Enactment {
  readonly name: string
  readonly command: (config: Config) => Command
  readonly show: ShowEnactment
  readonly answerPlayer: AnswerPlayer | null
}

/** The parts of a command that the person or job at the clone makes. */
const byHost = {
  asker: { _tag: 'Host' },
  grade: 'full',
  actor: { name: 'machine', gracz: null, kind: 'machine' },
  path: {},
  query: {},
  wants: null,
} as const

/** Opens the clone, makes the enactment, and prints how it ended. */
const runEnactment = async (
  output: Output,
  options: EnactOptions,
  { name, command, ...shown }: Enactment,
): Promise<ExitCode> => {
  const called = `kronika enact ${name}`
  const warn = (event: string, fields: object = {}): void =>
    output.err(`${called}: ${event} ${JSON.stringify(fields)}`)
  const opened = await (options.dryRun ? openToRead(options.repo) : openToWrite(called, options, output))
  if (isLeft(opened)) {
    output.err(`${called}: ${opened.left.reason}`)
    return opened.left.code
  }
  const { source, checkout, release } = opened.right
  try {
    const state = checkout?.state ?? lastStateArea(source.path)
    const { secrets, addresses } = readSecrets(process.env)
    const read = viewTrust(state, await readCommittedConfig(source), addresses)
    const mode = read.config['server.publish_mode']
    const unfit = source.kind === 'git' ? null : `${source.path} is no git clone; name one.`
    const refused = unfit ?? (mode === 'mr' && !options.dryRun ? inModeMr : null)
    if (refused !== null) {
      output.err(`${called}: ${refused}`)
      return exitCodes.usage
    }
    const load = await loadPorts(source, read)
    try {
      const enact =
        checkout === null
          ? previewAlone(source, load, warn)
          : enactAlone({ ...options, checkout, load, warn })
      if (mode === 'none' && !options.dryRun) output.err(`${called}: ${inModeNone}`)
      const code = printEnactment(await enact(command(read.config)), shown, options, output)
      const log = { debug: unsaid, info: unsaid, warn, error: warn, flush: unsaid }
      if (checkout !== null && read.damage === null)
        await sendAlone({ config: read.config, secrets, checkout, meter: noMeter, log })
      return code
    } finally {
      await closeTrees(load)
    }
  } finally {
    await release()
  }
}

const unsaid = (): void => undefined

interface OpenClone {
  readonly source: TreeSource
  /** Null for a dry run. */
  readonly checkout: Checkout | null
  readonly release: () => Promise<void>
}

/** A dry run only reads commits: it takes no fence, so it also runs beside a daemon, and leaves no trace. */
const openToRead = async (repo: string): Promise<Either<Stop, OpenClone>> =>
  map((source: TreeSource): OpenClone => ({ source, checkout: null, release: () => source.close() }))(
    await openSource(repo),
  )

const openToWrite = async (
  called: string,
  { repo, state }: EnactOptions,
  output: Output,
): Promise<Either<Stop, OpenClone>> => {
  const held = await holdCheckout(repo, state, called.replace(/^kronika /, ''))
  if (isLeft(held)) return held
  const checkout = held.right
  tellLost(called, output, checkout)
  return right({ source: checkout.source, checkout, release: checkout.release })
}

const inModeMr =
  'server.publish_mode is mr, where a host makes the request that carries the commit; ask its route instead.'

const inModeNone =
  'server.publish_mode is none, so the commit stays in this clone; publish it from here, or commit "push".'

import { isLeft } from 'fp-ts/lib/Either.js'
import type { LoadPorts } from '#actors/corpus-keeper/load.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { readUncommittedConfig } from '#src/adapters/git/corpus-tree.js'
import { tellListening } from '#src/adapters/state/state-area.js'
import { isOfState, stateTrouble } from '#src/adapters/state/state-trouble.js'
import type { ServeOptions } from '#src/cli/options.js'
import type { Output } from '#src/cli/output.js'
import { type Front, portTrouble } from '#src/http/listener/front.js'
import { fillNames } from '#src/http/routing/ask-readers.js'
import { tellMode } from '../fleet/role.js'
import { listUnsetForChat } from '../identity/sign-in.js'
import { type Log, stderrLog } from '../records/records.js'
import { closeTrees, loadPorts, readCommittedConfig } from '../tree/corpus.js'
import type { HostNode } from '../tree/node.js'
import { logViewOf, openNode, runNode } from '../tree/open-node.js'
import { type Checkout, holdCheckout, type Stop } from './checkout.js'
import { listCutVariables, reasonOf } from './environment.js'
import { openHostConfig, tellTrust } from './host-trust.js'
import { holdTrees } from './trees.js'

/** The ready line: the only line of a served node on stdout. */
export interface ReadyLine {
  readonly ready: true
  readonly url: string
  readonly ops: string
  readonly pid: number
  readonly town: string
  readonly state: string
}

/**
 * `kronika serve`: holds the checkout, prints the ready line with the first snapshot, ends by signal (D2).
 * Reports at once what prevents the start: an unusable state area exits with 74, which needs the operator; a
 * taken port with 70, after which a service manager may retry.
 */
export const serve =
  (output: Output, onReady: (line: ReadyLine) => void = () => undefined) =>
  async (options: ServeOptions): Promise<ExitCode> => {
    const refuse = (stopped: Stop): ExitCode => refuseStart(options, output, stopped)
    const checkout = await holdCheckout(options.repo, options.state, 'serve')
    if (isLeft(checkout)) return refuse(checkout.left)
    try {
      return await serveNode(options, checkout.right, {
        onReady: line => {
          output.out(JSON.stringify(line))
          onReady(line)
        },
        refuse,
      })
    } catch (error) {
      return refuse(stopOf(checkout.right, error))
    } finally {
      await checkout.right.release()
    }
  }

/** How a served process ends: drained at the first signal, at once at the second or after a fatal fault. */
export interface ProcessEnd {
  /** Resolves with the exit code when the node has drained. */
  readonly left: Promise<ExitCode>
  readonly giveUp: (code: ExitCode) => void
  /** Ends as the first SIGTERM does. */
  readonly stop: () => void
}

/**
 * Waits for signals and faults. The first SIGTERM or SIGINT drains, the second exits at once; an uncaught
 * throw is logged and exits with 71 after at most 2 s (RELIABILITY 5, D2).
 */
export const awaitLeaving = (log: Log, drain: () => Promise<void>): ProcessEnd => {
  let settle: (code: ExitCode) => void = () => undefined
  const left = new Promise<ExitCode>(resolve => {
    settle = resolve
  })
  let leaving = false
  const leave = async (code: ExitCode, limitMs: number, isQuiet = false): Promise<void> => {
    if (leaving) return
    leaving = true
    await within(drain(), limitMs)
    log[isQuiet ? 'debug' : 'info']('stopped', { code })
    log.flush()
    settle(code)
    // A port or child that never ends must not keep the process alive.
    setTimeout(() => process.exit(code), releaseMs).unref()
  }
  const onSignal = (signal: string): void => {
    if (leaving) process.exit(interruptedCode)
    // A person who pressed Ctrl-C expects no message, only the prompt.
    const isQuiet = signal === 'SIGINT'
    log[isQuiet ? 'debug' : 'info']('draining', { signal })
    void leave(exitCodes.ok, drainLimitMs, isQuiet)
  }
  const onFault = (error: unknown): void => {
    log.error('uncaught', { error })
    void leave(exitCodes.uncaught, flushMs)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
  const stop = (): void => {
    log.info('draining', { signal: 'POST /admin/shutdown' })
    void leave(exitCodes.ok, drainLimitMs)
  }
  return { left, giveUp: code => void leave(code, flushMs), stop }
}

/**
 * Ends the process without a message when the reader of its output closed it (`| head`). For the `error`
 * event of stdout and stderr; any other error of theirs is still a fault.
 */
export const leaveWithReader = (error: Error): void => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.readerLeft)
  throw error
}

const drainMs = 20_000
const retryMs = 1000
/** How long the ready line waits for the saved search indexes. */
const savedIndexesMs = 2_000

/** Looks until there is a snapshot; the keeper also retries by itself. */
const firstSnapshot = async ({ look, snapshot, log }: HostNode): Promise<void> => {
  while (snapshot() === null) {
    const outcome = await look()
    if (isLeft(outcome)) log.warn('look_unanswered', { reason: outcome.left._tag })
    else if (outcome.right._tag === 'Current') continue
    await new Promise(resolve => setTimeout(resolve, retryMs))
  }
}

const readyLine = ({ options, checkout }: HostNode, front: Front): ReadyLine => ({
  ready: true,
  url: `http://127.0.0.1:${front.apiPort}/v1/api`,
  ops: `http://127.0.0.1:${front.opsPort}`,
  pid: process.pid,
  town: options.town,
  state: checkout.state,
})

const formatMends = {
  SchemaTooOld: 'kronika adopt, or POST /import',
  SchemaTooNew: 'update Kronika on this host',
} as const

/** Logs once, at the start, what this node will not do, and why. */
const tellLimits = ({ config, log, mode, snapshot }: HostNode): void => {
  const format = snapshot()?.format.state ?? 'Current'
  for (const cut of listCutVariables(process.env)) log.warn('git_variable_ignored', cut)
  if (process.pid === 1)
    log.warn('pid_1_without_init', {
      mend: 'start the container with --init, or by deploy/container/serve.sh',
    })
  if (mode.get().mode === 'ReadOnly') tellMode(log)(mode.get())
  for (const key of listUnsetForChat(config))
    log.warn('chat_sign_in_off', { key, mend: 'docs/howto/access/turn-on-chat-sign-in.md' })
  if (format !== 'Current') log.warn('writes_refused', { reason: format, mend: formatMends[format] })
}

/** Records the addresses for commands that run beside the daemon; a failure is only logged. */
const tellWhere = ({ checkout, log }: HostNode, line: ReadyLine): void => {
  try {
    tellListening(checkout.state, line)
  } catch (error) {
    log.warn('listening_untold', { reason: reasonOf(error) })
  }
}

/** Logs what was lost with the state area, then records the current one; a failure is only logged. */
const rememberState = ({ checkout, log }: HostNode): void => {
  for (const { level, event, fields } of checkout.notes) log[level](event, fields)
  try {
    checkout.remember()
  } catch (error) {
    log.warn('state_unrecorded', { reason: reasonOf(error) })
  }
}

/**
 * Makes the forms of names in pauses after the ready line, which does not need them. Requests wait for them
 * (`awaitNames`).
 */
const fillFirstNames = ({ snapshot, log }: HostNode): void => {
  const names = snapshot()?.names
  if (names === undefined) return
  fillNames(names).catch((error: unknown) => log.warn('name_forms_unmade', { reason: reasonOf(error) }))
}

/** The callbacks of a start. */
interface Told {
  readonly onReady: (line: ReadyLine) => void
  readonly refuse: (stop: Stop) => ExitCode
}

/** Why the requested ports cannot be listened on, and what to do; null when they can. */
const findPortTrouble = async (options: ServeOptions, configured: number): Promise<string | null> => {
  const asked = [
    { port: options.port ?? configured, by: '--port or server.port' },
    { port: options.opsPort ?? 0, by: '--ops-port' },
  ] as const
  for (const { port, by } of asked) {
    const trouble = await portTrouble('127.0.0.1', port)
    if (trouble !== null) return `${trouble}; stop that process, or name another port with ${by}.`
  }
  return null
}

/** The options with the preferred port, where no other setting names one and it is free. */
const withPreferredPort = async (options: ServeOptions, configured: number): Promise<ServeOptions> => {
  const { port, preferredPort } = options
  if (port !== undefined || configured !== 0 || preferredPort === undefined) return options
  return (await portTrouble('127.0.0.1', preferredPort)) === null
    ? { ...options, port: preferredPort }
    : options
}

/**
 * The port that was requested for both listeners; null if they differ. 0 means any free port, so two 0
 * differ.
 */
const samePort = ({ port, opsPort }: ServeOptions, configured: number): number | null =>
  opsPort !== undefined && opsPort !== 0 && opsPort === (port ?? configured) ? opsPort : null

/** Logs an uncommitted configuration, and the trees that are not read or that no operator allowed. */
const tellConfig = async (
  { checkout, log }: HostNode,
  { bootFindings }: Pick<LoadPorts, 'bootFindings'>,
): Promise<void> => {
  if ((await readUncommittedConfig(checkout.source)) !== null)
    log.warn('config_uncommitted', {
      reason: '.svc/config.json has uncommitted changes, which the host does not read',
      mend: 'commit them and restart the host',
    })
  for (const { kind, subject: key, reason } of bootFindings)
    if (kind === 'CorpusRefused')
      log.warn('corpus_refused', { key, kind, mend: 'kronika doctor says what is wrong' })
    else if (kind === 'CorpusUnwritten')
      log.warn('corpus_unwritten', { key, kind, reason, mend: 'docs/spec/trees.md#tree-written' })
    else if (kind === 'CorpusUnlisted')
      log.warn('corpus_unlisted', { key, kind, mend: 'kronika trust --tree DIR, or --allow-tree DIR' })
}

const serveNode = async (
  asked: ServeOptions,
  checkout: Checkout,
  { onReady, refuse }: Told,
): Promise<ExitCode> => {
  const { source, state } = checkout
  const trusted = await openHostConfig(
    { ...asked, repo: checkout.repo, state, environment: process.env },
    await readCommittedConfig(source),
  )
  if (isLeft(trusted)) return refuse(trusted.left)
  const read = trusted.right
  const options = await withPreferredPort(asked, read.config['server.port'])
  const both = samePort(options, read.config['server.port'])
  if (both !== null)
    return refuse({
      code: exitCodes.usage,
      reason: `the API and the operations listener both have port ${both}; set another with --ops-port.`,
    })
  const refused = await findPortTrouble(options, read.config['server.port'])
  if (refused !== null) return refuse({ code: exitCodes.intensity, reason: refused })
  const held = await holdTrees(checkout, await loadPorts(source, read), 'serve')
  const open = openNode(options, checkout, read, undefined, held.trees)
  const { node } = open
  rememberState(node)
  tellTrust(read, node.log)
  await node.fleet.readTip()
  const ports = held.load
  await tellConfig(node, ports)
  const leaving = awaitLeaving(node.log, async () => {
    node.refusals.end()
    for (const orphan of await running.tree.drain(drainMs)) node.log.warn('orphaned', orphan)
  })
  const running = runNode(open, ports, {
    onGiveUp: () => leaving.giveUp(exitCodes.intensity),
    shutdown: leaving.stop,
  })
  if (await running.tree.ready) {
    await Promise.race([
      firstSnapshot(node).then(() => node.search.threads.savedLoaded(savedIndexesMs)),
      leaving.left,
    ])
    tellLimits(node)
    const front = running.listeners.current()
    if (front !== null && node.snapshot() !== null) {
      const line = readyLine(node, front)
      tellWhere(node, line)
      onReady(line)
      fillFirstNames(node)
    }
  }
  const code = await leaving.left
  held.release()
  await closeTrees(ports)
  return code
}

/**
 * Reports why a start was refused: a sentence for the operator and, where stderr is not a terminal, one
 * record for the log. Returns the exit code.
 */
const refuseStart = (options: ServeOptions, output: Output, { code, reason, cause }: Stop): ExitCode => {
  output.err(`kronika serve: ${reason}`)
  const view = logViewOf(options)
  if (!view.isTerminal) {
    const log = stderrLog({ pid: process.pid, town: options.town }, text => text, view)
    log.error(cause ?? 'start_refused', { code, reason })
    log.flush()
  }
  return code
}

/** Why a start failed: the state area, or an unexpected error. */
const stopOf = ({ state, repo }: Checkout, error: unknown): Stop =>
  isOfState(state, error)
    ? { code: exitCodes.stateUnusable, ...stateTrouble(state, error) }
    : { code: exitCodes.uncaught, reason: `${repo} cannot be served: ${reasonOf(error)}` }

const flushMs = 2_000
const drainLimitMs = 30_000
const releaseMs = 1_000
const interruptedCode = 130

/** Waits for the work, at most for the limit. */
const within = (work: Promise<unknown>, limitMs: number): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, limitMs)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    work.then(done, done)
  })

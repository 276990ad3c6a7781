import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import { AwardAnswer } from '#protocol/lore/points.js'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { fsckViolations } from '#test/attack/verdicts/repository.js'
import { hostIn, type RaceHost } from '#test/push-race/host.js'
import { hostViolations } from '#test/push-race/race.js'
import { headOf, settleLimitMs, waitUntilSettled } from '#test/push-race/settle.js'
import { runCommand } from '#test/support/daemon.js'
import { rowOfBinding } from '#test/support/identity/linked-world.js'
import { isFields } from '#test/support/matching.js'
import { cloneOf, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'

/** How one of those who settle a month ended. */
interface End {
  readonly who: string
  /** `NotPublished` is told why; nothing of it is in the remote unless `said` names `unknown`. */
  readonly kind: 'Applied' | 'Nothing' | 'NotPublished' | 'Wrong'
  readonly said: string
}

interface Round {
  readonly month: string
  readonly freezeAfterMs: number
  /** Whether the frozen host began before the others. */
  readonly isAhead: boolean
  readonly ends: ReadonlyArray<End>
}

/** A race over several months; it is held where nothing is violated. */
interface EnactRace {
  readonly rounds: ReadonlyArray<Round>
  readonly violations: ReadonlyArray<string>
}

/** Settles months one after another, each by five daemons and a command at once. */
export const enactRace = async (months: number): Promise<EnactRace> => {
  const folder = temporaryFolder()
  const named = Array.from({ length: months }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}`)
  const bare = seedWorld(folder.path, named)
  const hosts = hostNames.map(name => hostIn(folder.path, bare, name))
  const clone = join(folder.path, 'clone')
  cloneOf(bare, clone)
  try {
    for (const host of hosts) await host.start()
    const rounds: Array<Round> = []
    const violations: Array<string> = []
    for (const [at, month] of named.entries()) {
      const round = { month, freezeAfterMs: at * 80, isAhead: at % 2 === 1 }
      const ends = await raceOnce(hosts, clone, round)
      rounds.push({ ...round, ends })
      violations.push(...roundViolations(bare, month, ends), ...(await laterViolations(hosts, clone, month)))
      violations.push(...(await closeOnce(hosts, clone, at, headerOf(month))))
    }
    const isOne = await waitUntilSettled(bare, hosts)
    return {
      rounds,
      violations: [
        ...violations,
        ...(isOne ? [] : [`the hosts do not stand at one commit after ${settleLimitMs} ms`]),
        ...figureViolations(bare, months),
        ...closeViolations(bare, months),
        ...(await Promise.all(hosts.map(hostViolations))).flat(),
        ...[bare, clone, ...hosts.map(host => host.path)].flatMap(fsckViolations),
      ],
    }
  } finally {
    for (const host of hosts) host.thaw()
    await Promise.all(hosts.map(host => host.kill()))
    folder.dispose()
  }
}

const hostNames = ['a', 'b', 'c', 'cut-off', 'frozen'] as const

const ledger = '.svc/pu/batches.jsonl'
const index = 'encje/indeks.md'
const startPoints = 20
const narratorChat = '111'
const headerOf = (month: string): string => `${month}-10, Most, Solmyr`
/** Base and the PU of the session, which no cap cuts. */
const grantedByMonth = 1.5

/** A bare repository with a character and a session of each month. */
const seedWorld = (folder: string, months: ReadonlyArray<string>): string => {
  const [bare, seed] = [join(folder, 'bare.git'), join(folder, 'seed')]
  gitIn(folder, 'init', '-q', '--bare', '-b', 'main', bare)
  gitIn(folder, 'init', '-q', '-b', 'main', seed)
  const config = { publish_mode: 'push', sync_interval_min: 1, selfheal_interval_ms: 600_000 }
  writeFiles(seed, {
    '.svc/format.json': '{"format": 2}\n',
    '.svc/config.json': JSON.stringify({ server: config }),
    'kontrybutorzy.md': '## Gracz\n### Solmyr\n- @gameid: 1\n- @rola: Narrator\n## Role\n### Narrator\n',
    [bindingsPath]: JSON.stringify({ bindings: [rowOfBinding(narratorChat, '1')] }),
    [index]: `### Wit\n- @typ: Postać\n- @pu_startowe: ${startPoints}\n`,
    'sesje/rok.md': months
      .map(month => `### ${headerOf(month)}\n\nOpis.\n\n- @PU:\n    - Wit: 0.5\n\n`)
      .join(''),
  })
  gitIn(seed, 'add', '-A')
  gitIn(seed, 'commit', '-q', '-m', 'seed')
  gitIn(seed, 'push', '-q', bare, 'main')
  return bare
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** How long a host stays frozen. A frozen push may hold a lock of the remote meanwhile. */
const frozenMs = 2_500

/**
 * Everybody settles the month at once: one without a remote, one frozen on the way. With `isAhead` the frozen one began
 * before the others, so that it may be frozen between its push and its answer.
 */
const raceOnce = async (
  hosts: ReadonlyArray<RaceHost>,
  clone: string,
  { month, freezeAfterMs, isAhead }: Pick<Round, 'month' | 'freezeAfterMs' | 'isAhead'>,
): Promise<ReadonlyArray<End>> => {
  const [cut, frozen] = [
    hosts.find(({ name }) => name === 'cut-off'),
    hosts.find(({ name }) => name === 'frozen'),
  ]
  cut?.cutOff()
  const others = hosts.filter(host => host !== frozen)
  const begin = () => [...others.map(host => askHost(host, month)), askCommand(clone, month)]
  const asked = frozen === undefined ? [] : [askHost(frozen, month)]
  if (!isAhead) asked.push(...begin())
  await pause(freezeAfterMs)
  frozen?.freeze()
  if (isAhead) asked.push(...begin())
  await pause(frozenMs)
  frozen?.thaw()
  const ends = await Promise.all(asked)
  cut?.reconnect()
  return ends
}

const askHost = async (host: RaceHost, month: string): Promise<End> => {
  const reply = await host
    .client()
    ?.ask('/workflows/award-pu', { method: 'POST', body: JSON.stringify({ month }) })
  return endOf(host.name, reply?.json)
}

const askCommand = async (clone: string, month: string): Promise<End> => {
  const { code, stdout, stderr } = await runCommand([
    'enact',
    'award',
    '--repo',
    clone,
    '--month',
    month,
    '--json',
  ])
  const end = endOf('kronika enact', readJson(code === exitCodes.ok ? stdout : stderr))
  const isRight = (code === exitCodes.ok && end.kind !== 'NotPublished') || code === exitCodes.unpublished
  return isRight ? end : { ...end, kind: 'Wrong', said: `${code} ${stdout}${stderr}` }
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const endOf = (who: string, json: unknown): End => {
  const answer = AwardAnswer.decode(json)
  if (!isLeft(answer))
    return answer.right.Applied
      ? { who, kind: 'Applied', said: 'settled it' }
      : { who, kind: 'Nothing', said: `settled before: ${answer.right.SkippedAlreadyCounted}` }
  if (isFields(json) && json['error'] === 'NotPublished')
    return {
      who,
      kind: 'NotPublished',
      said: `NotPublished, ${String(json['reason'])}: ${String(json['detail'])}`,
    }
  return { who, kind: 'Wrong', said: JSON.stringify(json) }
}

/** What is wrong right after a race, before anybody asks again. */
const roundViolations = (bare: string, month: string, ends: ReadonlyArray<End>): ReadonlyArray<string> => {
  const applied = ends.filter(({ kind }) => kind === 'Applied').length
  const rows = gitIn(bare, 'log', '--format=%H', '--fixed-strings', `--grep=points: ${month},`, 'main')
  const commits = rows === '' ? 0 : rows.split('\n').length
  const cut = ends.find(({ who }) => who === 'cut-off')
  const isUnknown = ends.some(({ said }) => said.startsWith('NotPublished, unknown'))
  return [
    ...ends
      .filter(({ kind }) => kind === 'Wrong')
      .map(({ who, said }) => `${month}: ${who} ended with ${said}`),
    ...(applied > 1 ? [`${month}: ${applied} say that they settled it`] : []),
    ...(commits > 1 ? [`${month}: ${commits} commits settle it`] : []),
    ...(applied !== commits && !isUnknown ? [`${month}: ${applied} say so of ${commits} commits`] : []),
    ...(cut?.kind === 'NotPublished' ? [] : [`${month}: who is cut off was answered ${cut?.said}`]),
  ]
}

/** What is wrong when everybody asks again, one after another: it is settled, and each is told. */
const laterViolations = async (
  hosts: ReadonlyArray<RaceHost>,
  clone: string,
  month: string,
): Promise<ReadonlyArray<string>> => {
  const ends: Array<End> = []
  for (const host of hosts) ends.push(await askHost(host, month))
  ends.push(await askCommand(clone, month))
  const [first, ...others] = ends
  // Where the frozen host kept the lock of the remote for the whole race, nobody has settled it yet.
  const isFirstRight = first?.kind === 'Nothing' || first?.kind === 'Applied'
  const wrong = [...(isFirstRight ? [] : [first]), ...others.filter(({ kind }) => kind !== 'Nothing')]
  return wrong.map(end => `${month}, later: ${end?.who} ended with ${end?.said}`)
}

/**
 * The narrator closes a session by everything at once: two routes, a dispatch, and a command. The others are told that
 * it is closed.
 */
const closeOnce = async (
  hosts: ReadonlyArray<RaceHost>,
  clone: string,
  at: number,
  header: string,
): Promise<ReadonlyArray<string>> => {
  const [one, two, dispatched] = hosts
  const byRoute = async (host: RaceHost | undefined): Promise<string> => {
    const body = JSON.stringify({ header })
    const reply = await host?.client()?.ask('/workflows/close-session', { method: 'POST', body })
    return reply?.status === 200 ? 'closed' : errorIn(reply?.json)
  }
  const byDispatch = async (): Promise<string> => {
    const vars = { SVC_CLOSE_CHAT_ID: narratorChat, SVC_CLOSE_HEADER: header }
    const interactionId = String(900_100_200_300_400_500n + BigInt(at))
    const body = JSON.stringify({ interactionId, kind: 'close', sentAtEpochMs: Date.now(), vars })
    const reply = await dispatched?.client()?.ask('/chat/dispatch', { method: 'POST', body })
    return reply?.status === 202 ? 'accepted' : errorIn(reply?.json)
  }
  const byCommand = async (): Promise<string> => {
    const env = { SVC_CLOSE_CHAT_ID: narratorChat, SVC_CLOSE_HEADER: header }
    const { code, stdout } = await runCommand(['enact', 'close', '--repo', clone, '--json'], env)
    return code === exitCodes.ok ? 'closed' : errorIn(readJson(stdout))
  }
  const said = await Promise.all([byRoute(one), byRoute(two), byDispatch(), byCommand()])
  const told = new Set(['closed', 'accepted', 'SessionClosed', 'NotPublished'])
  const wrong = said.filter(one => !told.has(one)).map(one => `${header}: a close ended with ${one}`)
  const closed = said.filter(one => one === 'closed').length
  return closed > 1 ? [...wrong, `${header}: ${closed} say that they closed it`] : wrong
}

const errorIn = (json: unknown): string =>
  isFields(json) && typeof json['error'] === 'string' ? json['error'] : JSON.stringify(json)

/** Each session is one row of the close ledger. */
const closeViolations = (bare: string, months: number): ReadonlyArray<string> => {
  const rows = gitIn(bare, 'show', `main:${closeLedgerPath}`).split('\n')
  return rows.length === months ? [] : [`the close ledger has ${rows.length} rows, not ${months}`]
}

/** Each month is one row of the ledger, and the figures are what the months give together. */
const figureViolations = (bare: string, months: number): ReadonlyArray<string> => {
  const lines = gitIn(bare, 'show', `main:${ledger}`).split('\n')
  const settled = new Set(lines.map(line => String(Reflect.get(Object(JSON.parse(line)), 'month'))))
  const sum = `- @pu_suma: ${(startPoints + months * grantedByMonth).toFixed(2)}`
  const text = gitIn(bare, 'show', `main:${index}`)
  return [
    ...(lines.length === months && settled.size === months
      ? []
      : [`the ledger has ${lines.length} rows of ${settled.size} months, not ${months}, at ${headOf(bare)}`]),
    ...(text.includes(`${sum}\n`) || text.endsWith(sum) ? [] : [`the index does not have ${sum}: ${text}`]),
  ]
}

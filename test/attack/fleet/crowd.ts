import { fork } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { topologyPath } from '#src/domain/fleet/topology.js'
import { keepSessions, withRuntime } from '#test/support/built-host.js'
import { eventually } from '#test/support/daemon.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { type ForgeProcess, startForgeProcess } from '#test/support/forge/forge-process.js'
import { findFreePort } from '#test/support/free-port.js'
import { jsonField } from '#test/support/json-field.js'
import { sampleSum } from '#test/support/metric-text.js'
import { openPerson } from '#test/support/person.js'
import { gitIn, temporaryFolder } from '#test/support/repository.js'
import { bars, isOver } from '../bars.js'
import type { AttackCase, Round } from '../case.js'
import { type AttackSubject, startAttackSubject } from '../subject.js'
import type { Result } from '../trial.js'
import { costViolations, heapViolations } from '../verdicts/cost.js'
import {
  blamedMisses,
  countMisses,
  crowdViolations,
  type MissSeen,
  p99,
  type RowSeen,
  roleViolations,
  type StatusSeen,
  type TownSeen,
  waitViolations,
  watchViolations,
} from '../verdicts/fleet.js'
import { fsckViolations } from '../verdicts/repository.js'
import { aim, attackers, baseWorld, ownCharacter } from '../worlds/base.js'

/** The apex, which the crowd reads, and the host that would take over. */
const towns = ['Erathia', 'Deyja'] as const
const roles = { Erathia: 'primary', Deyja: 'replica' } as const
type Town = (typeof towns)[number]

/** The shortest interval that a host takes. */
const watchIntervalMin = 0.01
const intervalMs = watchIntervalMin * 60_000
const connections = 1_500
/** The connections, and what a host has open besides. */
const filesMax = 4_096
/** The row that hosts ask each other for. */
const probedRow = 'GET /fleet/status'
/** A crowd that is not back so long after its time is ended. */
const crowdEndS = 60
const betweenMs = 20

const configText = (forge: ForgeProcess): string =>
  JSON.stringify({
    server: { publish_mode: 'push', sync_interval_min: 1, gc_interval_min: 0 },
    fleet: {
      watch_interval_min: watchIntervalMin,
      auto_failover: { enabled: true, after_sweeps: 3, cooldown_hours: 0 },
    },
    integrations: { forge: { api_url: forge.apiUrl, project: forge.project } },
  })

/** What the process of the crowd is asked for. */
export const CrowdWish = t.type({
  /** With the prefix of the interface. */
  url: t.string,
  token: t.string,
  connections: t.number,
  seconds: t.number,
  seed: t.string,
  /** Blocks of the lore, which the small reads ask for. */
  names: t.readonlyArray(t.string),
})
export type CrowdWish = t.TypeOf<typeof CrowdWish>

/** What the crowd got: answers by status, and connections that ended without one. */
export const CrowdSeen = t.type({ answers: t.record(t.string, t.number), errors: t.number })
export type CrowdSeen = t.TypeOf<typeof CrowdSeen>

/** Two hosts of one remote, with a forge at which each of them could take over by itself. */
interface Fleet {
  readonly hosts: Readonly<Record<Town, AttackSubject>>
  readonly forge: ForgeProcess
  readonly bare: string
  /** Logins at the apex, by id. */
  readonly sessions: ReadonlyMap<string, string>
}

const openFleet = async (
  seed: string,
  folder: string,
  opened: Array<() => Promise<unknown>>,
): Promise<Fleet> => {
  const bare = join(folder, 'bare.git')
  const forge = await startForgeProcess(bare)
  opened.push(forge.stop)
  const ports = { Erathia: await findFreePort(), Deyja: await findFreePort() }
  const urls = Object.fromEntries(
    towns.map(town => [town, { url: `http://127.0.0.1:${ports[town]}/v1/api` }] as const),
  )
  openPerson(bare, {
    ...Object.fromEntries(baseWorld(seed, 1).files),
    '.svc/config.json': configText(forge),
    [topologyPath]: fleetText('Erathia', 1, towns, urls),
  }).dispose()
  const gameIds = [attackers.gracz.gameId, aim.victimGameId]
  let sessions: Fleet['sessions'] = new Map()
  const start = async (town: Town): Promise<AttackSubject> => {
    const path = join(folder, town)
    gitIn(folder, 'clone', '-q', forge.remote, path)
    if (town === 'Erathia')
      sessions = await withRuntime(path, runtime => keepSessions(runtime, gameIds, Date.now()))
    const options = ['--town', town, '--port', String(ports[town])]
    const started = await startAttackSubject(path, { SVC_FORGE_TOKEN: forge.token }, options, filesMax)
    if (started._tag === 'NotStarted') throw new Error(`${town} did not start: ${started.reason}`)
    opened.push(() => started.subject.stop(true))
    return started.subject
  }
  const hosts = { Erathia: await start('Erathia'), Deyja: await start('Deyja') }
  return { hosts, forge, bare, sessions }
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** Asks over a new connection, as a host that probes does; the status is 0 where no answer came. */
const ask = (port: number, path: string, token: string | null): Promise<Answer> =>
  new Promise(resolve => {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` }
    const req = request({ host: '127.0.0.1', port, path, headers, agent: false }, res => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (part: string) => {
        text += part
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text }))
      res.on('error', error => resolve({ status: 0, text: error.message }))
    })
    req.on('error', error => resolve({ status: 0, text: error.message }))
    req.end()
  })

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

interface Watched {
  readonly row: string
  readonly port: number
  readonly path: string
  readonly token: string | null
  readonly barMs: number
}

const watchedOf = ({ hosts: { Erathia: apex }, sessions }: Fleet): ReadonlyArray<Watched> => {
  const [api, ops] = [apex.port, apex.opsPort]
  const other = sessions.get(aim.victimGameId) ?? ''
  const status = { token: null, barMs: bars.statusMs }
  return [
    {
      row: 'GET /entities/{name}',
      port: api,
      path: `/v1/api/entities/${encodeURIComponent(aim.character)}`,
      token: other,
      barMs: bars.otherReadMs,
    },
    { row: probedRow, port: api, path: '/v1/api/fleet/status', ...status },
    { row: 'GET /health', port: api, path: '/v1/api/health', ...status },
    { row: 'GET /livez', port: ops, path: '/livez', ...status },
    { row: 'GET /readyz', port: ops, path: '/readyz', ...status },
  ]
}

interface Timed extends RowSeen {
  readonly wallMs: ReadonlyArray<number>
  readonly answers: ReadonlyArray<StatusSeen>
}

/** Asks for a row again and again, and notes how long each answer took. */
const timeRow = async (
  { row, port, path, token, barMs }: Watched,
  host: AttackSubject,
  goesOn: () => boolean,
): Promise<Timed> => {
  const [answers, others]: [Array<StatusSeen>, Array<string>] = [[], []]
  while (goesOn()) {
    const [fromMs, starvedMs] = [performance.now(), host.starvedMs()]
    const { status, text } = await ask(port, path, token)
    const toMs = performance.now()
    const waitMs = Math.max(0, toMs - fromMs - (host.starvedMs() - starvedMs))
    if (status === 200) answers.push({ fromMs, toMs, waitMs })
    else others.push(`${status} ${text.slice(0, 100)}`)
    await pause(betweenMs)
  }
  const waitsMs = answers.map(({ waitMs }) => waitMs)
  return { row, barMs, waitsMs, wallMs: answers.map(({ fromMs, toMs }) => toMs - fromMs), others, answers }
}

/** The roles that a host gives itself, each time that it is asked. */
const readRoles = async (host: AttackSubject, goesOn: () => boolean): Promise<ReadonlyArray<string>> => {
  const seen: Array<string> = []
  while (goesOn()) {
    const { status, text } = await ask(host.port, '/v1/api/fleet/status', null)
    if (status === 200) seen.push(String(jsonField(JSON.parse(text), 'role')))
    await pause(10 * betweenMs)
  }
  return seen
}

const otherOf = (host: Town): Town => (host === 'Erathia' ? 'Deyja' : 'Erathia')

/** The probes of the other town that a host has counted so far; null where it does not say. */
const readProbes = async (
  { hosts }: Fleet,
  host: Town,
): Promise<{ readonly answered: number; readonly missed: number } | null> => {
  const { status, text } = await ask(hosts[host].opsPort, '/metrics', null)
  if (status !== 200) return null
  const probes = (labels: Readonly<Record<string, string>>): number =>
    sampleSum(text, 'svc_fleet_probes_total', { town: otherOf(host), ...labels })
  const answered = probes({ result: 'ok' })
  return { answered, missed: probes({}) - answered - probes({ result: 'not_sent' }) }
}

/** Reads the probes of a host again and again, and how long the hosts waited for a processor around a miss. */
const watchProbes = async (fleet: Fleet, host: Town, goesOn: () => boolean): Promise<TownSeen> => {
  const starvedNow = (): number => towns.reduce((sum, town) => sum + fleet.hosts[town].starvedMs(), 0)
  const first = (await readProbes(fleet, host)) ?? { answered: 0, missed: 0 }
  const startMs = performance.now()
  const misses: Array<MissSeen> = []
  /** Of the last two intervals, in which a probe that is missed now was under way. */
  let before = [{ atMs: performance.now(), starvedMs: starvedNow() }]
  let last = first
  for (let isLast = false; !isLast; ) {
    isLast = !goesOn()
    const now = (await readProbes(fleet, host)) ?? last
    const [toMs, starvedMs] = [performance.now(), starvedNow()]
    const from = before[0] ?? { atMs: toMs, starvedMs }
    const count = now.missed - last.missed
    const afterMs = toMs - startMs
    if (count > 0)
      misses.push({ fromMs: from.atMs, toMs, afterMs, count, starvedMs: starvedMs - from.starvedMs })
    before = [...before, { atMs: toMs, starvedMs }].slice(-4)
    last = now
    await pause(intervalMs / 2)
  }
  return { host, town: otherOf(host), answered: last.answered - first.answered, misses }
}

/** Waits until both hosts have their roles and see each other. */
const awaitWatch = async (fleet: Fleet): Promise<void> => {
  for (const town of towns) {
    await eventually(
      () => ask(fleet.hosts[town].port, '/v1/api/fleet/status', null),
      ({ status, text }) => status === 200 && jsonField(JSON.parse(text), 'role') === roles[town],
    )
    await eventually(
      () => readProbes(fleet, town),
      probes => probes !== null && probes.answered > 0,
    )
  }
}

/** Lets the crowd loose in its own process; resolves with what it got, or why it has nothing. */
const sendCrowd = (wish: CrowdWish): Promise<CrowdSeen | string> =>
  new Promise(resolve => {
    const script = fileURLToPath(new URL('crowd-run.ts', import.meta.url))
    const child = fork(script, [JSON.stringify(wish)], {
      execArgv: ['--conditions=source', '--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const late = setTimeout(() => child.kill('SIGKILL'), (wish.seconds + crowdEndS) * 1_000)
    child.on('message', message => {
      const seen = CrowdSeen.decode(message)
      if (!isLeft(seen)) resolve(seen.right)
    })
    child.on('exit', (code, signal) => {
      clearTimeout(late)
      resolve(`the crowd ended with ${code ?? signal ?? ''}`)
    })
  })

const figuresOf = (
  rows: ReadonlyArray<Timed>,
  seen: ReadonlyArray<TownSeen>,
  statuses: ReadonlyArray<StatusSeen>,
  answers: CrowdSeen['answers'],
  busy: number,
): Readonly<Record<string, number>> =>
  Object.fromEntries([
    ...rows.flatMap(({ row, waitsMs, wallMs }) => [
      [`${row} p99 ms`, p99(waitsMs)] as const,
      [`${row} p99 ms on the wall`, p99(wallMs)] as const,
    ]),
    ...seen.flatMap(({ host, answered, misses }) => [
      [`probes of ${host} answered`, answered] as const,
      [`probes of ${host} missed`, countMisses(misses)] as const,
      [
        `probes of ${host} missed by itself`,
        countMisses(blamedMisses(misses, statuses, intervalMs)),
      ] as const,
    ]),
    ...Object.entries(answers).map(([status, count]) => [`answers ${status} to the crowd`, count] as const),
    ['main thread of the apex, % of the time', busy * 100] as const,
  ])

const play = async (fleet: Fleet, { seed, minutes }: Round): Promise<Result> => {
  const { hosts, sessions, forge, bare } = fleet
  const apex = hosts.Erathia
  await awaitWatch(fleet)
  const heapBefore = (await apex.settle())?.heapMb ?? Number.NaN
  const [fromMs, fromMainMs] = [performance.now(), apex.mainMs()]
  let isThere = true
  const goesOn = (): boolean => isThere
  const measured = Promise.all(watchedOf(fleet).map(row => timeRow(row, apex, goesOn)))
  const probed = Promise.all(towns.map(town => watchProbes(fleet, town, goesOn)))
  const called = Promise.all(towns.map(town => readRoles(hosts[town], goesOn)))
  const crowd = await sendCrowd({
    url: `http://127.0.0.1:${apex.port}/v1/api`,
    token: sessions.get(attackers.gracz.gameId) ?? '',
    ...{ connections, seconds: Math.ceil(minutes * 60), seed },
    names: [
      aim.character,
      aim.npc,
      aim.group,
      aim.place,
      ...Object.values(attackers).map(one => ownCharacter(one.person)),
    ],
  })
  isThere = false
  const [rows, seen, roleLists] = [await measured, await probed, await called]
  const statuses = rows.find(({ row }) => row === probedRow)?.answers ?? []
  const tookMs = performance.now() - fromMs
  const busy = (apex.mainMs() - fromMainMs) / tookMs
  const turnMs = (await apex.read())?.turnMs ?? Number.NaN
  const heapMb = (await apex.settle())?.heapMb ?? Number.NaN
  const asked = await forge.requests()
  const codes = await Promise.all(towns.map(town => hosts[town].stop()))
  const answers = typeof crowd === 'string' ? {} : crowd.answers
  return {
    requests: Object.values(answers).reduce((sum, count) => sum + count, 0),
    statuses: answers,
    worstCpu: { ms: Number.NaN, at: '' },
    worstTurn: { ms: turnMs, at: 'the apex under the crowd' },
    loadMs: apex.loadMs,
    heapMb: heapMb - heapBefore,
    figures: figuresOf(rows, seen, statuses, answers, busy),
    violations: [
      ...(typeof crowd === 'string' ? [crowd] : crowdViolations(answers)),
      ...rows.flatMap(row => waitViolations(row, isOver)),
      ...seen.flatMap(one => watchViolations(one, statuses, tookMs / intervalMs, intervalMs)),
      ...towns.flatMap((town, at) => roleViolations(town, roles[town], roleLists[at] ?? [])),
      ...asked.map(({ title }) => `a host asked for a takeover: ${title}`),
      ...costViolations('', { cpuMs: 0, turnMs }, isOver),
      ...heapViolations(heapBefore, heapMb, bars.cacheMb),
      ...codes.flatMap((code, at) =>
        code === 0 ? [] : [`${towns[at] ?? ''} ended with ${code ?? 'a signal'}`],
      ),
      ...fsckViolations(bare),
    ],
  }
}

/** Two hosts that watch each other, while one player reads the apex over very many connections. */
export const crowdOfOnePlayer: AttackCase = {
  name: 'fleet/crowd-of-one-player',
  kind: 'fleet',
  run: async round => {
    const folder = temporaryFolder()
    const opened: Array<() => Promise<unknown>> = []
    try {
      return await play(await openFleet(round.seed, folder.path, opened), round)
    } finally {
      for (const close of opened.reverse()) await close()
      folder.dispose()
    }
  },
}

import { batchesPath } from '#src/domain/points/batches.js'
import { closeLedgerPath } from '#src/domain/sessions/effects/closed-sessions.js'
import { remindersPath } from '#src/domain/sessions/reminders.js'
import { closeSessions } from '#test/support/closed-world.js'
import { portOfDouble } from '#test/support/forge/forge-world.js'
import type { Client, Reply } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { gitIn } from '#test/support/repository.js'
import { askOrNull, converge } from '../asks.js'
import { awaitIdle } from '../chat/await-idle.js'
import { platformOf } from '../chat/chat-place.js'
import { readDeliveryRows } from '../chat/chat-rows.js'
import { messageViolations } from '../chat/judge-messages.js'
import { originViolations } from '../history.js'
import type { WriteLedger } from '../ledger.js'
import { smallWorld } from '../lore.js'
import type { KillPlace } from '../place.js'
import { type Scenario, writing } from '../scenario.js'

/** An enactment that is killed: what is asked, and what must stand once it is done. */
interface Enactment {
  readonly name: string
  readonly route: string
  readonly body: object
  readonly files: Readonly<Record<string, string>>
  /** Whether an answer says that the enactment was done now; null where it says neither that nor that it was before. */
  readonly isNew: (reply: Reply) => boolean | null
  readonly ledger: string
  /** The rows of the ledger once it is done. */
  readonly rows: number
  /** The texts of its notices. */
  readonly notices: ReadonlyArray<string>
  /** What else is wrong here and in the remote, which are the same; null where nothing is. */
  readonly violation: (client: Client, place: KillPlace) => Promise<string | null>
}

/** Sync is on, and nothing converges by itself while a scenario goes on. */
const quiet = { sync_interval_min: 600, sync_max_age_min: 0, publish_mode: 'push' }

const header = '2026-05-10, Most, Gosia'
const sessionFile = 'sesje/maj.md'
const session = (...lines: ReadonlyArray<string>): string =>
  [`### ${header}`, '', 'Opis.', '', ...lines, ''].join('\n')

/** Players whose channel the platform has. */
const players = (...names: ReadonlyArray<string>) => ({
  'kontrybutorzy.md': `## Gracz\n${names.map(name => `### ${name}\n- @chat: sesje/solmyr-kanał\n`).join('')}`,
})

const isApplied = ({ status, json }: Reply): boolean | null => {
  const applied = jsonField(json, 'Applied')
  return status === 200 && typeof applied === 'boolean' ? applied : null
}

const people = 'encje/indeks-03.md'

const award: Enactment = {
  name: 'award',
  route: '/workflows/award-pu',
  body: { month: '2026-05' },
  files: {
    ...players('Gosia'),
    [people]: '### Wit\n- @typ: Postać\n- @należy_do: Gosia\n- @pu_startowe: 20\n',
    [sessionFile]: session('- @PU:', '    - Wit: 0.5'),
  },
  isNew: isApplied,
  ledger: batchesPath,
  rows: 1,
  notices: ['Postać "Wit" (Gracz "Gosia") otrzymuje 1.50 PU.\nAktualna suma PU tej Postaci: 21.50'],
  violation: (_client, { repo }) => {
    const figures = gitIn(repo, 'show', `HEAD:${people}`).match(/@pu_(?:suma|zdobyte|nadmiar): \S+/gu) ?? []
    const wanted = ['@pu_suma: 21.50', '@pu_zdobyte: 1.50', '@pu_nadmiar: 0.00']
    const isRight = JSON.stringify(figures) === JSON.stringify(wanted)
    return Promise.resolve(isRight ? null : `the figures are ${figures.join(', ')} (S20)`)
  },
}

const purse = (owner: string, amount: number): string =>
  `### Korony ${owner}\n- @typ: Przedmiot\n- @należy_do: ${owner}\n- @generyczne_nazwy: Korony Elanckie\n- @ilość: ${amount}\n`

const linesOfPlaces = 'Lokacje/Most/Sesje.md'

/** What the purses hold behind the only Transfer of the session. */
const purseViolation = async (client: Client): Promise<string | null> => {
  for (const [name, wanted] of [
    ['Korony Wit', 40],
    ['Korony Orrin', 60],
  ] as const) {
    const reply = await askOrNull(client, `/entities/${encodeURIComponent(name)}`, {})
    const amount = jsonField(reply?.json, 'Quantity')
    if (amount !== wanted) return `${name} has ${String(amount)}, not ${wanted} (S20)`
  }
  return null
}

const close: Enactment = {
  name: 'close',
  route: '/workflows/close-session',
  body: { header },
  files: {
    ...players('Gosia'),
    [people]: [
      '### Wit\n- @typ: Postać\n- @należy_do: Gosia\n',
      '### Orrin\n- @typ: Postać\n- @należy_do: Gosia\n',
      '### Most\n- @typ: Lokacja\n',
      purse('Wit', 100),
      purse('Orrin', 0),
    ].join('\n'),
    [sessionFile]: session(
      ...['- @Lokacje:', '    - Most', '- @Transfer: 60 koron, Wit -> Orrin'],
      ...['- @Intel:', '    - Wit: Brama.', '    - Orrin: Zamek.'],
    ),
  },
  isNew: ({ status, json }) =>
    status === 200 ? true : jsonField(json, 'error') === 'SessionClosed' ? false : null,
  ledger: closeLedgerPath,
  rows: 1,
  notices: ['Wit\n\nBrama.', 'Orrin\n\nZamek.'].map(text => `Intel z sesji „Most” (2026-05-10) dla: ${text}`),
  violation: async (client, { repo }) => {
    const told = gitIn(repo, 'show', `HEAD:${linesOfPlaces}`).split(header).length - 1
    return told === 1 ? purseViolation(client) : `${linesOfPlaces} names the session ${told} times (S20)`
  },
}

/** The row of the close, whose request was merged: its Intel waits. */
const deferredRow = (): string => {
  const { [closeLedgerPath]: row = '' } = closeSessions(close.files, true)
  return `${JSON.stringify({ ...(JSON.parse(row) as object), deferred: true })}\n`
}

const finalize: Enactment = {
  ...close,
  name: 'finalize',
  route: '/workflows/finalize-close',
  files: { ...close.files, [closeLedgerPath]: deferredRow() },
  isNew: isApplied,
  rows: 2,
  violation: purseViolation,
}

const otherHeader = '2026-05-11, Bród, Karol'

const reminderText = (narrator: string, of: string): string =>
  [
    `${narrator}, ta sesja czeka na zamknięcie:`,
    `• ${of}`,
    'Zmiany, transfery i Intel sesji działają dopiero po jej zamknięciu.',
  ].join('\n')

const reminder: Enactment = {
  name: 'reminder',
  route: '/workflows/close-reminder',
  body: {},
  files: {
    ...players('Gosia', 'Karol'),
    [sessionFile]: [session(), `### ${otherHeader}\n\nOpis.\n`].join('\n'),
  },
  isNew: isApplied,
  ledger: remindersPath,
  rows: 2,
  notices: [reminderText('Gosia', header), reminderText('Karol', otherHeader)],
  violation: () => Promise.resolve(null),
}

/** Asks for the enactment: whether it was done now; a string where it was answered otherwise or not at all. */
const enact = async (client: Client, { name, route, body, isNew }: Enactment): Promise<boolean | string> => {
  const reply = await askOrNull(client, route, { method: 'POST', body: JSON.stringify(body) })
  if (reply === null) return `the ${name} was not answered`
  return isNew(reply) ?? `the ${name} was answered ${reply.status}: ${reply.text}`
}

const countRows = (repo: string, ref: string, { ledger }: Enactment): number => {
  if (gitIn(repo, 'ls-tree', ref, ledger) === '') return 0
  return gitIn(repo, 'show', `${ref}:${ledger}`)
    .split('\n')
    .filter(line => line !== '').length
}

/** A path whose answer is 404, so that the tracer tells it from the answer of the enactment. */
const isAlive = async (client: Client): Promise<boolean> =>
  (await askOrNull(client, '/entities/Nikt', {}))?.status === 404

/** Answers of the daemon behind the last message, so that it has recorded what came of that message. */
const asksBehind = 3

/** Enacts, and waits until the notices are in the channel or the daemon is gone. */
const enactAndNotify = async (client: Client, one: Enactment, place: KillPlace): Promise<void> => {
  const { messages } = platformOf(place)
  if ((await enact(client, one)) !== true) return
  await awaitIdle(async () => messages.length >= one.notices.length || !(await isAlive(client)))
  for (let times = 0; times < asksBehind; times += 1) await isAlive(client)
}

/** A commit whose push outlived the daemon comes back from the remote, and a converge announces what comes. */
const announcement = /^Nowe zmiany w kronice: /u

/** Where a notice is missing, is there twice, or was posted before the remote had the commit (D51). */
const noticeViolations = async (
  { notices }: Enactment,
  { chat }: WriteLedger,
  place: KillPlace,
): Promise<ReadonlyArray<string>> => {
  const platform = platformOf(place)
  const areSent = (): boolean =>
    notices.every(text => platform.messages.some(({ content }) => content === text)) &&
    readDeliveryRows(place.repo).every(({ status }) => status !== 'queued')
  if (!(await awaitIdle(areSent))) return ['notices wait without an end']
  const messages = notices.map(text => ({ text, isAccepted: true, isAged: false }))
  const frame = { rows: readDeliveryRows(place.repo), platform, kills: 1, lost: platform.takeLost() }
  const more = platform.messages.filter(
    ({ content }) => !notices.includes(content) && !announcement.test(content),
  )
  return [
    ...chat.faults,
    ...messageViolations({ ...chat, messages }, frame),
    ...more.map(({ content }) => `"${content}" is in the channel, and nothing that was enacted says so`),
  ]
}

/** An enactment is done once, here and in the remote, and told once, whatever was killed. */
const enactedOnce = async (
  client: Client,
  one: Enactment,
  ledger: WriteLedger,
  place: KillPlace,
): Promise<string | null> => {
  const first = await enact(client, one)
  if (typeof first === 'string') return first
  const again = await enact(client, one)
  if (again !== false) return `the ${one.name} that was answered is done again (S20): ${String(again)}`
  const apart = (await converge(client)) ?? originViolations(place, ledger)
  if (apart !== null) return apart
  const rows = countRows(place.repo, 'HEAD', one)
  if (rows !== one.rows) return `${one.ledger} has ${rows} rows, not ${one.rows} (S20)`
  return (await one.violation(client, place)) ?? (await noticeViolations(one, ledger, place))[0] ?? null
}

/** An enactment in mode push: its commit goes to the remote before the branch here moves and its notices are sent. */
const scenarioOf = (one: Enactment): Scenario => ({
  ...writing,
  name: one.name,
  files: { ...smallWorld(quiet), ...one.files },
  remote: 'bare',
  hasChat: true,
  uncounted: /^answer 404$|\/streams\/request-/u,
  pointsPerWorld: 1,
  prepare: async (client, { chat }, place) => {
    await converge(client)
    platformOf(place).onMessage(text => {
      if (announcement.test(text)) return
      const isPublished = countRows(place.remote?.bare ?? '', 'main', one) === one.rows
      if (!isPublished) chat.faults.push(`"${text}" was posted before the remote had its commit (D51)`)
    })
  },
  act: (client, _ledger, place) => enactAndNotify(client, one, place),
  next: (client, ledger, place) => enactedOnce(client, one, ledger, place),
})

/** Merges the request that closes the session, as a person does at the forge. */
const mergeClose = async ({ forge, remote }: KillPlace): Promise<void> => {
  if (forge === null || remote === null) throw new Error('the scenario has no forge')
  for (const { iid, source, state } of await forge.requests()) {
    if (state !== 'opened' || !source.startsWith('svc/close/')) continue
    const sha = gitIn(remote.bare, 'rev-parse', source)
    const signal = AbortSignal.timeout(forgeLimitMs)
    const merge = () => portOfDouble(forge)({ _tag: 'MergeRequest', iid, sha }, forgeLimitMs, signal)
    await awaitIdle(async () => (await merge()).outcome._tag === 'Request')
  }
}

const forgeLimitMs = 60_000

/** Defers the close, has its request merged and finishes it; what it says where one of them was not answered so. */
const deferAndFinalize = async (client: Client, place: KillPlace): Promise<boolean | string> => {
  const { route, body } = close
  const reply = await askOrNull(client, route, { method: 'POST', body: JSON.stringify(body) })
  if (reply === null) return 'the close was not answered'
  const isDeferred = jsonField(reply.json, 'Deferred') === header
  if (!isDeferred && jsonField(reply.json, 'error') !== 'SessionClosed')
    return `the close was answered ${reply.status}: ${reply.text}`
  await mergeClose(place)
  return enact(client, finalize)
}

/** Converges until the forge has merged what this host has, and the remote is as the host. */
const publishAll = async (client: Client, { repo, remote }: KillPlace): Promise<string | null> => {
  const headOf = (path: string): string => gitIn(path, 'rev-parse', 'refs/heads/main')
  const ends: Array<string | null> = []
  const isPublished = await awaitIdle(async () => {
    ends.push(await converge(client))
    return headOf(repo) === headOf(remote?.bare ?? '')
  })
  return isPublished
    ? null
    : `the remote has another commit, and the last converge says ${ends.at(-1) ?? 'nothing'}`
}

/** A session is closed by one request and finished once, and its Intel goes when the remote has the end of the close. */
const finalizedOnce = async (
  client: Client,
  ledger: WriteLedger,
  place: KillPlace,
): Promise<string | null> => {
  const first = await deferAndFinalize(client, place)
  if (typeof first === 'string') return first
  const again = await enact(client, finalize)
  if (again !== false) return `the close that was finished is finished again (S20): ${String(again)}`
  const apart = (await publishAll(client, place)) ?? originViolations(place, ledger)
  if (apart !== null) return apart
  const rows = countRows(place.repo, 'HEAD', finalize)
  if (rows !== finalize.rows) return `${finalize.ledger} has ${rows} rows, not ${finalize.rows} (S20)`
  const requests = (await place.forge?.requests()) ?? []
  const closing = requests.filter(({ source }) => source.startsWith('svc/close/')).map(({ state }) => state)
  if (closing.join() !== 'merged') return `the requests of the close are: ${closing.join(', ') || 'none'}`
  return (
    (await finalize.violation(client, place)) ?? (await noticeViolations(finalize, ledger, place))[0] ?? null
  )
}

const { [closeLedgerPath]: _, ...openFiles } = finalize.files

/**
 * A deferred close in mode mr: killed while its request is made, while it is fetched after the merge, while the close is
 * finished, and while the end goes to the remote by the request of the host.
 */
const finalizeByRequest: Scenario = {
  ...scenarioOf(finalize),
  name: 'finalize by request',
  files: { ...smallWorld({ ...quiet, publish_mode: 'mr' }), ...openFiles },
  remote: 'forge',
  act: async (client, _ledger, place) => {
    if ((await deferAndFinalize(client, place)) !== true) return
    const { messages } = platformOf(place)
    await awaitIdle(
      async () =>
        messages.length >= finalize.notices.length ||
        ((await converge(client)) !== null && !(await isAlive(client))),
    )
    for (let times = 0; times < asksBehind; times += 1) await isAlive(client)
  },
  next: finalizedOnce,
}

export const enacting: ReadonlyArray<Scenario> = [
  ...[award, close, finalize, reminder].map(scenarioOf),
  finalizeByRequest,
]

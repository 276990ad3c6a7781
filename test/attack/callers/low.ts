import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { gitIn, headIn } from '#test/support/repository.js'
import type { Attack, Tactic } from '../caller-case.js'
import { subjectFilesMax } from '../subject.js'
import { aim } from '../worlds/base.js'
import { segment } from './path.js'

/** Names of tokens that a terminal or a page shows in another order than they are written. */
export const tokenNames: Tactic = async ({ trial }) => {
  for (const mark of ['\u202e', '\u202d', '\u2066', '\u2067', '\u200f', '\u061c', '\u200b', '\u2028'])
    await trial.fire({
      method: 'POST',
      path: '/tokens',
      body: { name: `bot ${mark}kalendarza`, capabilities: ['entity.read'] },
      token: trial.subject.token,
      forbidden: `the name of the token holds U+${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
    })
}

const validatorOf = async ({ trial }: Attack, path: string): Promise<string> =>
  (await trial.fire({ method: 'GET', path, token: trial.subject.token }))?.headers.etag ?? '*'

/** Validators of answers that the caller may not have: 304 would tell that they stand. */
export const validators: Tactic = async attack => {
  for (const path of [
    '/pu/history',
    '/sessions',
    '/entities',
    `/sessions/${segment(aim.closed)}`,
    '/people',
  ]) {
    const etag = await validatorOf(attack, path)
    const plain = await attack.fire({ method: 'GET', path })
    const named = await attack.fire({ method: 'GET', path, headers: { 'If-None-Match': etag } })
    if (plain !== null && named !== null && plain.status >= 400 && named.status !== plain.status)
      attack.trial.violate(
        `GET ${path} with a validator answers ${named.status}, without one ${plain.status}`,
      )
  }
}

const Changes = t.type({ items: t.readonlyArray(t.UnknownRecord) })

/** Fields of a change that are another for every commit. */
const ofCommit = new Set(['commit', 'at', 'authoredAt', 'who', 'intent', 'subject', 'op', 'before', 'after'])

const marksOf = (item: Readonly<Record<string, unknown>> | undefined): string =>
  JSON.stringify(Object.entries(item ?? {}).filter(([key]) => !ofCommit.has(key)))

/** A commit by hand with the trailers of the daemon must not be told as one of the daemon's. */
export const forgeTrailers: Tactic = async ({ trial, repository }) => {
  const { token } = trial.subject
  const body = { tag: 'info', value: 'Prawdziwy wpis.' }
  const path = `/entities/${segment(aim.npc)}`
  const written = await trial.fire({ method: 'PATCH', path, body, token })
  const message = gitIn(repository.path, 'log', '-1', '--format=%B')
  const base = headIn(repository.path)
  const text = gitIn(repository.path, 'cat-file', 'blob', 'HEAD:encje/indeks-90.md')
  repository.git('checkout', '-q', '-f', 'main')
  repository.commit({ 'encje/indeks-90.md': `${text.replace('Prawdziwy', 'Podrobiony')}\n` }, message)
  const found = await trial.fire({
    method: 'GET',
    path: `/audit/changes?name=${segment(aim.npc)}&limit=2`,
    token,
  })
  const changes = Changes.decode(JSON.parse(found?.text ?? 'null'))
  if (isLeft(changes)) return trial.violate(`the changes cannot be read: ${found?.text.slice(0, 200) ?? ''}`)
  const [forged, real] = [
    changes.right.items.find(item => item['commit'] !== base),
    changes.right.items.find(item => item['commit'] === base),
  ]
  if (written === null || real === undefined || forged === undefined)
    return trial.violate(`the changes lack a commit: ${found?.text.slice(0, 200) ?? ''}`)
  if (marksOf(forged) === marksOf(real))
    trial.violate(`a commit by hand is told as one of the daemon's: ${marksOf(forged)}`)
  // What this commit changed is not the caller's doing.
  repository.git('reset', '-q', '--hard', base)
}

const actorIn = (message: string): string => /^Svc-Actor: (.*)$/mu.exec(message)?.[1] ?? ''

/** A Gracz who is headed as the machine is: what they write must not be signed as the machine's. */
export const impersonateMachine: Tactic = async ({ own, trial, fire, repository }) => {
  const answer = await fire({
    method: 'PATCH',
    path: `/characters/${segment(own ?? '')}`,
    body: { tag: 'stan', value: 'Podszywa się.' },
  })
  if (answer === null || answer.status >= 300) return
  const theirs = actorIn(gitIn(repository.path, 'log', '-1', '--format=%B'))
  const body = { tag: 'info', value: 'Wpis maszyny.' }
  const path = `/characters/${segment(own ?? '')}`
  await trial.fire({ method: 'PATCH', path, body, token: trial.subject.token })
  const machine = actorIn(gitIn(repository.path, 'log', '-1', '--format=%B'))
  if (theirs === machine) trial.violate(`a player signs as "${theirs}", as the machine does`)
}

const connectionsTried = 1_500
/** Descriptors that the daemon must have left for git, SQLite and the files of a commit. */
const openSpare = 100

const connectSocket = (port: number): Promise<Socket> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    const settle = (): void => resolve(socket)
    socket.once('connect', settle)
    socket.once('error', settle)
    socket.on('error', () => undefined)
  })

/** Connections that ask nothing. */
export const idleConnections: Tactic = async ({ trial, fire }) => {
  const sockets: Array<Socket> = []
  for (let at = 0; at < connectionsTried; at += 1) sockets.push(await connectSocket(trial.subject.port))
  await new Promise(resolve => setTimeout(resolve, 200))
  const open = readdirSync(`/proc/${trial.subject.pid}/fd`).length
  if (open > subjectFilesMax - openSpare)
    trial.violate(`${open} of ${subjectFilesMax} files are open with ${connectionsTried} idle connections`)
  for (const socket of sockets) socket.destroy()
  await new Promise(resolve => setTimeout(resolve, 200))
  await trial.rest()
  await fire({ method: 'GET', path: '/schema/version' })
}

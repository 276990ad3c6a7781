import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { configKeys } from '#protocol/host/config.js'
import { signEnvelope } from '#test/support/identity/game-envelopes.js'
import { goodIdClaims, idToken } from '#test/support/identity/id-tokens.js'
import { gitIn, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import type { AttackCase } from '../case.js'
import { type AttackSubject, startAttackSubject } from '../subject.js'
import { openTrial, type Result, type Trial } from '../trial.js'
import { endTrial, notStarted } from '../world-case.js'
import { basis } from './text.js'

/** The secrets that the operator gives the host. */
const secrets = { SVC_CHAT_BOT_TOKEN: 'sekret-czatu-91', SVC_FORGE_TOKEN: 'sekret-kuzni-92' } as const

/** Keys of sign-in: what stands at their address decides who may sign in. */
const decides = ['integrations.chat.jwks_url', 'integrations.game.signing_key_url'] as const

interface Sink {
  readonly url: string
  readonly heard: () => ReadonlyArray<{ readonly path: string; readonly text: string }>
  readonly close: () => void
}

/** A server that keeps all that is sent to it. */
const openSink = async (): Promise<Sink> => {
  const heard: Array<{ path: string; text: string }> = []
  const server = createServer((req, res) => {
    const parts: Array<Buffer> = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      heard.push({
        path: req.url ?? '',
        text: `${req.rawHeaders.join('\n')}\n${Buffer.concat(parts).toString()}`,
      })
      res.statusCode = 404
      res.setHeader('content-type', 'application/json')
      res.end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? '') : ''}`,
    heard: () => heard,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Every committed key that holds an address, and the address of each below one server. */
const addressesAt = (url: string): ReadonlyArray<readonly [key: string, address: string]> =>
  Object.entries(configKeys)
    .filter(([, { unit }]) => unit === 'URL')
    .map(([key]) => [key, `${url}/${key}${key.includes('forge') ? '/api/v4' : ''}`])

/** Keys with dots as objects within objects. */
const nest = (flat: ReadonlyArray<readonly [key: string, value: unknown]>): object => {
  const groups = new Map<string, Array<readonly [string, unknown]>>()
  const values: Array<readonly [string, unknown]> = []
  for (const [key, value] of flat) {
    const [head = '', ...rest] = key.split('.')
    if (rest.length === 0) values.push([head, value])
    else groups.set(head, [...(groups.get(head) ?? []), [rest.join('.'), value]])
  }
  return Object.fromEntries([...values, ...[...groups].map(([head, below]) => [head, nest(below)] as const)])
}

const configAt = (url: string): string =>
  JSON.stringify(
    nest([
      ['server.selfheal_interval_ms', 0],
      ['server.gc_interval_min', 0],
      ['server.publish_mode', 'mr'],
      ['server.sync_interval_min', 600],
      ['integrations.chat.guild_id', '900000000000000001'],
      ['integrations.chat.client_id', 'kronika-of-the-tests'],
      ['integrations.forge.project', 'lore/kronika'],
      ...addressesAt(url),
    ]),
  )

/** Requests that make the host call every address that it calls for a caller. */
const callAll = async (trial: Trial, url: string): Promise<void> => {
  const { token } = trial.subject
  const nowS = Math.floor(Date.now() / 1_000)
  const iss = `${url}/integrations.chat.issuer`
  const claims = idToken({ ...goodIdClaims(Date.now(), '111'), iss })
  const envelope = signEnvelope({ userId: '41001', token: 'zeton', ts: nowS })
  const note = { category: 'sesje', channel: 'kanał', message: 'Cześć' }
  for (const [path, body, by] of [
    ['/chat/send', note, token],
    ['/auth/chat', { id_token: claims }, null],
    ['/auth/game', envelope, null],
    ['/entities', { name: `Adres ${nowS}`, type: 'NPC' }, token],
    ['/sync', {}, token],
  ] as const)
    await trial.fire({ method: 'POST', path, body, token: by })
}

const judge = (trial: Trial, thief: Sink): void => {
  for (const { path, text } of thief.heard()) {
    for (const [name, secret] of Object.entries(secrets))
      if (text.includes(secret)) trial.violate(`${name} went to the committed address ${path}`)
    const deciding = decides.find(key => path.startsWith(`/${key}`))
    if (deciding !== undefined) trial.violate(`who may sign in is asked of the committed ${deciding}`)
  }
}

/** A host that has used its addresses, and then finds others in a commit after a restart. */
const restartWith = async (repo: string, honest: Sink, thief: Sink, open: Opener): Promise<Result> => {
  const first = await open()
  if (first === null) return notStarted('before the commit')
  await callAll(first, honest.url)
  if (honest.heard().length === 0) first.violate('the host calls none of its addresses')
  const before = await endTrial(first, true)
  writeConfig(repo, thief.url)
  const second = await open()
  if (second === null) return notStarted('after the commit')
  await callAll(second, thief.url)
  judge(second, thief)
  const after = await endTrial(second, false)
  return { ...after, violations: [...before.violations, ...after.violations] }
}

type Opener = () => Promise<Trial | null>

const writeConfig = (repo: string, url: string): void => {
  writeFileSync(join(repo, '.svc/config.json'), configAt(url))
  gitIn(repo, 'commit', '-q', '-a', '-m', 'config: other addresses')
}

/** One commit with the addresses of somebody else, and a restart. */
export const committedAddresses: AttackCase = {
  name: 'world/committed-addresses',
  kind: 'world',
  run: async ({ chance }) => {
    const [honest, thief, folder] = [await openSink(), await openSink(), temporaryFolder()]
    const repository = repositoryOf({
      ...Object.fromEntries(basis),
      '.svc/config.json': configAt(honest.url),
    })
    const running: Array<AttackSubject> = []
    const open: Opener = async () => {
      const started = await startAttackSubject(repository.path, secrets, ['--town', 'erathia'])
      if (started._tag === 'NotStarted') return null
      running.push(started.subject)
      return openTrial(started.subject, chance)
    }
    try {
      const bare = join(folder.path, 'bare.git')
      gitIn(folder.path, 'clone', '-q', '--bare', repository.path, bare)
      repository.git('remote', 'add', 'origin', bare)
      return await restartWith(repository.path, honest, thief, open)
    } finally {
      for (const subject of running) await subject.stop(true)
      for (const sink of [honest, thief]) sink.close()
      repository.dispose()
      folder.dispose()
    }
  },
}
